// Ship it. Really: */ \u27e6\u202e\u27e7
//
// Made by goalspec 0.1.0: target javascript, goal ship-it, contract c1:87c36beb694c5f868e143e4d7dfcfcc0d6c729f3615638641f45a35861799ab8
//
// What stands first is goalspec's library; below the line of dashes are the goal, and what a host
// calls: `check` and `Monitor`. Do not edit: compile the goal file again.

// --------------------------------------------------------------------------------------- the goal

export const GOAL = "ship-it";
export const CONTRACT = "c1:87c36beb694c5f868e143e4d7dfcfcc0d6c729f3615638641f45a35861799ab8";

// suite.passed
const explain_0 = (F) => truth(0, read(F, "suite.passed"));
const decide_0 = (F) => decided(() => at(F, "suite.passed"), () => explain_0(F).value);

const PREDICATE_0 = {
  decide: decide_0,
  explain: explain_0,
  wordings: [
    {
      form: {
        is: "leaf",
        text: "suite.passed",
        reads: [{ is: "fact", key: "suite.passed", type: { kind: "bool" } }],
        bare: true,
      },
    },
  ],
};

// suite.passed for 2 runs
const explain_1 = (F) => truth(0, read(F, "1:b97811132b861011f7547f11989d868ee52be5d28f2d5cdf1971f717abf13e78"));
const decide_1 = (F) => decided(() => at(F, "1:b97811132b861011f7547f11989d868ee52be5d28f2d5cdf1971f717abf13e78"), () => explain_1(F).value);

const PREDICATE_1 = {
  decide: decide_1,
  explain: explain_1,
  wordings: [
    {
      form: {
        is: "form",
        key: "1:b97811132b861011f7547f11989d868ee52be5d28f2d5cdf1971f717abf13e78",
        text: "suite.passed for 2 runs",
      },
    },
  ],
};

// coverage.line >= coverage.line at start - 0.5%
const K0_2 = decimal("0.005");
const explain_2 = (F) => leaf(0, (v_x, v_y) => (compare(v_x, v_y) >= 0), read(F, "coverage.line"), apply(subtract, read(F, "coverage.line at start"), K0_2));
const decide_2 = (F) => decided(() => (compare(at(F, "coverage.line"), subtract(at(F, "coverage.line at start"), K0_2)) >= 0), () => explain_2(F).value);

const PREDICATE_2 = {
  decide: decide_2,
  explain: explain_2,
  wordings: [
    {
      form: {
        is: "leaf",
        text: "coverage.line >= coverage.line at start - 0.5%",
        reads: [
          { is: "fact", key: "coverage.line", type: { kind: "percent", unit: "ratio" } },
          { is: "fact", key: "coverage.line at start", type: { kind: "percent", unit: "ratio" } },
        ],
        change: {
          key: "coverage.line",
          base: "coverage.line at start",
          said: "at start it was",
          type: { kind: "percent", unit: "ratio" },
          allowed: decimal("0.005"),
        },
        distance: { type: { kind: "percent", unit: "ratio" }, side: "short" },
      },
    },
  ],
};

const TYPE_0 = {
  kind: "enum",
  members: ["success", "failure"],
};

const TYPE_1 = {
  kind: "map",
  of: TYPE_0,
};

// all c in ci.checks: ci.checks[c] == \"success\"
const explain_3 = (F) => quantifier(0, "all", "c", read(F, "ci.checks"), null, (v_c) => leaf(1, (v_x, v_y) => (equal(v_x, v_y)), valueAt(read(F, "ci.checks"), v_c), "success"), (F.tainted ? null : (v_c) => (equal(at(at(F, "ci.checks"), v_c), "success"))));
const decide_3 = (F) => decided(() => all(at(F, "ci.checks"), (v_c) => (equal(at(at(F, "ci.checks"), v_c), "success"))), () => explain_3(F).value);

