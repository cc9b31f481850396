// Notes: what is said of facts that entered badly.

import { writeString } from "./literals.mjs";
import { nearest } from "./text.mjs";
import { Unknown, ValueMap, ValueSet } from "./values.mjs";

/**
 * A fact that entered badly: *kind* is invalid, undeclared or clamped.
 * @typedef {{ kind: string, fact: string, message: string }} Note
 */

/**
 * @param {string} kind
 * @param {string} fact
 * @param {string} message
 * @returns {Note}
 */
export function noteOf(kind, fact, message) {
  return { kind, fact, message };
}

/**
 * @param {string} name
 * @param {Iterable<string>} known
 */
export function hintOf(name, known) {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean ${near}?`;
}

/**
 * A note for each key that the records of a fact do not have, once.
 * @param {string} name
 * @param {[string, string[]][]} surplus
 */
export function surplusNotes(name, surplus) {
  const once = new Map([...surplus].reverse());
  const keys = [...new Set(surplus.map(([key]) => key))];
  return keys.map((key) => {
    const hint = hintOf(key, once.get(key) ?? []);
    return noteOf("undeclared", name, `${name}: its records have no field ${key}${hint}`);
  });
}

/**
 * The places of the ill-typed values in maps, each with what is wrong.
 * @param {any} type
 * @param {any} value
 */
export function illTypedPlaces(type, value) {
  return holdsMap(type) ? illTyped(value) : [];
}

/**
 * @param {any} type
 * @returns {boolean}
 */
function holdsMap({ kind, of, fields = [] }) {
  if (kind === "map" || (of !== undefined && holdsMap(of))) return true;
  return fields.some((/** @type {any} */ field) => holdsMap(field.type));
}

/**
 * @param {any} value
 * @returns {string[]}
 */
function illTyped(value) {
  if (value instanceof ValueMap) {
    return [...value].flatMap(([key, item]) => {
      const place = `[${writeString(key)}]`;
      if (item instanceof Unknown) return [`${place}: ${item.words}`];
      return illTyped(item).map((inner) => place + inner);
    });
  }
  const items = value instanceof ValueSet ? value.values() : Array.isArray(value) ? value : [];
  return items.flatMap(illTyped);
}
