// JSON in exact numbers, and what counts as an object of JSON: a plain object, or a Map with texts
// as its keys. `JSON.parse` would round numbers, keep the last of two equal keys and reorder those
// that look like numbers; `parse` does not.

import { Decimal, decimal } from "./decimal.mjs";
import { MAX_EXPONENT } from "./literals.mjs";
import { firstOf, textLength } from "./text.mjs";

const MAX_DEPTH = 900;
const MOST_POWER = 10 ** 18;

/** Facts that are not JSON, or say one fact twice. */
export class BadFacts extends Error {
  get name() {
    return "BadFacts";
  }
}

/** A JSON number beyond the language's bounds, or NaN; invalid wherever it enters. */
export class BadNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/**
 * The JSON of a text: objects as Map, whole numbers as BigInt, other numbers as exact decimals.
 * Throws BadFacts with the place, also for a doubled key.
 * @param {string} text
 */
export function parse(text) {
  return new Parser(text).document();
}

class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  document() {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.wrong("Extra data");
    return value;
  }

  /**
   * @param {string} what
   * @param {number} place
   */
  wrong(what, place = this.at) {
    const before = this.text.slice(0, place);
    const line = before.split("\n").length;
    const column = textLength(before.slice(before.lastIndexOf("\n") + 1)) + 1;
    return new BadFacts(`not JSON: ${what} (line ${line}, column ${column})`);
  }

  space() {
    this.match(/[ \t\n\r]*/y);
  }

  /** @param {RegExp} pattern a sticky one */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  /** @param {string} char */
  take(char) {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  /**
   * @param {number} depth
   * @returns {any}
   */
  value(depth) {
    if (depth > MAX_DEPTH) throw new BadFacts("not JSON that facts can be: it nests too deep");
    this.space();
    if (this.take("{")) return this.object(depth);
    if (this.take("[")) return this.array(depth);
    if (this.take('"')) return this.string();
    const number = this.match(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (number !== null) return numberOf(number);
    const word = this.match(/true|false|null|NaN|-?Infinity/y);
    if (word === null) throw this.wrong("Expecting value");
    if (word === "null") return null;
    return word === "true" || (word === "false" ? false : new BadNumber(word));
  }

  /** @param {number} depth */
  object(depth) {
    const result = new Map();
    this.space();
    if (this.take("}")) return result;
    for (;;) {
      this.space();
      if (!this.take('"')) throw this.wrong("Expecting property name enclosed in double quotes");
      const key = this.string();
      this.space();
      if (!this.take(":")) throw this.wrong("Expecting ':' delimiter");
      const value = this.value(depth + 1);
      if (result.has(key)) throw new BadFacts(`the key ${quoted(key)} is there twice`);
      result.set(key, value);
      this.space();
      if (this.take("}")) return result;
      if (!this.take(",")) throw this.wrong("Expecting ',' delimiter");
    }
  }

  /** @param {number} depth */
  array(depth) {
    /** @type {any[]} */
    const result = [];
    this.space();
    if (this.take("]")) return result;
    for (;;) {
      result.push(this.value(depth + 1));
      this.space();
      if (this.take("]")) return result;
      if (!this.take(",")) throw this.wrong("Expecting ',' delimiter");
    }
  }

  string() {
    const start = this.at - 1;
    let result = "";
    for (;;) {
      result += this.match(/[^"\\\x00-\x1f]*/y);
      if (this.take('"')) return result;
      if (this.at >= this.text.length) throw this.wrong("Unterminated string starting at", start);
      if (!this.take("\\")) throw this.wrong("Invalid control character at");
      result += this.escaped();
    }
  }

  escaped() {
    const start = this.at - 1;
    const char = this.text[this.at];
    this.at += 1;
    const plain = ESCAPES.get(char);
    if (plain !== undefined) return plain;
    if (char !== "u") throw this.wrong("Invalid \\escape", start);
    const digits = this.match(/[0-9A-Fa-f]{4}/y);
    if (digits === null) throw this.wrong("Invalid \\uXXXX escape", start + 1);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

const ESCAPES = new Map([...'"\\/'].map((char) => [char, char]));
for (const [char, control] of ["b\b", "f\f", "n\n", "r\r", "t\t"]) ESCAPES.set(char, control);

/** @param {string} text */
function numberOf(text) {
  if (/^-?[0-9]+$/.test(text)) {
    return text.length <= MAX_EXPONENT ? BigInt(text) : new BadNumber(`${text.slice(0, 40)}…`);
  }
  const power = Number(text.split(/[eE]/)[1] ?? 0);
  return Math.abs(power) < MOST_POWER ? decimal(text) : new BadNumber(text.slice(0, 40));
}

// --- objects

/**
 * Is the value an object of JSON? Instances of classes are none.
 * @param {any} value
 */
export function isMapping(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (value instanceof Map) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The keys and values of a mapping. What is undefined is not there.
 * @param {any} mapping
 * @returns {[any, any][]}
 */
export function entriesOf(mapping) {
  const entries = mapping instanceof Map ? [...mapping] : Object.entries(mapping);
  return entries.filter(([, value]) => value !== undefined);
}

/**
 * The value under a key of a mapping, or undefined.
 * @param {any} mapping
 * @param {string} key
 */
export function valueUnder(mapping, key) {
  if (mapping instanceof Map) return mapping.get(key);
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

// --- in messages

const LONGEST_SHOWN = 60;
const MOST_LEVELS = 500;

/**
 * A JSON value in a message, cut to one short line.
 * @param {any} value
 */
export function shown(value) {
  if (value instanceof BadNumber) return value.text;
  const text = value instanceof Decimal ? value.toString() : written(value, 0);
  const said = text ?? "the value";
  return said.length <= LONGEST_SHOWN ? said : `${said.slice(0, LONGEST_SHOWN - 3)}...`;
}

/**
 * JSON in ASCII; null where it nests without an end.
 * @param {any} value
 * @param {number} depth
 * @returns {string | null}
 */
function written(value, depth) {
  if (depth > MOST_LEVELS) return null;
  if (typeof value === "string") return quoted(value);
  if (value instanceof Decimal) return quoted(value.toString());
  if (value instanceof BadNumber) return quoted(value.text);
  if (Array.isArray(value)) {
    return joined("[", value, (item) => written(item, depth + 1), "]");
  }
  if (isMapping(value)) {
    return joined(
      "{",
      entriesOf(value),
      ([key, item]) => {
        const text = written(item, depth + 1);
        return text === null ? null : `${written(key, depth + 1)}: ${text}`;
      },
      "}",
    );
  }
  if (typeof value === "object" && value !== null) return "an instance of a class";
  // Neither a function's source nor a symbol's description need be one short line.
  return typeof value === "function" || typeof value === "symbol"
    ? `a ${typeof value}`
    : String(value);
}

/**
 * The items up to those that no message shows.
 * @param {string} opening
 * @param {any[]} items
 * @param {(item: any) => string | null} write
 * @param {string} closing
 */
function joined(opening, items, write, closing) {
  let text = opening;
  for (let place = 0; place < items.length && text.length <= LONGEST_SHOWN; place += 1) {
    const item = write(items[place]);
    if (item === null) return null;
    text += place > 0 ? `, ${item}` : item;
  }
  return text + closing;
}

/**
 * A text as JSON in ASCII.
 * @param {string} text
 */
export function quoted(text) {
  const short = firstOf(text, LONGEST_SHOWN);
  return JSON.stringify(text.length > 4 * LONGEST_SHOWN ? short : text).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