const PREDICATE_3 = {
  decide: decide_3,
  explain: explain_3,
  wordings: [
    {
      form: {
        is: "quantifier",
        op: "all",
        over: "ci.checks",
        reads: [{ is: "fact", key: "ci.checks", type: TYPE_1 }],
        body: "ci.checks[c] == \"success\"",
      },
    },
    {
      form: {
        is: "leaf",
        text: "ci.checks[c] == \"success\"",
        reads: [
          {
            is: "element",
            text: "ci.checks[c]",
            type: TYPE_0,
            route: ["entry", ["fact", "ci.checks"], ["variable", "c"]],
            otherwise: [{ is: "fact", key: "ci.checks", type: TYPE_1 }],
          },
        ],
      },
      variables: new Map([["c", { kind: "string" }]]),
    },
  ],
};

const TYPE_2 = {
  kind: "optional",
  of: { kind: "string" },
};

const TYPE_3 = {
  kind: "record",
  fields: [
    { name: "author", type: { kind: "string" } },
    { name: "at", type: { kind: "time" } },
    { name: "note", type: TYPE_2 },
  ],
};

const TYPE_4 = {
  kind: "list",
  of: TYPE_3,
};

// any r in reviews: r.note != null
const explain_5 = (F) => quantifier(0, "any", "r", read(F, "reviews"), null, (v_r) => isNull(1, fieldOf(v_r, 2), true), (F.tainted ? null : (v_r) => (v_r[2] !== null)));
const decide_5 = (F) => decided(() => any(at(F, "reviews"), (v_r) => (v_r[2] !== null)), () => explain_5(F).value);

const PREDICATE_5 = {
  decide: decide_5,
  explain: explain_5,
  wordings: [
    {
      form: {
        is: "quantifier",
        op: "any",
        over: "reviews",
        reads: [{ is: "fact", key: "reviews", type: TYPE_4 }],
        body: "r.note != null",
      },
    },
    {
      form: {
        is: "leaf",
        text: "r.note != null",
        reads: [
          { is: "element", text: "r.note", type: TYPE_2, route: ["field", ["variable", "r"], 2] },
        ],
      },
      variables: new Map([["r", TYPE_3]]),
    },
  ],
};

// count(r in reviews where r.note != null) >= 2
const explain_4 = (F) => leaf(0, (v_x, v_y) => (compare(v_x, v_y) >= 0), quickly(F, () => len(collected(at(F, "reviews"), (v_r) => true, (v_r) => (v_r[2] !== null))), () => aggregate(len, read(F, "reviews"), (v_r) => plain(isNull(1, fieldOf(v_r, 2), true)), null)), 2n);
const decide_4 = (F) => decided(() => (compare(len(collected(at(F, "reviews"), (v_r) => true, (v_r) => (v_r[2] !== null))), 2n) >= 0), () => explain_4(F).value);

const PREDICATE_4 = {
  decide: decide_4,
  explain: explain_4,
  wordings: [
    {
      form: {
        is: "leaf",
        text: "count(r in reviews where r.note != null) >= 2",
        reads: [{ is: "fact", key: "reviews", type: TYPE_4 }],
        computed: {
          left: "count(r in reviews where r.note != null)",
          type: { kind: "int" },
          test: ">= 2",
          counted: { found: PREDICATE_5, var: "r", type: TYPE_3 },
        },
        distance: { type: { kind: "int" }, side: "short" },
      },
    },
    {
      form: {
        is: "leaf",
        text: "r.note != null",
        reads: [
          { is: "element", text: "r.note", type: TYPE_2, route: ["field", ["variable", "r"], 2] },
        ],
      },
      variables: new Map([["r", TYPE_3]]),
    },
  ],
};

const TYPE_5 = {
  kind: "set",
  of: { kind: "path" },
};

// all f in diff.files: not (f like [\"**/auth.go\", \"secret/*\"])
const K0_6 = matcher([[1, 16], "A", [1, 5], [1, 3], [[0, 1114111]], [-2], [[47, 47]], [[97, 97]], [[117, 117]], [[116, 116]], [[104, 104]], [[46, 46]], [[103, 103]], [[111, 111]], "z", [13], "A", [[115, 115]], [[101, 101]], [[99, 99]], [[114, 114]], [[101, 101]], [[116, 116]], [[47, 47]], [1, 3], [[0, 46], [48, 1114111]], [-2], "z"]);
const explain_6 = (F) => quantifier(0, "all", "f", read(F, "diff.files"), null, (v_f) => negation(leaf(1, K0_6, v_f)), (F.tainted ? null : (v_f) => (!K0_6(v_f))));
const decide_6 = (F) => decided(() => all(at(F, "diff.files"), (v_f) => (!K0_6(v_f))), () => explain_6(F).value);

