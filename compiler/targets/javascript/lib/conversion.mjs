// Converters: JSON becomes a value of its declared type, or is refused with the value named.
// Nothing is guessed: a percent, a duration, a size or money needs its unit, true is no integer, and
// what is outside its type or range is invalid. A type is compiled once, into a function.

import { Decimal, decimal, scale, shifted, wholeNumber } from "./decimal.mjs";
import { entriesOf, isMapping, shown, valueUnder } from "./json.mjs";
import {
  DURATION_UNITS,
  LiteralError,
  MAX_INT,
  SIZE_UNITS,
  boundedDecimal,
  readDate,
  readMoney,
  readSigned,
  readTime,
  readVersion,
} from "./literals.mjs";
import { byteLength, isWellFormed, textLength } from "./text.mjs";
import { Unknown, ValueMap, ValueSet, compare, elements } from "./values.mjs";

const MAX_ELEMENTS = 3_000;
const MAX_STRING = 65_536;
const MAX_FACT = 2 ** 20;

/**
 * @typedef {{ kind: string, unit?: string, max?: number, currency?: string, members?: string[],
 *   ordered?: boolean, of?: Type, by?: string, fields?: { name: string, type: Type }[] }} Type
 * @typedef {{ low?: any, high?: any, text: string }} Bounds
 * @typedef {{ name: string, type: Type, bounds?: Bounds, lasting?: boolean }} FactSpec
 * @typedef {(value: any) => any} Converter
 */

/** A value that a type does not have; the message names both. */
export class Invalid extends Error {}

// --- facts

/**
 * The converter of a fact: its type, then its range and the cap of 1 MiB.
 * @param {FactSpec} fact
 * @param {string | null} root
 * @returns {Converter}
 */
export function factConverter({ type, bounds }, root) {
  const convert = converter(type, root);
  return (value) => {
    const result = convert(value);
    if (result === null) return null;
    if (bounds !== undefined && !isWithin(result, bounds)) {
      throw new Invalid(`${shown(value)} is outside the declared range ${bounds.text}`);
    }
    if (typeof result === "object" && weight(result) > MAX_FACT) {
      throw new Invalid("the fact is larger than 1 MiB");
    }
    return result;
  };
}

/**
 * @param {any} value
 * @param {Bounds} bounds
 */
function isWithin(value, { low, high }) {
  if (low !== undefined && compare(value, low) < 0) return false;
  return high === undefined || compare(value, high) <= 0;
}

/**
 * The bytes of a value's texts, and eight for each other value in it.
 * @param {any} value
 * @returns {number}
 */
function weight(value) {
  if (typeof value === "string") return byteLength(value);
  if (value instanceof ValueMap) {
    return [...value].reduce((sum, [key, item]) => sum + byteLength(key) + weight(item), 0);
  }
  if (!Array.isArray(value) && !(value instanceof ValueSet)) return 8;
  return elements(value).reduce((sum, item) => sum + weight(item), 0);
}

// --- one value

/**
 * The function that converts JSON to a type; it throws Invalid.
 * @param {any} type
 * @param {string | null} root
 * @returns {Converter}
 */
function converter(type, root) {
  switch (type.kind) {
    case "bool":
      return (value) => (typeof value === "boolean" ? value : refuse(value, type));
    case "int":
      return (value) => wholeValue(type, value);
    case "number":
      return (value) => exact(value) ?? refuse(value, type);
    case "string":
      return (value) => stringValue(type, type.max ?? MAX_STRING, value);
    case "path":
      return (value) => normalPath(stringValue(type, MAX_STRING, value), root);
    case "percent":
      return percentConverter(type);
    case "duration":
    case "size":
      return quantityConverter(type);
    case "time":
      return literalConverter(type, readTime);
    case "date":
      return literalConverter(type, readDate);
    case "version":
      return literalConverter(type, readVersion);
    case "money":
      return moneyConverter(type);
    case "enum":
      return enumConverter(type);
    case "list":
    case "set":
      return sequenceConverter(type, root);
    case "map":
      return mapConverter(type, root);
    case "record":
      return recordConverter(type, root);
    default: {
      const convert = converter(type.of, root);
      return (value) => (value === null ? null : convert(value));
    }
  }
}

