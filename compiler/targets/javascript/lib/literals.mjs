// The literals of the language: what `90m`, `0.5%`, `10MiB` or `v1.4.0-rc.1` mean, and how values
// are written. Durations and times are whole nanoseconds, sizes bytes, dates a number of days, all
// BigInt; a version is a tuple that orders as Semantic Versioning does.

import {
  Decimal,
  decimal,
  digitCount,
  magnitude,
  multiply,
  plainDigits,
  shifted,
  trimmed,
  wholeNumber,
} from "./decimal.mjs";
import { textLength } from "./text.mjs";

export const MAX_INT = 2n ** 53n - 1n;
const MAX_DIGITS = 34;
export const MAX_EXPONENT = 308;
export const DAY = 86_400n * 10n ** 9n;
const LAST_DAY = 3_652_059n; // 9999-12-31
const EPOCH = 719_163n; // 1970-01-01

// Largest first: a joined duration is written in this order.
/** @type {Map<string, bigint>} */
export const DURATION_UNITS = new Map([
  ["w", 7n * DAY],
  ["d", DAY],
  ["h", 3_600n * 10n ** 9n],
  ["m", 60n * 10n ** 9n],
  ["s", 10n ** 9n],
  ["ms", 10n ** 6n],
  ["us", 10n ** 3n],
  ["ns", 1n],
]);
/** @type {Map<string, bigint>} */
export const SIZE_UNITS = new Map([
  ["B", 1n],
  ["KB", 10n ** 3n],
  ["KiB", 2n ** 10n],
  ["MB", 10n ** 6n],
  ["MiB", 2n ** 20n],
  ["GB", 10n ** 9n],
  ["GiB", 2n ** 30n],
  ["TB", 10n ** 12n],
  ["TiB", 2n ** 40n],
]);
const MULTIPLIERS = new Map([
  ["k", 1_000n],
  ["M", 1_000_000n],
]);

// What people write from habit, and how the language writes it.
const FOREIGN_UNITS = new Map(
  Object.entries({
    sec: "s",
    secs: "s",
    second: "s",
    seconds: "s",
    min: "m",
    mins: "m",
    minute: "m",
    minutes: "m",
    hr: "h",
    hrs: "h",
    hour: "h",
    hours: "h",
    day: "d",
    days: "d",
    week: "w",
    weeks: "w",
    msec: "ms",
    millis: "ms",
    K: "k",
    b: "B",
    kb: "KB",
    kB: "KB",
    mb: "MB",
    gb: "GB",
    kib: "KiB",
    mib: "MiB",
    gib: "GiB",
    pp: "%",
    pct: "%",
    percent: "%",
  }),
);

/** A text that is no literal: what is wrong, and what to write instead. */
export class LiteralError extends Error {
  /**
   * @param {string} message
   * @param {string | null} hint
   */
  constructor(message, hint = null) {
    super(message);
    this.hint = hint;
  }
}

// --- quantities

/**
 * The kind and value of a quantity, which may have a minus sign. Throws LiteralError.
 * @param {string} text
 * @returns {[string, import("./decimal.mjs").Exact]}
 */
export function readSigned(text) {
  if (!text.startsWith("-")) return readQuantity(text);
  const [kind, value] = readQuantity(text.slice(1));
  if (typeof value === "bigint") return [kind, -value];
  return [kind, new Decimal(-value.coefficient, value.exponent)];
}

/**
 * @param {string} text
 * @returns {[string, import("./decimal.mjs").Exact]}
 */
