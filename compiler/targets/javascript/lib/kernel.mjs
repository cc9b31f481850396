// What the straight form of a predicate calls: an ordinary expression that throws UNDECIDED (or, of
// a null, a TypeError) where something is not known. It never decides what the three-valued form
// would leave unknown.

import {
  UNDECIDED,
  ceiling,
  divide,
  exactSum,
  halfEven,
  magnitude,
  multiply,
  plus,
} from "./decimal.mjs";
import { DAY, MAX_INT, isDay } from "./literals.mjs";
import { textLength } from "./text.mjs";
import { ValueSet, compare, elements, equal, sizeOf } from "./values.mjs";

/** @typedef {import("./decimal.mjs").Decimal} Decimal */
/** @typedef {import("./values.mjs").Unknown} Unknown */
/** @typedef {(...operands: any[]) => any} Test */

/**
 * The elements of a collection by the key of a value of theirs, and the first element whose value
 * is not known.
 * @typedef {{ elements: Map<string, any>, open: [any, Unknown] | null }} Index
 */

/** What one moment knows: reads by their key; *unknown* says why the others are not known. */
export class Facts {
  constructor() {
    /** @type {Map<string, any>} */
    this.known = new Map();
    /** @type {Map<string, any>} */
    this.unknown = new Map();
    this.tainted = false; // is there a collection with an unknown inside?
    /** @type {Map<string, Index>} */
    this.indexes = new Map();
  }
}

// --- straight helpers: values in, a value out, or UNDECIDED

/**
 * What *straight* gives; where it leaves that open, what *folded* does.
 * @param {() => any} straight
 * @param {() => any} folded
 */
export function decided(straight, folded) {
  try {
    return straight();
  } catch (error) {
    if (error !== UNDECIDED && !(error instanceof TypeError)) throw error;
    return folded();
  }
}

/**
 * A fact, a map's value or a member's place, under its key.
 * @param {any} collection
 * @param {any} key
 */
export function at(collection, key) {
  const value = (collection instanceof Facts ? collection.known : collection).get(key);
  if (value === undefined) throw UNDECIDED;
  return value;
}

/**
 * A value that may be null and is not.
 * @param {any} value
 */
export function present(value) {
  if (value === null) throw UNDECIDED;
  return value;
}

/**
 * Does the value lie within a closed range?
 * @param {any} low
 * @param {any} value
 * @param {any} high
 */
export function isBetween(low, value, high) {
  return compare(low, value) <= 0 && compare(value, high) <= 0;
}

/**
 * An int of the language, within ±(2^53-1).
 * @param {bigint} value
 */
export function whole(value) {
  if (value > MAX_INT || value < -MAX_INT) throw UNDECIDED;
  return value;
}

/** @param {bigint} value */
export function abs(value) {
  return magnitude(value);
}

/**
 * A date some whole days later.
 * @param {bigint} day
 * @param {bigint} duration
 */
export function moveDate(day, duration) {
  const moved = day + duration / DAY;
  if (duration % DAY !== 0n || !isDay(moved)) throw UNDECIDED;
  return moved;
}

/**
 * @param {bigint} now
 * @param {bigint} time
 */
export function age(now, time) {
  if (time > now) throw UNDECIDED;
  return now - time;
}

/**
 * The text with the letters A to Z in lower case.
 * @param {string} text
 */