/**
 * @param {any} value
 * @param {Type} type
 * @param {string} hint
 * @returns {never}
 */
function refuse(value, type, hint = "") {
  throw new Invalid(`${shown(value)} is no ${describe(type)}${hint}`);
}

/**
 * The type as the language writes it.
 * @param {any} type
 * @returns {string}
 */
function describe(type) {
  switch (type.kind) {
    case "optional": {
      const inner = describe(type.of);
      return ["list", "set", "map"].includes(type.of.kind) ? `(${inner})?` : `${inner}?`;
    }
    case "money":
      return `money ${type.currency}`;
    case "enum":
      return type.members
        .map((/** @type {string} */ name) => `"${name}"`)
        .join(type.ordered ? " < " : " | ");
    case "list":
    case "set":
    case "map":
      return `${type.kind} of ${describe(type.of)}`;
    case "record": {
      const fields = type.fields.map(
        (/** @type {any} */ field) => `${field.name}: ${describe(field.type)}`,
      );
      return `{ ${fields.join(", ")} }`;
    }
    default:
      return type.kind;
  }
}

/**
 * A JSON number as the language's decimal; null where it is none or out of bounds.
 * @param {any} value
 */
function exact(value) {
  if (value instanceof Decimal || typeof value === "bigint") return boundedDecimal(decimal(value));
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return boundedDecimal(decimal(String(value))); // the shortest text that means it
}

/**
 * @param {Type} type
 * @param {any} value
 */
function wholeValue(type, value) {
  if (Number.isSafeInteger(value)) return BigInt(value); // what comes most
  const number = exact(value);
  const whole = typeof value === "bigint" ? value : number === null ? null : wholeNumber(number);
  if (whole === null) return refuse(value, type);
  if (whole > MAX_INT || whole < -MAX_INT) {
    return refuse(whole, type, `: whole numbers lie within ±${MAX_INT}`);
  }
  return whole;
}

/**
 * @param {Type} type
 * @param {number} cap
 * @param {any} value
 * @returns {string}
 */
function stringValue(type, cap, value) {
  if (typeof value !== "string") return refuse(value, type);
  const length = textLength(value);
  if (length > cap) {
    throw new Invalid(`the string has ${length} characters, ${cap} is the most`);
  }
  if (!isWellFormed(value)) throw new Invalid("the string holds a lone surrogate");
  if (byteLength(value) > MAX_STRING) throw new Invalid("the string is larger than 64 KiB");
  return value;
}

/**
 * A path in its one form: `/` between segments, no `.` or `..`, below the root.
 * @param {string} text
 * @param {string | null} root itself absolute
 */
function normalPath(text, root) {
  if (text.includes("\0")) throw new Invalid("a path holds no NUL byte");
  let path = text;
  if (path.startsWith("/")) {
    const base = root === null ? null : root.replace(/\/+$/, "");
    if (base === null || !`${path}/`.startsWith(`${base}/`)) {
      throw new Invalid(`\`${text}\` is absolute`);
    }
    path = path.slice(base.length);
  }
  /** @type {string[]} */
  const parts = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) {
        throw new Invalid(`\`${text}\` leads out of the project's root`);
      }
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  if (parts.length > 0) return parts.join("/");
  throw new Invalid(text === "" ? "an empty path names no file" : `\`${text}\` names no file`);
}

/**
 * @param {Type} type
 * @returns {Converter}
 */
function percentConverter(type) {
  const shift = type.unit === "ratio" ? 0 : type.unit === "points" ? -2 : null;
  const convertText = literalConverter(type, withUnit("percent"));
  return (value) => {
    if (typeof value === "string") return convertText(value);
    const number = exact(value);
    if (number === null) return refuse(value, type);
    return shift === null ? refuse(value, type, `: write "${value}%"`) : shifted(number, shift);
  };
}

/**
 * @param {Type} type
 * @returns {Converter}
 */
