// The border where facts enter: each declared fact under its name. Owns what an observation looks
// like: dotted and nested keys, a fact that is said to be unknown, and the keys that nobody
// declared. What a value means is the converters' business.

import { BadFacts, entriesOf, isMapping, shown, valueUnder } from "./json.mjs";
import { Unknown } from "./values.mjs";

const UNKNOWN_KEY = "$unknown";
const REASONS = ["missing", "stale", "null", "skipped", "error", "invalid"];

/**
 * The raw value of each declared fact, and the undeclared keys.
 * @typedef {{ found: Map<string, any>, undeclared: string[] }} Flat
 */

/**
 * The function that finds the facts of these names in nested or dotted keys. It throws BadFacts
 * where a fact is there twice, dotted and nested.
 * @param {string[]} names
 * @returns {(facts: any) => Flat}
 */
export function flattener(names) {
  const declared = new Set(names);
  const prefixes = new Set(
    names.flatMap((name) => [...name.matchAll(/\./g)].map(({ index }) => name.slice(0, index))),
  );
  return (facts) => {
    if (!isMapping(facts)) throw new BadFacts("the facts are a mapping of names to values");
    const found = new Map();
    const undeclared = [];
    const waiting = [{ prefix: "", values: facts }];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      for (const [key, value] of entriesOf(place.values)) {
        if (typeof key !== "string") throw new BadFacts(`the key ${shown(key)} is no string`);
        const name = place.prefix + key;
        if (declared.has(name)) {
          if (found.has(name)) {
            throw new BadFacts(`the fact ${name} is there twice, dotted and nested`);
          }
          found.set(name, value);
        } else if (
          prefixes.has(name) &&
          isMapping(value) &&
          valueUnder(value, UNKNOWN_KEY) === undefined
        ) {
          waiting.push({ prefix: `${name}.`, values: value });
        } else {
          undeclared.push(name);
        }
      }
    }
    return { found, undeclared };
  };
}

/**
 * The unknown that `{"$unknown": "error", "because": "…"}` says, or null.
 * @param {any} value
 */
export function explicitUnknown(value) {
  if (!isMapping(value) || valueUnder(value, UNKNOWN_KEY) === undefined) return null;
  const reason = valueUnder(value, UNKNOWN_KEY);
  const words = valueUnder(value, "because") ?? "";
  const isOdd = entriesOf(value).some(([key]) => key !== UNKNOWN_KEY && key !== "because");
  if (!REASONS.includes(reason) || typeof words !== "string" || isOdd) {
    return new Unknown("invalid", "", `${UNKNOWN_KEY} takes one of ${REASONS.join(", ")}`);
  }
  return new Unknown(reason, "", words);
}

/**
 * The keys inside a value that its records do not have, each with the fields there are.
 * @param {any} type
 * @param {any} value
 * @returns {[string, string[]][]}
 */
export function undeclaredFields(type, value) {
  switch (type.kind) {
    case "optional":
      return undeclaredFields(type.of, value);
    case "list":
    case "set":
      if (!holdsRecord(type.of) || !Array.isArray(value)) return [];
      return value.flatMap((item) => undeclaredFields(type.of, item));
    case "map":
      if (!holdsRecord(type.of) || !isMapping(value)) return [];
      return entriesOf(value).flatMap(([, item]) => undeclaredFields(type.of, item));
    case "record":
      return isMapping(value) ? surplusOf(type.fields, value) : [];
    default:
      return [];
  }
}

/**
 * @param {{ name: string, type: any }[]} fields
 * @param {any} value
 * @returns {[string, string[]][]}
 */
function surplusOf(fields, value) {
  const names = fields.map(({ name }) => name);
  /** @type {[string, string[]][]} */
  const surplus = entriesOf(value)
    .filter(([key]) => !names.includes(key))
    .map(([key]) => [typeof key === "string" ? key : shown(key), names]);
  const inner = fields.flatMap(({ name, type }) => undeclaredFields(type, valueUnder(value, name)));
  return [...surplus, ...inner];
}

/**
 * @param {any} type
 * @returns {boolean}
 */
function holdsRecord(type) {
  return type.kind === "record" || (type.of !== undefined && holdsRecord(type.of));
}