function readQuantity(text) {
  if (textLength(text) > 400) {
    throw new LiteralError("the number is longer than any value of the language");
  }
  const match = /^([0-9][0-9_]*(?:\.[0-9][0-9_]*)?)([A-Za-z%]*)$/.exec(text);
  if (match === null) {
    if (/^(?:[0-9][0-9_]*[a-z]+){2,}$/.test(text) && !text.startsWith("0x")) {
      return ["duration", joinedDuration(text)];
    }
    throw malformed(text);
  }
  const [, digits, unit] = match;
  const number = readNumber(digits);
  const isWhole = !digits.includes(".");
  if (unit === "") return isWhole ? ["int", wholeInt(number)] : ["number", number];
  const factor = MULTIPLIERS.get(unit);
  if (factor !== undefined) {
    const product = multiply(number, factor);
    if (isWhole) return ["int", wholeInt(product)];
    const message = `\`${unit}\` multiplies a whole number`;
    throw new LiteralError(message, `write \`${plainDigits(product)}\``);
  }
  if (unit === "%") return ["percent", shifted(number, -2)];
  const span = DURATION_UNITS.get(unit);
  if (span !== undefined) return ["duration", wholeUnits(number, span, "nanoseconds")];
  const size = SIZE_UNITS.get(unit);
  if (size !== undefined) return ["size", wholeUnits(number, size, "bytes")];
  throw unknownUnit(digits, unit);
}

/**
 * @param {string} digits
 * @param {string} unit
 */
function unknownUnit(digits, unit) {
  if (/^[A-Z]{3}$/.test(unit)) {
    const hint = `write \`${digits} ${unit}\``;
    return new LiteralError("money has a space before its currency", hint);
  }
  const meant = FOREIGN_UNITS.get(unit);
  if (meant !== undefined) {
    return new LiteralError(`unknown unit \`${unit}\``, `write \`${digits}${meant}\``);
  }
  const durations = [...DURATION_UNITS.keys()].join(" ");
  const sizes = [...SIZE_UNITS.keys()].join(" ");
  return new LiteralError(
    `unknown unit \`${unit}\``,
    `units are % for percent, ${durations} for durations, ${sizes} for sizes, ` +
      "k and M for whole numbers",
  );
}

/** @param {string} digits */
function readNumber(digits) {
  if (!digits.includes("_")) return checkedDecimal(digits);
  if (digits.endsWith("_") || /__|_\.|\._/.test(digits)) {
    throw new LiteralError("`_` stands between two digits", "write 1_000");
  }
  return checkedDecimal(digits.replaceAll("_", ""));
}

/**
 * The decimal that digits spell, within the language's bounds. Throws LiteralError.
 * @param {string} text
 */
function checkedDecimal(text) {
  const number = trimmed(decimal(text));
  if (Math.abs(number.adjusted) > MAX_EXPONENT) {
    throw new LiteralError(`the exponent is beyond ±${MAX_EXPONENT}`);
  }
  if (digitCount(number.coefficient) > MAX_DIGITS) {
    throw new LiteralError(`a number has at most ${MAX_DIGITS} digits`);
  }
  return number;
}

/**
 * A number as the language holds it, without trailing zeros; null where it is beyond its bounds.
 * @param {Decimal} number
 */
export function boundedDecimal(number) {
  if (number.coefficient === 0n) return new Decimal(0n, 0);
  if (Math.abs(number.adjusted) > MAX_EXPONENT) return null;
  const short = trimmed(number);
  return digitCount(short.coefficient) > MAX_DIGITS ? null : short;
}

/** @param {Decimal} number */
function wholeInt(number) {
  const value = wholeNumber(number);
  if (value === null || magnitude(value) > MAX_INT) {
    const most = MAX_INT.toString().replace(/\B(?=(?:\d{3})+$)/g, "_");
    throw new LiteralError(`a whole number lies within ±${most}`, "write a `number`: `1.0`");
  }
  return value;
}

/**
 * @param {Decimal} number
 * @param {bigint} unit
 * @param {string} name
 */
function wholeUnits(number, unit, name) {
  const value = wholeNumber(new Decimal(number.coefficient * unit, number.exponent));
  if (value === null) throw new LiteralError(`the value is not a whole number of ${name}`);
  return value;
}

/** @param {string} text */
function joinedDuration(text) {
  const order = [...DURATION_UNITS.keys()];
  let [total, last] = [0n, -1];
  for (const [, digits, unit] of text.matchAll(/([0-9][0-9_]*)([a-z]+)/g)) {
    const place = order.indexOf(unit);
    if (place < 0) {
      const hint = `units are ${order.join(" ")}`;
      throw new LiteralError(`unknown unit \`${unit}\` in a duration`, hint);
    }
    if (place <= last) {
      const message = "a joined duration goes from the largest unit to the smallest";
      throw new LiteralError(message, "write `1h30m`");
    }
    last = place;
    const count = wholeNumber(readNumber(digits)) ?? 0n;
    total += count * (DURATION_UNITS.get(unit) ?? 0n);
  }
  return total;
}

