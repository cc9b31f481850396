// Explanations: what decided a predicate, in one line a person can check against the facts. Made
// from the reasons that the three-valued form kept and the wordings of its sites: the deciding
// leaves with the values they read, e.g. `coverage.line is 83.2%, at start it was 84.1%: 0.9 points
// lower, 0.5 allowed`.

import { absolute, isZero, magnitude, plainDigits, subtract } from "./decimal.mjs";
import { apply, read } from "./folding.mjs";
import {
  spellDuration,
  writeDate,
  writePercent,
  writeSize,
  writeString,
  writeTime,
  writeVersion,
} from "./literals.mjs";
import { firstOf, printable, textLength } from "./text.mjs";
import { Unknown, ValueMap, compare, equal, ordered, sizeOf } from "./values.mjs";

/** @typedef {import("./kernel.mjs").Facts} Facts */
/** @typedef {import("./folding.mjs").Reason} Reason */
/** @typedef {import("./folding.mjs").Truth} Truth */

/**
 * A compiled predicate: *decide* gives true, false or Unknown, *explain* the Truth with its
 * reasons, whose sites are places in *wordings*.
 * @typedef {{ decide: (facts: Facts) => any, explain: (facts: Facts) => Truth, wordings: any[] }}
 *   Predicate
 */

const MAX_LEAVES = 4;
const MAX_SHOWN = 5;
const LONGEST_QUOTED = 60;
const ABSENT = Symbol("absent");

/**
 * Why the predicate came out as it did; *inner* and *progress* are the temporal forms' own.
 * @param {Predicate} predicate
 * @param {Facts} facts
 * @param {Map<string, Predicate>} inner
 * @param {Map<string, string>} progress
 * @returns {string}
 */
export function explain(predicate, facts, inner, progress) {
  const truth = predicate.explain(facts);
  return new Explanation(predicate.wordings, facts, inner, progress).of(truth);
}

class Explanation {
  /**
   * @param {any[]} wordings
   * @param {Facts} facts
   * @param {Map<string, Predicate>} inner
   * @param {Map<string, string>} progress
   */
  constructor(wordings, facts, inner, progress) {
    this.wordings = wordings;
    this.facts = facts;
    this.inner = inner;
    this.progress = progress;
  }

  /** @param {Truth} truth */
  of(truth) {
    const lines = unique(truth.because.map((reason) => this.line(reason))).filter(
      (line) => line !== "",
    );
    const said = lines.slice(0, MAX_LEAVES);
    if (lines.length > MAX_LEAVES) said.push(`and ${lines.length - MAX_LEAVES} more`);
    return said.join("; ") || "it follows from its form";
  }

  /** @param {Reason} reason */
  line(reason) {
    const { form, variables } = this.wordings[reason.site];
    const where = reason.bindings.map(
      ([name, value]) => `${name} = ${show(value, variables?.get(name))}`,
    );
    const prefix = where.length > 0 ? `for ${where.join(", ")}: ` : "";
    return prefix + this.said(form, reason);
  }

  /**
   * @param {any} form
   * @param {Reason} reason
   */
  said(form, reason) {
    switch (form.is) {
      case "let":
        return `${form.name} ${verb(reason.value)}`;
      case "quantifier":
        return this.quantifier(form, reason);
      case "form":
        return this.temporal(form, reason);
      default:
        return this.leaf(form, reason);
    }
  }

  /**
   * @param {any} form
   * @param {Reason} reason
   */
  leaf(form, reason) {
    const change = form.change === undefined ? null : this.change(form.change);
    if (change !== null) return change;
    const bound = new Map(reason.bindings);
    const reads = unique(this.mentions(form.reads, bound));
    if (form.bare && reads.length > 0) return reads.join(", ");
    if (form.computed !== undefined && !(reason.value instanceof Unknown)) {
      return this.computed(form.computed, form.distance, reason, bound);
    }
    let verdict = `${form.text} ${verb(reason.value)}${distanceOf(form.distance, reason)}`;
    if (reason.value instanceof Unknown && reason.value.words !== "") {
      const { words } = reason.value;
      if (!reads.some((text) => text.includes(words))) verdict += ` (${words})`;
    }
    return reads.length > 0 ? `${reads.join(", ")}: ${verdict}` : verdict;
  }

  /**
   * `count(…) is 1: >= 2 does not hold`: a computed left side, with its value.
   * @param {any} computed
   * @param {any} distance
   * @param {Reason} reason
   * @param {Map<string, any>} bound
   */
  computed(computed, distance, reason, bound) {
    const value = show(reason.operands[0], computed.type);
    const said = [`${computed.left} is ${value}`, ...this.mentions(computed.reads, bound)];
    const verdict = `${computed.test} ${verb(reason.value)}${distanceOf(distance, reason)}`;
    const isNamed = computed.counted !== undefined && reason.value === false;
    const counted = isNamed ? this.counted(computed.counted, reason.operands[0]) : "";
    return `${said.join(", ")}: ${verdict}${counted}`;
  }

