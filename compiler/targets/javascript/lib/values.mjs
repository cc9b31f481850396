// The values of facts: what is unknown, sets and maps, and how any two values are the same or in
// order. Null, booleans and texts are JavaScript's own, whole numbers BigInt, other numbers
// Decimal; lists, records and versions are arrays.

import { Decimal, UNDECIDED, compareNumbers, trimmed } from "./decimal.mjs";
import { compareTexts } from "./text.mjs";

/**
 * Why a value is not known: *reason* is one of missing, stale, null, skipped, error, invalid or
 * empty; *subject* names the fact, *words* are the source's own.
 */
export class Unknown {
  /**
   * @param {string} reason
   * @param {string} subject
   * @param {string} words
   */
  constructor(reason, subject = "", words = "") {
    this.reason = reason;
    this.subject = subject;
    this.words = words;
  }
}

/** A set by the content of its elements; of two that are the same the first stays. */
export class ValueSet {
  /** @param {Iterable<any>} values */
  constructor(values) {
    /** @type {Map<string, any>} */
    this.byKey = new Map();
    for (const value of values) {
      const key = keyOf(value);
      if (!this.byKey.has(key)) this.byKey.set(key, value);
    }
  }

  get size() {
    return this.byKey.size;
  }

  /** @param {any} value */
  has(value) {
    return this.byKey.has(keyOf(value));
  }

  values() {
    return [...this.byKey.values()];
  }
}

/**
 * A map's value: texts to values, which may be Unknown one by one.
 * @extends {Map<string, any>}
 */
export class ValueMap extends Map {}

/**
 * A text that is the same for values that are the same, and for no others.
 * @param {any} value
 * @returns {string}
 */
export function keyOf(value) {
  switch (typeof value) {
    case "string":
      return `s${value.length}:${value}`;
    case "bigint":
      return numberKey(new Decimal(value, 0));
    case "boolean":
      return value ? "t" : "f";
  }
  if (value === null) return "n";
  if (value instanceof Decimal) return numberKey(value);
  if (value instanceof ValueSet) return `{${[...value.byKey.keys()].sort().join("")}}`;
  if (value instanceof ValueMap) {
    const entries = [...value].map(([key, item]) => keyOf(key) + keyOf(item));
    return `<${entries.sort().join("")}>`;
  }
  if (value instanceof Unknown) {
    return `u${keyOf(value.reason)}${keyOf(value.subject)}${keyOf(value.words)}`;
  }
  return `[${value.map(keyOf).join("")}]`;
}

/** @param {Decimal} number */
function numberKey(number) {
  const { coefficient, exponent } = trimmed(number);
  return `${coefficient}e${exponent};`;
}

/**
 * Are two values the same, by their content?
 * @param {any} left
 * @param {any} right
 * @returns {boolean}
 */
export function equal(left, right) {
  if (left === right) return true;
  if (left instanceof Decimal || right instanceof Decimal) {
    return isNumber(left) && isNumber(right) && compareNumbers(left, right) === 0;
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, place) => equal(item, right[place]))
    );
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  return left.constructor === right.constructor && keyOf(left) === keyOf(right);
}

/** @param {any} value */
export function isNumber(value) {
  return typeof value === "bigint" || value instanceof Decimal;
}

/**
 * Below zero, zero or above, of two values of one ordered type. Throws UNDECIDED for others.
 * @param {any} left
 * @param {any} right
 * @returns {number}
 */
export function compare(left, right) {
  if (typeof left === "bigint" && typeof right === "bigint") {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (Array.isArray(left) && Array.isArray(right)) return compareTuples(left, right, compare);
  throw UNDECIDED;
}

/**
 * @param {any[]} left
 * @param {any[]} right
 * @param {(left: any, right: any) => number} by
 */
function compareTuples(left, right, by) {
  const end = Math.min(left.length, right.length);
  for (let place = 0; place < end; place += 1) {
    const order = by(left[place], right[place]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/**
 * The elements of a collection: of a map its keys; of a set in one order, so that an explanation
 * names the same witnesses each time.
 * @param {any} collection
 * @returns {any[]}
 */
export function ordered(collection) {
  return collection instanceof ValueSet
    ? collection.values().sort(compareRanks)
    : elements(collection);
}

/**
 * The elements of a collection, of a set in any order.
 * @param {any} collection
 * @returns {any[]}
 */
export function elements(collection) {
  if (Array.isArray(collection)) return collection;
  if (collection instanceof ValueSet) return collection.values();
  if (collection instanceof ValueMap) return [...collection.keys()];
  throw UNDECIDED;
}

/** @param {any} collection */
export function sizeOf(collection) {
  return Array.isArray(collection) ? collection.length : collection.size;
}

/**
 * An order of all values of one type: null first, then as the values themselves order, collections
 * by their elements; what is unknown comes last.
 * @param {any} left
 * @param {any} right
 * @returns {number}
 */
function compareRanks(left, right) {
  const [one, other] = [standing(left), standing(right)];
  if (one !== other) return one - other;
  if (one === 0) return 0;
  if (one === 2) return compareTuples(parts(left), parts(right), compareTexts);
  if (Array.isArray(left)) return compareTuples(left, right, compareRanks);
  if (left instanceof ValueSet) return compareTuples(ordered(left), ordered(right), compareRanks);
  if (left instanceof ValueMap) return compareTuples(entries(left), entries(right), compareEntries);
  return compare(left, right);
}

/** @param {any} value */
function standing(value) {
  return value === null ? 0 : value instanceof Unknown ? 2 : 1;
}

/** @param {Unknown} unknown */
function parts({ reason, subject, words }) {
  return [reason, subject, words];
}

/** @param {ValueMap} map */
function entries(map) {
  return [...map].sort(([one], [other]) => compareTexts(one, other));
}

/**
 * @param {[string, any]} left
 * @param {[string, any]} right
 */
function compareEntries(left, right) {
  return compareTexts(left[0], right[0]) || compareRanks(left[1], right[1]);
}

/**
 * Does a collection hold an unknown (an ill-typed value of a map)?
 * @param {any} value
 * @returns {boolean}
 */
export function isTainted(value) {
  if (value instanceof ValueMap) {
    return [...value.values()].some((item) => item instanceof Unknown || isTainted(item));
  }
  if (Array.isArray(value)) return value.some(isTainted);
  return value instanceof ValueSet && value.values().some(isTainted);
}