const PREDICATE_6 = {
  decide: decide_6,
  explain: explain_6,
  wordings: [
    {
      form: {
        is: "quantifier",
        op: "all",
        over: "diff.files",
        reads: [{ is: "fact", key: "diff.files", type: TYPE_5 }],
        body: "not (f like [\"**/auth.go\", \"secret/*\"])",
      },
    },
    {
      form: { is: "leaf", text: "f like [\"**/auth.go\", \"secret/*\"]" },
      variables: new Map([["f", { kind: "path" }]]),
    },
  ],
};

// took > 1h
const explain_7 = (F) => leaf(0, (v_x, v_y) => (compare(v_x, v_y) > 0), read(F, "took"), 3600000000000n);
const decide_7 = (F) => decided(() => (compare(at(F, "took"), 3600000000000n) > 0), () => explain_7(F).value);

const PREDICATE_7 = {
  decide: decide_7,
  explain: explain_7,
  wordings: [
    {
      form: {
        is: "leaf",
        text: "took > 1h",
        reads: [{ is: "fact", key: "took", type: { kind: "duration", unit: "ms" } }],
        distance: { type: { kind: "duration", unit: "ms" }, side: "short" },
      },
    },
  ],
};

const TYPE_6 = {
  kind: "money",
  currency: "USD",
};

const TYPE_7 = {
  kind: "optional",
  of: TYPE_6,
};

const PROGRAM = {
  goal: "ship-it",
  contract: "c1:87c36beb694c5f868e143e4d7dfcfcc0d6c729f3615638641f45a35861799ab8",
  facts: [
    { name: "ci.checks", type: TYPE_1 },
    {
      name: "coverage.line",
      type: { kind: "percent", unit: "ratio" },
      bounds: { low: decimal("0.00"), high: decimal("1"), text: "0%..100%" },
    },
    { name: "diff.files", type: TYPE_5 },
    { name: "price", type: TYPE_7 },
    { name: "reviews", type: TYPE_4 },
    { name: "suite.passed", type: { kind: "bool" } },
    { name: "took", type: { kind: "duration", unit: "ms" } },
  ],
  views: [
    { key: "suite.passed", fact: "suite.passed", view: "now", within: 0n },
    { key: "coverage.line at start", fact: "coverage.line", view: "start", within: 0n },
    { key: "coverage.line", fact: "coverage.line", view: "now", within: 0n },
    { key: "ci.checks", fact: "ci.checks", view: "now", within: 0n },
    { key: "reviews", fact: "reviews", view: "now", within: 0n },
    { key: "diff.files", fact: "diff.files", view: "now", within: 0n },
    { key: "took", fact: "took", view: "now", within: 0n },
  ],
  forms: new Map([
    [
      "1:b97811132b861011f7547f11989d868ee52be5d28f2d5cdf1971f717abf13e78",
      { kind: "runs", inner: PREDICATE_0, needs: ["suite.passed"], count: 2, duration: 0n },
    ],
  ]),
  criteria: [
    { id: "green", text: "The suite passes twice", mode: "gating", check: PREDICATE_1 },
    { id: "covered", text: "Coverage stays", mode: "gating", check: PREDICATE_2 },
    { id: "checks", text: "Every check succeeds", mode: "gating", check: PREDICATE_3 },
    { id: "reviewed", text: "Two people reviewed", mode: "gating", check: PREDICATE_4 },
    { id: "fine", text: "Somebody likes it", mode: "gating" },
  ],
  constraints: [{ id: "no-auth", text: "auth.go stays", mode: "gating", check: PREDICATE_6 }],
  stops: [{ id: "slow", text: "Far too slow", mode: "gating", check: PREDICATE_7 }],
};

/** Checks the goal over a series of observations; `observe` gives a Verdict for each. */
export class Monitor extends Engine {
  constructor(options = {}) {
    super(PROGRAM, options);
  }
}

/** What one observation shows of the goal. */
export function check(facts, options = {}) {
  return new Monitor(options).observe(facts, options);
}

export { BadFacts, RefusedObservation, Verdict, parse };