function quantityConverter(type) {
  const units = type.kind === "duration" ? DURATION_UNITS : SIZE_UNITS;
  const unit = units.get(type.unit ?? "");
  const example = type.kind === "duration" ? "s" : "KB";
  const convertText = literalConverter(type, withUnit(type.kind));
  return (value) => {
    if (typeof value === "string") return convertText(value);
    const number = exact(value);
    if (number === null) return refuse(value, type);
    if (unit === undefined) return refuse(value, type, `: write its unit, "${value}${example}"`);
    return scale(unit, number);
  };
}

/** @param {string} kind */
function withUnit(kind) {
  return (/** @type {string} */ text) => {
    const [found, value] = readSigned(text);
    if (found !== kind) throw new LiteralError(`\`${text}\` is no ${kind}`);
    return value;
  };
}

/**
 * @param {Type} type
 * @param {(text: string) => any} read
 * @returns {Converter}
 */
function literalConverter(type, read) {
  return (value) => {
    if (typeof value !== "string") return refuse(value, type);
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      const hint = error.hint === null ? "" : `, ${error.hint}`;
      return refuse(value, type, `: ${error.message}${hint}`);
    }
  };
}

/**
 * @param {Type} type
 * @returns {Converter}
 */
function moneyConverter(type) {
  const convertText = literalConverter(type, readMoney);
  return (value) => {
    const [amount, currency] = convertText(value);
    return currency === type.currency ? amount : refuse(value, type);
  };
}

/**
 * @param {any} type
 * @returns {Converter}
 */
function enumConverter(type) {
  const members = new Set(type.members);
  return (value) => {
    if (members.has(value)) return value;
    throw new Invalid(`${shown(value)} is none of ${describe(type)}`);
  };
}

/**
 * @param {any} type
 * @param {string | null} root
 * @returns {Converter}
 */
function sequenceConverter(type, root) {
  const convert = converter(type.of, root);
  const cap = type.max ?? MAX_ELEMENTS;
  const order = type.by === undefined ? null : fieldOrder(type.of, type.by);
  return (value) => {
    if (!Array.isArray(value)) return refuse(value, type);
    if (value.length > cap) throw new Invalid(`${value.length} elements, ${cap} is the most`);
    const converted = Array.from(value, (item) => convert(item));
    if (order !== null) converted.sort(order);
    return type.kind === "list" ? converted : new ValueSet(converted);
  };
}

/**
 * The order of records by one of their fields.
 * @param {any} record
 * @param {string} name
 */
function fieldOrder(record, name) {
  const place = record.fields.findIndex((/** @type {any} */ field) => field.name === name);
  const { type } = record.fields[place];
  const rank =
    type.kind === "enum" ? (/** @type {string} */ member) => type.members.indexOf(member) : null;
  return (/** @type {any} */ one, /** @type {any} */ other) =>
    rank === null ? compare(one[place], other[place]) : rank(one[place]) - rank(other[place]);
}

/**
 * @param {any} type
 * @param {string | null} root
 * @returns {Converter}
 */
function mapConverter(type, root) {
  const convert = converter(type.of, root);
  const cap = type.max ?? MAX_ELEMENTS;
  const text = { kind: "string" };
  return (value) => {
    if (!isMapping(value)) return refuse(value, type);
    const entries = entriesOf(value);
    if (entries.length > cap) throw new Invalid(`${entries.length} entries, ${cap} is the most`);
    const result = new ValueMap();
    for (const [key, item] of entries) {
      stringValue(text, MAX_STRING, key);
      try {
        result.set(key, convert(item));
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        result.set(key, new Unknown("invalid", "", error.message));
      }
    }
    return result;
  };
}

/**
 * @param {any} type
 * @param {string | null} root
 * @returns {Converter}
 */
function recordConverter(type, root) {
  /** @type {{ name: string, convert: Converter, isOptional: boolean }[]} */
  const fields = type.fields.map((/** @type {any} */ field) => ({
    name: field.name,
    convert: converter(field.type, root),
    isOptional: field.type.kind === "optional",
  }));
  return (value) => {
    if (!isMapping(value)) return refuse(value, type);
    return fields.map(({ name, convert, isOptional }) => {
      const item = valueUnder(value, name);
      if (item !== undefined) return convert(item);
      if (isOptional) return null;
      throw new Invalid(`the record lacks the field \`${name}\``);
    });
  };
}