export function lowered(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * How many elements a collection has, or characters a text.
 * @param {any} value
 */
export function len(value) {
  return BigInt(typeof value === "string" ? textLength(value) : sizeOf(value));
}

/**
 * Is the item an element of the collection, a key of the map, a part of the text?
 * @param {any} item
 * @param {any} collection
 */
export function isIn(item, collection) {
  if (typeof collection === "string") return collection.includes(item);
  if (Array.isArray(collection)) return collection.some((element) => equal(element, item));
  return collection.has(item);
}

/**
 * Membership where elements may be null.
 * @param {any} item
 * @param {any} collection
 */
export function member(item, collection) {
  const all = elements(collection);
  if (all.some((element) => element !== null && equal(element, item))) return true;
  if (all.includes(null)) throw UNDECIDED;
  return false;
}

/**
 * @param {any} collection
 * @param {(element: any) => any} value
 * @param {(element: any) => boolean} [where]
 * @returns {any[]}
 */
export function collected(collection, value, where) {
  const all = elements(collection);
  return (where === undefined ? all : all.filter((element) => where(element))).map((element) =>
    value(element),
  );
}

/**
 * @param {any} collection
 * @param {(element: any) => boolean} body
 * @param {(element: any) => boolean} [where]
 */
export function any(collection, body, where) {
  return elements(collection).some(
    (element) => (where === undefined || where(element)) && body(element),
  );
}

/**
 * @param {any} collection
 * @param {(element: any) => boolean} body
 * @param {(element: any) => boolean} [where]
 */
export function all(collection, body, where) {
  return elements(collection).every(
    (element) => (where !== undefined && !where(element)) || body(element),
  );
}

/**
 * `all`, but of nothing undecided.
 * @param {any} collection
 * @param {(element: any) => boolean} body
 * @param {(element: any) => boolean} [where]
 */
export function each(collection, body, where) {
  let isEmpty = true;
  for (const element of elements(collection)) {
    if (where !== undefined && !where(element)) continue;
    if (!body(element)) return false;
    isEmpty = false;
  }
  if (isEmpty) throw UNDECIDED;
  return true;
}

/** @param {any[]} values */
export function frozenset(values) {
  return new ValueSet(elements(values));
}

/** @param {any} values */
export function total(values) {
  return plus(exactSum(elements(values)));
}

/** @param {any} values */
export function sum(values) {
  return elements(values).reduce((result, value) => result + value, 0n);
}

/** @param {any} values */
export function wholeSum(values) {
  return whole(sum(values));
}

/** @param {any} values */
export function mean(values) {
  return divide(exactSum(elements(values)), BigInt(filled(values).length));
}

/** @param {any} values */
export function wholeMean(values) {
  return halfEven(sum(filled(values)), len(values));
}

/** @param {any} values */
function filled(values) {
  if (sizeOf(values) === 0) throw UNDECIDED;
  return elements(values);
}

/** @param {any} values */
export function least(values) {
  return filled(values).reduce((best, value) => (compare(value, best) < 0 ? value : best));
}

/** @param {any} values */
export function greatest(values) {
  return filled(values).reduce((best, value) => (compare(value, best) > 0 ? value : best));
}

/**
 * The percentile by nearest rank; *rank* lies above 0 and up to 1.
 * @param {any} values
 * @param {Decimal} rank
 */
export function nearestRank(values, rank) {
  const place = ceiling(multiply(rank, BigInt(filled(values).length)));
  return [...elements(values)].sort(compare)[Number(place) - 1];
}

/** @param {any} truths */
export function streak(truths) {
  let count = 0n;
  for (const truth of [...elements(truths)].reverse()) {
    if (!truth) break;
    count += 1n;
  }
  return count;
}

/** @param {any} truths */
export function longest(truths) {
  let [best, count] = [0n, 0n];
  for (const truth of elements(truths)) {
    count = truth ? count + 1n : 0n;
    if (count > best) best = count;
  }
  return best;
}

/** @param {any} truths */
export function share(truths) {
  const passed = elements(truths).filter((truth) => truth).length;
  return divide(BigInt(passed), BigInt(filled(truths).length));
}

/**
 * *end* over the members of an ordered enumeration, by their place in it.
 * @param {Test} end
 * @param {string[]} members
 * @returns {Test}
 */
export function ranked(end, members) {
  return (values, ...rest) => {
    const places = elements(values).map((value) => BigInt(members.indexOf(value)));
    return members[Number(end(places, ...rest))];
  };
}