/** @param {string} text */
function malformed(text) {
  if (/^[0-9]+(?:\.[0-9]+){2,}$/.test(text)) {
    return new LiteralError(`\`${text}\` is not a number`, `a version begins with v: \`v${text}\``);
  }
  if (/^[0-9.]+[eE][0-9]+$/.test(text)) {
    const hint = "write the digits out; `k` and `M` multiply whole numbers";
    return new LiteralError("numbers have no exponent", hint);
  }
  if (/^0[xXbBoO][0-9A-Za-z_]+$/.test(text)) {
    return new LiteralError(`\`${text}\` is not a number`, "there are decimal numbers only");
  }
  if (/^[0-9][0-9.]*[dhms][0-9][0-9A-Za-z_.]*$/.test(text)) {
    const hint = "each part is a whole number and its unit: `1h30m`";
    return new LiteralError(`\`${text}\` is not a duration`, hint);
  }
  const hint = "write `1_000`, `12.5`, `85%`, `10m`, `64KB`";
  return new LiteralError(`\`${text}\` is not a number`, hint);
}

// --- money, times, dates, versions

/**
 * Amount and currency of `5.00 USD`. Throws LiteralError.
 * @param {string} text
 * @returns {[Decimal, string]}
 */
export function readMoney(text) {
  const match = /^(-?)([0-9][0-9_]*(?:\.[0-9][0-9_]*)?)[ \t]+([A-Z]{3})$/.exec(text);
  if (match === null) throw new LiteralError(`\`${text}\` is not money`, "write `5.00 USD`");
  const amount = readNumber(match[2]);
  const signed = match[1] ? new Decimal(-amount.coefficient, amount.exponent) : amount;
  return [signed, match[3]];
}

const TIME =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/**
 * Nanoseconds since 1970-01-01T00:00Z of an RFC 3339 time; seconds may be left out. Throws
 * LiteralError.
 * @param {string} text
 */
export function readTime(text) {
  const match = TIME.exec(text);
  if (match === null) {
    if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:.]+$/.test(text)) {
      throw new LiteralError("a time carries its offset", "add `Z` or `+02:00`");
    }
    throw new LiteralError(`\`${text}\` is not a time`, "write `2026-12-31T18:00Z`");
  }
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone] = match;
  const days = ordinal(year, month, day) - EPOCH;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    const hint = "hours go to 23, minutes and seconds to 59 (no leap second)";
    throw new LiteralError(`\`${text}\` is not a time`, hint);
  }
  if (fraction.length > 9) {
    throw new LiteralError("a time has at most 9 digits after the second");
  }
  const minutes = Number(hour) * 60 + Number(minute) - offset(zone);
  const seconds = BigInt(minutes * 60 + Number(second));
  return days * DAY + seconds * 10n ** 9n + BigInt(fraction.padEnd(9, "0"));
}

/**
 * The minutes of `+02:00`.
 * @param {string} zone
 */
function offset(zone) {
  if (zone === "Z" || zone === "z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) {
    throw new LiteralError(`\`${zone}\` is not an offset`, "write `Z` or `+02:00`");
  }
  return (hours * 60 + minutes) * (zone[0] === "-" ? -1 : 1);
}

/**
 * The day of `2026-12-31`. Throws LiteralError.
 * @param {string} text
 */
export function readDate(text) {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) throw new LiteralError(`\`${text}\` is not a date`, "write `2026-12-31`");
  return ordinal(match[1], match[2], match[3]);
}

/**
 * @param {string} year
 * @param {string} month
 * @param {string} day
 */
function ordinal(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (
    year === "0000" ||
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day)
  ) {
    throw new LiteralError(`\`${year}-${month}-${day}\` is no day of the calendar`);
  }
  return BigInt(date.getTime() / 86_400_000) + EPOCH;
}

/**
 * Is there a day of this number in the calendar?
 * @param {bigint} day
 */
export function isDay(day) {
  return day >= 1n && day <= LAST_DAY;
}

