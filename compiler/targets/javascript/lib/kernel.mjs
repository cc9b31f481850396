// What the code of a predicate calls. A predicate is there twice: the straight form is an ordinary
// expression that throws UNDECIDED (or, of a null, a TypeError) where something is not known; the
// three-valued form calls the functions of the second half, which fold unknowns as Kleene's strong
// logic does and keep the reasons.

import {
  UNDECIDED, ceiling, divide, exactSum, halfEven, isZero, magnitude, multiply, plus, unscale,
} from "./decimal.mjs";
import { DAY, MAX_INT, isDay, writeString } from "./literals.mjs";
import { textLength } from "./text.mjs";
import {
  Unknown, ValueMap, ValueSet, compare, elements, equal, isTainted, keyOf, ordered, sizeOf,
} from "./values.mjs";

/** @typedef {import("./decimal.mjs").Decimal} Decimal */
/** @typedef {(...operands: any[]) => any} Test */

/**
 * One leaf that decided: its site in the predicate, what came out, the operands' values, and what
 * variables stood for.
 * @typedef {{ site: number, value: any, operands: any[], bindings: [string, any][] }} Reason
 */

/**
 * True, false or Unknown, and the leaves that decided it.
 * @typedef {{ value: any, because: Reason[] }} Truth
 */

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
  return (where === undefined ? all : all.filter((element) => where(element))).map((element) => value(element));
}

/**
 * @param {any} collection
 * @param {(element: any) => boolean} body
 * @param {(element: any) => boolean} [where]
 */
export function any(collection, body, where) {
  return elements(collection).some((element) => (where === undefined || where(element)) && body(element));
}

/**
 * @param {any} collection
 * @param {(element: any) => boolean} body
 * @param {(element: any) => boolean} [where]
 */