  /**
   * ` (counted …)`: the first of the elements that a count found. What fails has to be named to
   * be mended.
   * @param {any} counted
   * @param {bigint} count
   */
  counted(counted, count) {
    if (count === 0n) return "";
    if (counted.found === undefined) {
      const reads = this.mentions(counted.reads, new Map()).join(", ");
      return reads === "" ? "" : ` (${reads})`;
    }
    /** @type {Reason[]} */
    const because = counted.found.explain(this.facts).because;
    const found = because.flatMap(({ bindings }) =>
      bindings
        .filter(([name]) => name === counted.var)
        .slice(-1)
        .map(([, element]) => element),
    );
    const shown = distinct(found).map((element) => show(element, counted.type));
    return ` (counted ${shown.join(", ")}${andMore(Number(count), shown.length)})`;
  }

  // --- what was read

  /**
   * `coverage.line is 83.2%` for each.
   * @param {any[] | undefined} mentions
   * @param {Map<string, any>} bound
   * @returns {string[]}
   */
  mentions(mentions = [], bound) {
    return mentions.flatMap((mention) => {
      if (mention.is === "fact") return [this.fact(mention)];
      if (mention.is === "known") {
        const isKnown = this.facts.known.get(mention.key) === true;
        return [`${mention.name} is ${isKnown ? "known" : "unknown"}`];
      }
      const value = this.element(mention.route, bound);
      if (value === ABSENT) return this.mentions(mention.otherwise, bound);
      return [`${mention.text} is ${show(value, mention.type)}`];
    });
  }

  /** @param {any} mention */
  fact({ key, type }) {
    const value = read(this.facts, key);
    if (!(value instanceof Unknown)) return `${key} is ${show(value, type)}`;
    return `${key} is unknown (${value.reason}${afterColon(value.words)})`;
  }

  /**
   * @param {any[]} route
   * @param {Map<string, any>} bound
   * @returns {any}
   */
  element([step, of, rest] = [], bound) {
    switch (step) {
      case "variable":
        return bound.has(of) ? bound.get(of) : ABSENT;
      case "text":
        return of;
      case "fact": {
        const value = read(this.facts, of);
        return value instanceof Unknown ? ABSENT : value;
      }
      case "field": {
        const record = this.element(of, bound);
        return Array.isArray(record) ? record[rest] : ABSENT;
      }
      case "entry": {
        const [mapping, key] = [this.element(of, bound), this.element(rest, bound)];
        return mapping instanceof ValueMap && mapping.has(key) ? mapping.get(key) : ABSENT;
      }
      default:
        return ABSENT;
    }
  }

  // --- forms

  /**
   * @param {any} form
   * @param {Reason} reason
   */
  quantifier({ op, over, reads, where, body }, reason) {
    if (reason.operands[0] instanceof Unknown) return this.mentions(reads, new Map()).join(", ");
    const [domain, count, hits] = reason.operands;
    if (count === 0) {
      return where !== undefined && sizeOf(domain) > 0
        ? `${over} has none where ${where}`
        : `${over} is empty`;
    }
    const matching = where === undefined ? "" : ` where ${where}`;
    if (hits > 0) {
      const isFound = op === "any" || op === "none";
      return `${hits} of ${count} in ${over}${matching}${isFound ? ":" : " fail"} ${body}`;
    }
    if (reason.value instanceof Unknown) {
      const why = `${reason.value.reason}${afterColon(reason.value.words)}`;
      return `${over}${matching} is undecided (${why})`;
    }
    const held = op === "any" || op === "none" ? "none" : "all";
    return `${held} of ${count} in ${over}${matching}: ${body}`;
  }

  /**
   * @param {any} form
   * @param {Reason} reason
   */
  temporal({ key, text }, reason) {
    const words =
      (reason.value instanceof Unknown && reason.value.words) || (this.progress.get(key) ?? "");
    const said = `${text} ${verb(reason.value)}${words === "" ? "" : ` (${words})`}`;
    const inner = this.inner.get(key);
    if (reason.value === true || inner === undefined) return said;
    return `${said}; now: ${explain(inner, this.facts, this.inner, this.progress)}`;
  }