const VERSION =
  /^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * A tuple that orders as Semantic Versioning 2.0.0 does; build metadata does not count. Throws
 * LiteralError.
 * @param {string} text
 */
export function readVersion(text) {
  const match = VERSION.exec(text);
  if (match === null || text.length > 256) {
    const message = `\`${text}\` is not a semantic version`;
    throw new LiteralError(message, "write `v1.4.0` or `v2.0.0-rc.1`");
  }
  const release = [BigInt(match[1]), BigInt(match[2]), BigInt(match[3])];
  // A release comes after each of its pre-releases.
  if (match[4] === undefined) return [...release, [[2n, 0n]]];
  return [...release, match[4].split(".").map(preRelease)];
}

/** @param {string} part */
function preRelease(part) {
  if (!/^[0-9]+$/.test(part)) return [1n, part];
  if (part !== "0" && part.startsWith("0")) {
    throw new LiteralError(`\`${part}\` in a pre-release has a leading zero`);
  }
  return [0n, BigInt(part)];
}

// --- canonical texts

/** @param {import("./decimal.mjs").Exact} value */
export function writePercent(value) {
  const number = decimal(value);
  return `${plainDigits(new Decimal(number.coefficient, number.exponent + 2))}%`;
}

/**
 * One number and the largest unit up to days that divides the duration: `90m`, `14d`.
 * @param {bigint} value
 */
export function writeDuration(value) {
  for (const [unit, factor] of DURATION_UNITS) {
    if (unit !== "w" && value !== 0n && value % factor === 0n) return `${value / factor}${unit}`;
  }
  return "0s";
}

/**
 * A duration for readers, who do not say `1447m` but `1d7m`.
 * @param {bigint} value
 */
export function spellDuration(value) {
  const hour = 3_600n * 10n ** 9n;
  if (magnitude(value) < hour) return writeDuration(value);
  let said = value < 0n ? "-" : "";
  let rest = magnitude(value);
  for (const unit of ["d", "h", "m"]) {
    const factor = DURATION_UNITS.get(unit) ?? 1n;
    const count = rest / factor;
    rest %= factor;
    if (count !== 0n) said += `${count}${unit}`;
  }
  return said + (rest === 0n ? "" : writeDuration(rest));
}

/**
 * The shortest whole number and its unit: `64KB`, `10MiB`.
 * @param {bigint} value
 */
export function writeSize(value) {
  if (value === 0n) return "0B";
  let [count, shortest] = [magnitude(value), "B"];
  for (const [unit, factor] of SIZE_UNITS) {
    const candidate = magnitude(value) / factor;
    if (value % factor === 0n && candidate < count) [count, shortest] = [candidate, unit];
  }
  return `${value < 0n ? "-" : ""}${count}${shortest}`;
}

/**
 * RFC 3339 in UTC, without a fraction that is zero.
 * @param {bigint} value
 */
export function writeTime(value) {
  const rest = ((value % DAY) + DAY) % DAY;
  const days = (value - rest) / DAY;
  const nanoseconds = rest % 10n ** 9n;
  const seconds = Number(rest / 10n ** 9n);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  let fraction = nanoseconds === 0n ? "" : `.${String(nanoseconds).padStart(9, "0")}`;
  while (fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  return `${writeDate(days + EPOCH)}T${clock}${fraction}Z`;
}

/** @param {bigint} value */
export function writeDate(value) {
  if (!isDay(value)) return `day ${value}`;
  return new Date(Number(value - EPOCH) * 86_400_000).toISOString().slice(0, 10);
}

/** @param {any[]} version */
export function writeVersion([major, minor, patch, pre]) {
  const release = `v${major}.${minor}.${patch}`;
  if (pre[0][0] === 2n) return release;
  return `${release}-${pre.map((/** @type {any[]} */ [, part]) => String(part)).join(".")}`;
}

/**
 * A text as a string literal on one line.
 * @param {string} text
 */
export function writeString(text) {
  const escaped = text.replace(/["\\\n\t\x00-\x1f\x7f-\x9f]/g, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    if (char === "\n") return "\\n";
    return char === "\t" ? "\\t" : `\\u{${char.charCodeAt(0).toString(16)}}`;
  });
  return `"${escaped}"`;
}
