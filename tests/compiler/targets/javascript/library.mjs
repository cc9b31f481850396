// Asks rooms of the library one thing a line, ["what", argument, …] in and a plain answer out, so
// that the tests can hold it to Python's.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const rooms = ["conversion", "decimal", "json", "literals", "notes", "patterns", "text", "values"];
const loaded = await Promise.all(rooms.map((name) => import(pathToFileURL(`${folder}/${name}.mjs`))));
const lib = Object.assign({}, ...loaded);

const asked = {
  read: (reader, text) => plain(lib[reader](text)),
  write: (writer, value) => lib[writer](exact(value)),
  spell: (text) => lib.plainDigits(lib.decimal(text)),
  compute: (operation, ...operands) => plain(lib[operation](...operands.map(exact))),
  matches: (instructions, texts) => texts.map(lib.matcher(instructions)),
  nearest: (name, known) => lib.nearest(name, known),
  parse: (text) => plain(lib.parse(text)),
  convert: (fact, text, root) => {
    const type = fact.bounds === undefined ? fact : { ...fact, bounds: bounds(fact.bounds) };
    return plain(lib.factConverter(type, root)(lib.parse(text)));
  },
  compareTexts: (one, other) => Math.sign(lib.compareTexts(one, other)),
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [what, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(answer(() => asked[what](...rest))));
}

function answer(ask) {
  try {
    return { is: ask() };
  } catch (error) {
    if (error === lib.UNDECIDED) return { undecided: true };
    return { error: error.message, hint: error.hint ?? null };
  }
}

// A number is written "5n" where it is whole, "5" where it is a decimal.
function exact(text) {
  return text.endsWith("n") ? BigInt(text.slice(0, -1)) : lib.decimal(text);
}

function bounds({ low, high, text }) {
  const ends = { low, high };
  for (const end of ["low", "high"]) if (ends[end] !== undefined) ends[end] = exact(ends[end]);
  return { ...ends, text };
}

function plain(value) {
  if (typeof value === "bigint") return { whole: String(value) };
  if (value instanceof lib.Decimal) return { decimal: lib.plainDigits(value) };
  if (value instanceof lib.BadNumber) return { bad: value.text };
  if (value instanceof lib.Unknown) return { unknown: value.reason, words: value.words };
  if (value instanceof lib.ValueSet) return { set: value.values().map(plain) };
  if (value instanceof Map) return { map: [...value].map(([key, item]) => [key, plain(item)]) };
  return Array.isArray(value) ? value.map(plain) : value;
}
