// Texts as sequences of code points, as the language counts and orders them; JavaScript counts and
// orders them by UTF-16. And the nearest of some names, for hints.

const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** @param {string} text */
export function textLength(text) {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

/**
 * The first code points of a text.
 * @param {string} text
 * @param {number} count
 */
export function firstOf(text, count) {
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join("");
}

/**
 * Is every surrogate of the text one of a pair?
 * @param {string} text
 */
export function isWellFormed(text) {
  return !LONE_SURROGATE.test(text);
}

/**
 * How many bytes the text has in UTF-8.
 * @param {string} text
 */
export function byteLength(text) {
  let bytes = text.length;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    // Each half of a pair counts two of the four bytes.
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/**
 * Below zero, zero or above, by code points.
 * @param {string} left
 * @param {string} right
 */
export function compareTexts(left, right) {
  const end = Math.min(left.length, right.length);
  let place = 0;
  while (place < end && left.charCodeAt(place) === right.charCodeAt(place)) place += 1;
  if (place === end) return left.length - right.length;
  return rankOf(left.charCodeAt(place)) - rankOf(right.charCodeAt(place));
}

/**
 * Where a code unit stands among code points: surrogates stand for those beyond all the others.
 * @param {number} unit
 */
function rankOf(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * The text with each character that would not show as itself escaped.
 * @param {string} text
 */
export function printable(text) {
  return text.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

// --- the nearest name

const CUTOFF = 0.6;
const MOST_NAMES = 2_000; // the comparison is quadratic
const LONGEST_NAME = 200;

/**
 * The known name closest to *name*, if one is close enough to be meant.
 * @param {string} name
 * @param {Iterable<string>} known
 */
export function nearest(name, known) {
  const names = [...known].sort(compareTexts);
  if (names.length > MOST_NAMES || textLength(name) > LONGEST_NAME) return null;
  const wanted = Array.from(name);
  /** @type {[number, string | null]} */
  let best = [CUTOFF, null];
  for (const candidate of names) {
    const ratio = likeness(Array.from(candidate), wanted);
    if (ratio >= best[0]) best = [ratio, candidate];
  }
  if (best[1] !== null) return best[1];
  return names.filter((candidate) => folded(candidate) === folded(name)).pop() ?? null;
}

/** @param {string} name */
function folded(name) {
  return name.toLowerCase().replaceAll("_", "-");
}

/**
 * Twice the characters of all matching blocks by the length of both: the longest common block
 * first, then the same to either side of it.
 * @param {string[]} one
 * @param {string[]} other
 */
function likeness(one, other) {
  let matches = 0;
  const waiting = [[0, one.length, 0, other.length]];
  for (let sides = waiting.pop(); sides !== undefined; sides = waiting.pop()) {
    const [low, high, otherLow, otherHigh] = sides;
    const [start, otherStart, size] = longestBlock(one, low, high, other, otherLow, otherHigh);
    if (size === 0) continue;
    matches += size;
    waiting.push([low, start, otherLow, otherStart]);
    waiting.push([start + size, high, otherStart + size, otherHigh]);
  }
  const length = one.length + other.length;
  return length === 0 ? 1 : (2 * matches) / length;
}

/**
 * The longest common block, the first of those.
 * @param {string[]} one
 * @param {number} low
 * @param {number} high
 * @param {string[]} other
 * @param {number} otherLow
 * @param {number} otherHigh
 */
function longestBlock(one, low, high, other, otherLow, otherHigh) {
  let [start, otherStart, size] = [low, otherLow, 0];
  let above = new Map(); // how long a block ends at each place, in the line above
  for (let i = low; i < high; i += 1) {
    const line = new Map();
    for (let j = otherLow; j < otherHigh; j += 1) {
      if (one[i] !== other[j]) continue;
      const length = (above.get(j - 1) ?? 0) + 1;
      line.set(j, length);
      if (length > size) [start, otherStart, size] = [i - length + 1, j - length + 1, length];
    }
    above = line;
  }
  return [start, otherStart, size];
}
