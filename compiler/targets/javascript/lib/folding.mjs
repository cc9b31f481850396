// What the three-valued form of a predicate calls: it folds unknowns as Kleene's strong logic does,
// and keeps the reasons.

import { UNDECIDED, divide, isZero, unscale } from "./decimal.mjs";
import { age, decided, frozenset, len, moveDate } from "./kernel.mjs";
import { writeString } from "./literals.mjs";
import {
  Unknown,
  ValueMap,
  equal,
  isTainted,
  keyOf,
  ordered,
  sizeOf,
} from "./values.mjs";

/** @typedef {import("./kernel.mjs").Facts} Facts */
/** @typedef {import("./kernel.mjs").Index} Index */
/** @typedef {import("./kernel.mjs").Test} Test */

/**
 * One leaf that decided: its site in the predicate, what came out, the operands' values, and what
 * variables stood for.
 * @typedef {{ site: number, value: any, operands: any[], bindings: [string, any][] }} Reason
 */

/**
 * True, false or Unknown, and the leaves that decided it.
 * @typedef {{ value: any, because: Reason[] }} Truth
 */

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
  for (const element of ordered(collection)) {
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
export function fieldOf(record, place) {
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
  return (
    quick !== null &&
    element !== null &&
    !(element instanceof Unknown) &&
    decided(
      () => quick(element) !== deciding,
      () => false,
    )
  );
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
  if (isTainted(over) || isTainted(wanted)) {
    // ill-typed values inside are not looked up
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
  for (const element of ordered(domain)) {
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
