// What an observation shows: an outcome for each criterion, constraint and stop, and the whole.
// Explanations are made when they are asked for; outcomes are there at once.

/** @typedef {import("./values.mjs").Unknown} Unknown */
/** @typedef {import("./notes.mjs").Note} Note */

/** One part's outcome. *mode* is gating, awaited or advisory; *unknown* says why it is that. */
export class Result {
  #explain;
  /** @type {string | null} */
  #explanation = null;

  /**
   * @param {{ id: string, text: string, mode: string }} part
   * @param {string} outcome
   * @param {Unknown | null} unknown
   * @param {() => string} explain
   */
  constructor(part, outcome, unknown, explain) {
    this.id = part.id;
    this.text = part.text;
    this.outcome = outcome;
    this.mode = part.mode;
    this.unknown = unknown;
    this.#explain = explain;
  }

  /** The smallest part of the predicate that decided, with the values that it read. */
  get explanation() {
    this.#explanation ??= this.#explain();
    return this.#explanation;
  }

  /** missing, stale, null, skipped, error, invalid or empty, where the outcome is unknown. */
  get reason() {
    return this.unknown === null ? null : this.unknown.reason;
  }
}

/**
 * The outcome of every part of a goal at one moment. *floor* is the fold of the checked gating
 * criteria and constraints: `empty` where no criterion is checked. *done* never holds while
 * something is left to the judge.
 */
export class Verdict {
  /**
   * @param {string} goal
   * @param {string} contract
   * @param {Result[]} criteria
   * @param {Result[]} constraints
   * @param {Result[]} stops
   * @param {Note[]} notes
   */
  constructor(goal, contract, criteria, constraints, stops, notes) {
    this.goal = goal;
    this.contract = contract;
    this.criteria = criteria;
    this.constraints = constraints;
    this.stops = stops;
    this.notes = notes;
  }

  /** The criteria that count: advisory ones never gate. */
  get gating() {
    return this.criteria.filter(isBinding);
  }

  /** The constraints that count. */
  get binding() {
    return this.constraints.filter(isBinding);
  }

  get stopped() {
    return this.stops.some(({ outcome }) => outcome === "stopped");
  }

  get floor() {
    const checked = this.gating.filter(isChecked);
    const outcomes = [...checked, ...this.binding].map(({ outcome }) => outcome);
    if (outcomes.includes("unmet") || outcomes.includes("violated")) return "unmet";
    if (checked.length === 0) return "empty";
    return outcomes.includes("unknown") ? "unknown" : "met";
  }

  get done() {
    return (
      this.gating.some(({ outcome }) => outcome === "met") &&
      this.gating.every(({ outcome }) => outcome === "met" || outcome === "waived") &&
      this.binding.every(({ outcome }) => outcome === "held" || outcome === "waived") &&
      !this.stopped
    );
  }

  /** 0 done, 1 unmet or violated, 3 cannot be told, 4 a true stop. */
  get exitCode() {
    if (this.stopped) return 4;
    if (this.done) return 0;
    return this.floor === "unmet" ? 1 : 3;
  }

  /** How many gating criteria a machine decides here and now. */
  get checkable() {
    return this.gating.filter(isChecked).length;
  }

  /**
   * The answer that hosts of checkers take: the criteria with a check; unknown counts as unmet.
   * `done` needs something checkable and every checked constraint shown held: an unknown one is
   * not.
   */
  toGoalCheck() {
    const met = idsOf(this.gating, "met");
    const unmet = idsOf(this.gating, "unmet", "unknown");
    const checkable = met.length + unmet.length;
    const isViolated = idsOf(this.binding, "violated", "unknown").length > 0;
    const done = checkable >= 1 && unmet.length === 0 && !isViolated;
    return { checkable, done, met, unmet };
  }

  /** The verdict as JSON values, as `goalspec check --json` prints it. */
  toJSON() {
    const { criteria, constraints, stops } = this;
    const everything = [...criteria, ...constraints, ...stops];
    return {
      goal: this.goal,
      done: this.done,
      floor: this.floor,
      checkable: this.checkable,
      met: idsOf(criteria, "met"),
      unmet: idsOf(criteria, "unmet"),
      unknown: idsOf(everything, "unknown"),
      waived: idsOf(everything, "waived"),
      judged: idsOf(everything, "judged"),
      held: idsOf([...constraints, ...stops], "held"),
      violated: idsOf(constraints, "violated"),
      stopped: idsOf(stops, "stopped"),
      advisory: everything.filter(({ mode }) => mode === "advisory").map(({ id }) => id),
      awaited: everything.filter(({ mode }) => mode === "awaited").map(({ id }) => id),
      reasons: Object.fromEntries(
        everything.filter(({ reason }) => reason !== null).map(({ id, reason }) => [id, reason]),
      ),
      explanations: Object.fromEntries(everything.map(({ id, explanation }) => [id, explanation])),
      notes: this.notes,
      contract: this.contract,
    };
  }
}

/** @param {Result} result */
function isBinding({ mode }) {
  return mode !== "advisory";
}

/** @param {Result} result */
function isChecked({ outcome }) {
  return outcome === "met" || outcome === "unmet" || outcome === "unknown";
}

/**
 * @param {Result[]} results
 * @param {string[]} outcomes
 */
function idsOf(results, ...outcomes) {
  return results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);
}