  /**
   * `x >= x at start - 0.5%`: how far x moved, and how far it may.
   * @param {any} change
   */
  change({ key, base, said, type, allowed }) {
    const [then, now] = [read(this.facts, base), read(this.facts, key)];
    if ([then, now].some((value) => value === null || value instanceof Unknown)) return null;
    const moved = gapBetween(now, then);
    if (moved instanceof Unknown) return null;
    const direction = compare(now, then) < 0 ? "lower" : "higher";
    const moves = isZero(moved) ? "no change" : `${difference(moved, type)} ${direction}`;
    const limit =
      allowed === undefined ? "" : `, ${difference(allowed, type).replace(/ points$/, "")} allowed`;
    return `${key} is ${show(now, type)}, ${said} ${show(then, type)}: ${moves}${limit}`;
  }
}

/** @param {string[]} lines */
function unique(lines) {
  return [...new Set(lines)];
}

/** @param {any[]} found */
function distinct(found) {
  return found.filter(
    (element, place) => found.findIndex((other) => equal(element, other)) === place,
  );
}

/** @param {string} words */
function afterColon(words) {
  return words === "" ? "" : `: ${words}`;
}

/**
 * How far a comparison that failed is from holding.
 * @param {any} distance
 * @param {Reason} reason
 */
function distanceOf(distance, reason) {
  if (distance === undefined || reason.value !== false) return "";
  const [left, right] = reason.operands;
  if (left === null || right === null) return "";
  const gap = gapBetween(right, left);
  if (gap instanceof Unknown) return "";
  return isZero(gap) ? ", it is equal" : `, ${difference(gap, distance.type)} ${distance.side}`;
}

/**
 * How far apart two values are.
 * @param {any} one
 * @param {any} other
 */
function gapBetween(one, other) {
  if (typeof one === "bigint" && typeof other === "bigint") return magnitude(one - other);
  return apply(absolute, apply(subtract, one, other));
}

/** @param {any} value */
function verb(value) {
  if (value instanceof Unknown) return "is unknown";
  return value ? "holds" : "does not hold";
}

/**
 * @param {any} value
 * @param {any} type
 */
function difference(value, type) {
  if (type.kind !== "percent") return show(value, type);
  return `${cut(writePercent(value)).slice(0, -1)} points`;
}

/**
 * A value as the language writes it, cut to a short line; hostile characters are escaped.
 * @param {any} value
 * @param {any} declared
 * @returns {string}
 */
function show(value, declared) {
  if (value instanceof Unknown) return `unknown (${value.reason})`;
  if (value === null) return "null";
  const type = declared?.kind === "optional" ? declared.of : declared;
  switch (type?.kind) {
    case "list":
    case "set": {
      const items = ordered(value);
      const shown = items.slice(0, MAX_SHOWN).map((item) => show(item, type.of));
      return several(shown, items.length, "[]");
    }
    case "map": {
      const shown = [...value]
        .slice(0, MAX_SHOWN)
        .map(([key, item]) => `${quotedText(key)}: ${show(item, type.of)}`);
      return several(shown, value.size, "{}");
    }
    case "record": {
      const fields = type.fields.map(
        (/** @type {any} */ field, /** @type {number} */ place) =>
          `${field.name}: ${show(value[place], field.type)}`,
      );
      return several(fields.slice(0, MAX_SHOWN), fields.length, "{}");
    }
    case "money":
      return `${plainDigits(value)} ${type.currency}`;
    case "enum":
    case undefined: // no type is known
      return typeof value === "string" ? quotedText(value) : String(value);
    default:
      return showScalar(value, type.kind);
  }
}

/**
 * @param {any} value
 * @param {string} kind
 */
function showScalar(value, kind) {
  switch (kind) {
    case "bool":
      return value ? "true" : "false";
    case "int":
    case "number":
      return cut(plainDigits(value));
    case "percent":
      return cut(writePercent(value));
    case "duration":
      return spellDuration(value);
    case "size":
      return writeSize(value);
    case "time":
      return writeTime(value);
    case "date":
      return writeDate(value);
    case "version":
      return writeVersion(value);
    default:
      return quotedText(value);
  }
}

/**
 * What a division left behind the point, in six digits that say something: `33.333333…%`.
 * @param {string} number
 */
function cut(number) {
  return number.replace(/(\.0*[1-9][0-9]{5})[0-9]{2,}/, "$1…");
}

/** @param {string} text */
function quotedText(text) {
  const isShort = textLength(text) <= LONGEST_QUOTED;
  return printable(writeString(isShort ? text : `${firstOf(text, LONGEST_QUOTED - 3)}…`));
}

/**
 * @param {string[]} shown
 * @param {number} count
 * @param {string} brackets
 */
function several(shown, count, brackets) {
  return brackets[0] + shown.join(", ") + andMore(count, shown.length) + brackets[1];
}

/**
 * @param {number} count
 * @param {number} shown
 */
function andMore(count, shown) {
  return count > shown ? `, and ${count - shown} more` : "";
}