export function all(collection, body, where) {
  return elements(collection).every((element) => (where !== undefined && !where(element)) || body(element));
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

// --- three-valued forms

const MAX_REASONS = 3; // of a quantifier's elements; the rest is a count

/**
 * @param {number} site
 * @param {any} value
 * @param {any[]} operands
 * @param {[string, any][]} bindings
 * @returns {Reason}
 */
function reasonOf(site, value, operands = [], bindings = []) {
  return { site, value, operands, bindings };
}

/**
 * @param {Facts} facts
 * @param {string} key
 */
export function read(facts, key) {
  const value = facts.known.get(key);
  return value === undefined ? (facts.unknown.get(key) ?? new Unknown("missing", key)) : value;
}

/**
 * A value of type bool as a leaf.
 * @param {number} site
 * @param {any} value
 * @returns {Truth}
 */
export function truth(site, value) {
  const sure = orUnknown(value);
  return { value: sure, because: [reasonOf(site, sure)] };
}

/** @param {any} value */
function orUnknown(value) {
  return value === null ? new Unknown("null") : value;
}

/**
 * The first operand that is unknown or null, as an unknown; null where there is none.
 * @param {any[]} operands
 */
function firstUnknown(operands) {
  for (const operand of operands) {
    if (operand === null) return new Unknown("null");
    if (operand instanceof Unknown) return operand;
  }
  return null;
}

/** @param {Truth} result */
export function plain(result) {
  return result.value;
}

/**
 * A comparison or another test of values: unknown where one of them is, or is null.
 * @param {number} site
 * @param {Test} test
 * @param {any[]} operands
 * @returns {Truth}
 */
export function leaf(site, test, ...operands) {
  const value = apply(test, ...operands);
  return { value, because: [reasonOf(site, value, operands)] };
}

const NO_RESULT = "no result within the type's bounds";
/** @type {Map<Test, string>} */
const TROUBLE = new Map([
  /** @type {[Test, string]} */ ([age, "the time lies in the future"]),
  [moveDate, "a date moves by whole days within the calendar"],
  [unscale, "division by zero"],
]);

/**
 * *operation* of the operands; unknown where one is, or is null, or there is no result.
 * @param {Test} operation
 * @param {any[]} operands
 */
export function apply(operation, ...operands) {
  const unknown = firstUnknown(operands);
  if (unknown !== null) return unknown;
  try {
    return operation(...operands);
  } catch (error) {
    if (error !== UNDECIDED) throw error;
    const byZero = operation === divide && isZero(operands[1]);
    const words = byZero ? "division by zero" : (TROUBLE.get(operation) ?? NO_RESULT);
    return new Unknown("invalid", "", words);
  }
}

/**
 * *value* after each of the steps, a function and its second operand, as `apply` does them.
 * @param {any} value
 * @param {[Test, any][]} steps
 */
export function applied(value, steps) {
  return steps.reduce((result, [operation, operand]) => apply(operation, result, operand), value);
}

/**
 * *value* after each of the steps, a function and its second operand.
 * @param {any} value
 * @param {[Test, any][]} steps
 */
export function stepped(value, steps) {
  return steps.reduce((result, [operation, operand]) => operation(result, operand), value);
}

/**
 * Equality of collections; one unknown inside leaves open what nothing else decides.
 * @param {any} left
 * @param {any} right
 */
export function sameContent(left, right) {
  const same = sameOrOpen(left, right);
  if (same === null) throw UNDECIDED;
  return same;
}

/**
 * @param {any} left
 * @param {any} right
 */
export function otherContent(left, right) {
  return !sameContent(left, right);
}

/**
 * @param {any} left
 * @param {any} right
 * @returns {boolean | null}
 */
function sameOrOpen(left, right) {
  if (left instanceof Unknown || right instanceof Unknown) return null;
  /** @type {(boolean | null)[]} */
  let parts;
  if (left instanceof ValueMap) {
    if (left.size !== right.size || [...left.keys()].some((key) => !right.has(key))) return false;
    parts = [...left].map(([key, value]) => sameOrOpen(value, right.get(key)));
  } else if (Array.isArray(left)) {
    if (left.length !== right.length) return false;
    parts = left.map((value, place) => sameOrOpen(value, right[place]));
  } else {
    const same = equal(left, right);
    return !same && (isTainted(left) || isTainted(right)) ? null : same;
  }
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
}

/** @param {any[]} items */
export function gather(...items) {
  return items;
}

/**
 * @param {number} site
 * @param {any} value
 * @param {boolean} isNegated
 * @returns {Truth}
 */
export function isNull(site, value, isNegated) {
  const outcome = value instanceof Unknown ? value : (value === null) !== isNegated;
  return { value: outcome, because: [reasonOf(site, outcome, [value])] };
}

/**
 * @param {any} item
 * @param {any} collection
 */
function containsElement(item, collection) {
  const unknown = firstUnknown([collection]);
  // Of nothing there is no element, whatever is looked for.
  if (unknown === null && sizeOf(collection) === 0) return false;
  const missing = firstUnknown([item]) ?? unknown;
  if (missing !== null) return missing;
  let open = null;
  for (const element of elements(collection)) {
    const same = element === null ? null : sameOrOpen(element, item);
    if (same === true) return true;
    if (element === null) open = new Unknown("null", "", "an element is null");
    else if (element instanceof Unknown) open = element;
    else if (same === null) open = new Unknown("invalid", "", ILL_TYPED);
  }
  return open ?? false;
}

const ILL_TYPED = "an element holds a value of a wrong type";

/**
 * @param {number} site
 * @param {any} item
 * @param {any} collection
 * @returns {Truth}
 */
export function elementLeaf(site, item, collection) {
  const value = containsElement(item, collection);
  return { value, because: [reasonOf(site, value, [item, collection])] };
}

/**
 * @param {any} mapping
 * @param {any} key
 */
export function valueAt(mapping, key) {
  const unknown = firstUnknown([mapping, key]);
  if (unknown !== null) return unknown;
  const value = mapping.get(key);
  if (value !== undefined) return value;
  return new Unknown("missing", "", `the map has no key ${writeString(key)}`);
}

/**
 * @param {any} record
 * @param {number} place
 */
export function field(record, place) {
  return firstUnknown([record]) ?? record[place];
}

/**
 * @param {any} of
 * @param {() => any} fallback
 */
export function firstKnown(of, fallback) {
  return of === null || of instanceof Unknown ? fallback() : of;
}

/**
 * @param {Truth} of
 * @param {() => Truth} fallback
 */
export function firstKnownTruth(of, fallback) {
  return of.value instanceof Unknown ? fallback() : of;
}

/** @param {Truth[]} parts */
export function conjunction(...parts) {
  return fold(false, parts);
}

/** @param {Truth[]} parts */
export function disjunction(...parts) {
  return fold(true, parts);
}

/**
 * `or` where true decides, `and` where false does.
 * @param {boolean} deciding
 * @param {Truth[]} parts
 * @returns {Truth}
 */
function fold(deciding, parts) {
  const deciders = parts.filter((part) => part.value === deciding);
  if (deciders.length > 0) {
    // One witness is enough for `or`; every failed part of an `and` is worth saying.
    return { value: deciding, because: reasonsOf(deciding ? deciders.slice(0, 1) : deciders) };
  }
  const open = parts.filter((part) => part.value instanceof Unknown);
  if (open.length > 0) return { value: open[0].value, because: reasonsOf(open) };
  return { value: !deciding, because: reasonsOf(parts) };
}

/** @param {Truth[]} parts */
function reasonsOf(parts) {
  return parts.flatMap((part) => part.because);
}

/**
 * @param {Truth} of
 * @returns {Truth}
 */
export function negation(of) {
  const value = of.value instanceof Unknown ? of.value : !of.value;
  return { value, because: of.because };
}

/**
 * What a `let` named: the explanation says the name, then what decided.
 * @param {number} site
 * @param {Truth} of
 * @returns {Truth}
 */
export function named(site, of) {
  return { value: of.value, because: [reasonOf(site, of.value), ...of.because] };
}

/**
 * A value by its straight form; by the three-valued one where that cannot decide.
 * @param {Facts} facts
 * @param {() => any} straight
 * @param {() => any} folded
 */
export function quickly(facts, straight, folded) {
  return facts.tainted ? folded() : decided(straight, folded);
}

/**
 * Does the straight form show that the element decides nothing? Then it needs no reasons.
 * @param {((element: any) => boolean) | null} quick
 * @param {any} element
 * @param {boolean} deciding
 */
function passesBy(quick, element, deciding) {
  return quick !== null && decided(() => quick(element) !== deciding, () => false);
}

/**
 * `any`, `all`, `none` and `each`: the fold of the body over the elements that pass `where`.
 * *quick* is the body's straight form, where there is no `where`.
 * @param {number} site
 * @param {string} op
 * @param {string} name of the variable
 * @param {any} domain
 * @param {((element: any) => Truth) | null} where
 * @param {(element: any) => Truth} body
 * @param {((element: any) => boolean) | null} quick
 * @returns {Truth}
 */
export function quantifier(site, op, name, domain, where, body, quick = null) {
  const over = orUnknown(domain);
  if (over instanceof Unknown) return { value: over, because: [reasonOf(site, over, [over])] };
  const deciding = op === "any" || op === "none"; // the body's value that ends the search
  /** @type {Reason[]} */
  const found = [];
  /** @type {Reason[]} */
  const open = [];
  let unknown = null;
  let [count, passed, hits] = [0, 0, 0];
  for (const element of ordered(over)) {
    if (passesBy(quick, element, deciding)) {
      count += 1;
      passed += 1;
      continue;
    }
    const admitted = where === null ? { value: true, because: [] } : where(element);
    if (admitted.value === false) continue;
    count += 1;
    if (admitted.value === true) passed += 1;
    const result = body(element);
    if (result.value !== deciding && !(result.value instanceof Unknown)) continue;
    if (admitted.value === true && result.value === deciding) {
      hits += 1;
      if (hits <= MAX_REASONS) found.push(...bound(result.because, name, element));
      continue;
    }
    const pending = result.value instanceof Unknown ? result : admitted;
    unknown ??= pending.value;
    if (open.length < MAX_REASONS) open.push(...bound(pending.because, name, element));
  }
  const summary = (/** @type {any} */ value) => reasonOf(site, value, [over, count, hits]);
  if (hits > 0) return { value: op === "any", because: [summary(deciding), ...found] };
  if (op === "each" && passed === 0) unknown ??= new Unknown("empty", "", "there is nothing");
  if (unknown !== null) return { value: unknown, because: [summary(unknown), ...open] };
  return { value: op !== "any", because: [summary(op !== "any")] };
}

/**
 * @param {Reason[]} reasons
 * @param {string} name
 * @param {any} element
 * @returns {Reason[]}
 */
function bound(reasons, name, element) {
  return reasons.map((reason) => ({ ...reason, bindings: [...reason.bindings, [name, element]] }));
}

/**
 * The index of this name of a moment's facts, built at the first look-up.
 * @param {Facts} facts
 * @param {string} name
 * @param {any} domain
 * @param {(element: any) => any} key
 */
function indexOf(facts, name, domain, key) {
  const known = facts.indexes.get(name);
  if (known !== undefined) return known;
  /** @type {Index} */
  const made = { elements: new Map(), open: null };
  for (const element of ordered(domain)) {
    const value = orUnknown(key(element));
    if (value instanceof Unknown) made.open ??= [element, value];
    else if (!made.elements.has(keyOf(value))) made.elements.set(keyOf(value), element);
  }
  facts.indexes.set(name, made);
  return made;
}

/**
 * The straight form of a join: is there an element with this key?
 * @param {Facts} facts
 * @param {string} name
 * @param {any} domain
 * @param {(element: any) => any} key
 * @param {any} value
 */
export function lookedUp(facts, name, domain, key, value) {
  const index = indexOf(facts, name, domain, key);
  if (index.elements.has(keyOf(value))) return true;
  if (index.open !== null) throw UNDECIDED;
  return false;
}

/**
 * `any b in ys: b.k == v` and its `none`, over an index.
 * @param {Facts} facts
 * @param {string} name
 * @param {number} site
 * @param {string} op
 * @param {string} variable
 * @param {any} domain
 * @param {(element: any) => any} key
 * @param {any} value
 * @returns {Truth}
 */
export function join(facts, name, site, op, variable, domain, key, value) {
  const over = orUnknown(domain);
  if (over instanceof Unknown) return { value: over, because: [reasonOf(site, over, [over])] };
  const count = sizeOf(over);
  const wanted = orUnknown(value);
  if (count > 0 && wanted instanceof Unknown) {
    return { value: wanted, because: [reasonOf(site, wanted, [over, count, 0])] };
  }
  if (isTainted(over) || isTainted(wanted)) { // ill-typed values inside are not looked up
    return quantifier(site, op, variable, over, null, (element) => ({
      value: apply(sameContent, key(element), wanted),
      because: [],
    }));
  }
  const index = indexOf(facts, name, over, key);
  const found = index.elements.get(keyOf(wanted));
  if (found !== undefined) {
    const reason = reasonOf(site, true, [over, count, 1], [[variable, found]]);
    return { value: op === "any", because: [reason] };
  }
  if (index.open !== null) {
    const [element, unknown] = index.open;
    const reason = reasonOf(site, unknown, [over, count, 0], [[variable, element]]);
    return { value: unknown, because: [reason] };
  }
  const outcome = op !== "any";
  return { value: outcome, because: [reasonOf(site, outcome, [over, count, 0])] };
}

/**
 * *end* of the values; one unknown or null value or condition makes it unknown.
 * @param {Test} end
 * @param {any} domain
 * @param {((element: any) => any) | null} where
 * @param {((element: any) => any) | null} value
 * @param {any[]} rest
 */
export function aggregate(end, domain, where, value, ...rest) {
  const missing = firstUnknown([domain]);
  if (missing !== null) return missing;
  let unknown = null;
  const values = [];
  const counts = end === len || end === frozenset; // these ask of values only what they are
  for (const element of elements(domain)) {
    const admitted = where === null ? true : orUnknown(where(element));
    if (admitted instanceof Unknown) unknown ??= admitted;
    if (admitted !== true) continue;
    let result = value === null ? element : value(element);
    if (result === null && !counts) result = new Unknown("null");
    if (end === frozenset && isTainted(result)) result = new Unknown("invalid", "", ILL_TYPED);
    if (result instanceof Unknown) unknown ??= result;
    values.push(result);
  }
  if (unknown !== null) return unknown;
  try {
    return end(values, ...rest);
  } catch (error) {
    if (error !== UNDECIDED) throw error;
    if (values.length === 0) return new Unknown("empty", "", "there is nothing");
    return new Unknown("invalid", "", NO_RESULT);
  }
}
