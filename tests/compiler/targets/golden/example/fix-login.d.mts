// Made by goalspec 0.1.0: target javascript, goal fix-login, contract c1:01aa1df752a5c3562d8886fc4350a3bbf333df612381ebdcadecd5039fb9a5c2
// Types of the module beside this file. Do not edit: compile the goal file again.

/** Fix the flaky login test. */
export declare const GOAL: "fix-login";
/** The hash of the goal's contract: what it means, whatever its layout. */
export declare const CONTRACT: "c1:01aa1df752a5c3562d8886fc4350a3bbf333df612381ebdcadecd5039fb9a5c2";

/** The ids of the goal's criteria, constraints and stops. */
export type PartId = "stable" | "coverage" | "explained" | "merged" | "no-auth" | "closed";

/** The facts of an observation, each by its dotted name or nested. */
export interface Facts extends DottedFacts, NestedFacts {}

export interface DottedFacts {
  /** percent, a bare number as ratio, in 0%..100% */
  readonly coverage?: Percent | number | UnknownFact;
  /** set of path: every path that differs */
  readonly "diff.files"?: readonly Path[] | UnknownFact;
  /** \"open\" | \"merged\" | \"closed\" */
  readonly "pr.state"?: "open" | "merged" | "closed" | UnknownFact;
  /** bool: every test of the run passed */
  readonly "suite.passed"?: boolean | UnknownFact;
}

export interface NestedFacts {
  readonly diff?: {
    /** set of path: every path that differs */
    readonly files?: readonly Path[] | UnknownFact;
  };
  readonly pr?: {
    /** \"open\" | \"merged\" | \"closed\" */
    readonly state?: "open" | "merged" | "closed" | UnknownFact;
  };
  readonly suite?: {
    /** bool: every test of the run passed */
    readonly passed?: boolean | UnknownFact;
  };
}

// What every module has, whatever its goal.

/** A percent with its sign: `84.2%`. */
export type Percent = `${number}%`;
/** A duration with its units: `90s`, `1h30m`. */
export type Duration = string;
/** A size with its unit: `64KB`, `10MiB`. */
export type Size = string;
/** RFC 3339 with its offset; seconds may be left out: `2026-12-31T18:00Z`. */
export type Time = string;
/** A date: `2026-12-31`. */
export type CalendarDate = string;
/** A semantic version: `v1.4.0`, `2.0.0-rc.1`. */
export type Version = string;
/** A path from the project's root: `src/app.py`. */
export type Path = string;
/** A map of texts to values. */
export type Entries<T> = { readonly [key: string]: T } | ReadonlyMap<string, T>;

/** Why a fact or an outcome is not known. */
export type Reason = "missing" | "stale" | "null" | "skipped" | "error" | "invalid" | "empty";

/** A fact that is said to be unknown, and why. */
export interface UnknownFact {
  readonly $unknown: Exclude<Reason, "empty">;
  readonly because?: string;
}

/** JSON of facts that `parse` read: numbers exact, keys in their order. */
export interface ParsedFacts {
  readonly __parsed?: never;
}

/** A check of the host's own, called with the facts of each observation. */
export type HostCheck = (facts: Facts) => boolean | null | undefined;

export interface MonitorOptions {
  /** The values of `at baseline`. */
  readonly baseline?: Facts | ParsedFacts | string;
  /** The project's absolute root, below which absolute paths are accepted. */
  readonly root?: string;
  /** The host's own checks by name. */
  readonly hostChecks?: { readonly [name: string]: HostCheck };
}

/** What is said around an observation; times are RFC 3339. */
export interface Envelope {
  readonly at?: Time | null;
  /** The observation's name: reports under one id are one observation. */
  readonly id?: string | null;
  /** The revision of the tree that was observed. */
  readonly rev?: string | null;
  /** The host's clock: a time far ahead of it is refused. */
  readonly receivedAt?: Time | null;
}

export type Outcome =
  "met" | "unmet" | "violated" | "held" | "stopped" | "unknown" | "waived" | "judged";

/** One part's outcome. */
export interface Result {
  readonly id: PartId;
  readonly text: string;
  readonly outcome: Outcome;
  readonly mode: "gating" | "awaited" | "advisory";
  /** Why the outcome is unknown, or null. */
  readonly reason: Reason | null;
  readonly unknown: {
    readonly reason: Reason;
    readonly subject: string;
    readonly words: string;
  } | null;
  /** The smallest part of the predicate that decided, with the values that it read. */
  readonly explanation: string;
}

/** A fact that entered badly. */
export interface Note {
  readonly kind: "invalid" | "undeclared" | "clamped";
  readonly fact: string;
  readonly message: string;
}

/** What a host's checker takes; unknown counts as unmet. */
export interface GoalCheck {
  readonly checkable: number;
  readonly done: boolean;
  readonly met: PartId[];
  readonly unmet: PartId[];
}

/** The outcome of every part of the goal at one moment. */
export declare class Verdict {
  private constructor();
  readonly goal: typeof GOAL;
  readonly contract: typeof CONTRACT;
  readonly criteria: readonly Result[];
  readonly constraints: readonly Result[];
  readonly stops: readonly Result[];
  readonly notes: readonly Note[];
  /** The fold of the checked criteria and constraints; `empty` where no criterion is checked. */
  readonly floor: "met" | "unmet" | "unknown" | "empty";
  /** Never while something is left to the judge. */
  readonly done: boolean;
  /** Is a stop true? */
  readonly stopped: boolean;
  /** 0 done, 1 unmet or violated, 3 cannot be told, 4 a true stop. */
  readonly exitCode: 0 | 1 | 3 | 4;
  /** How many criteria that count a machine decides here and now. */
  readonly checkable: number;
  toGoalCheck(): GoalCheck;
  /** The verdict as JSON values, as `goalspec check --json` prints it. */
  toJSON(): Record<string, unknown>;
}

/** Checks the goal over a series of observations. */
export declare class Monitor {
  constructor(options?: MonitorOptions);
  /** What is to be said of the baseline. */
  readonly baselineNotes: readonly Note[];
  /**
   * Take one observation and say what it shows. Throws BadFacts where it is no JSON of facts, and
   * RefusedObservation where its time cannot be right; then nothing changes.
   */
  observe(facts: Facts | ParsedFacts | string, envelope?: Envelope): Verdict;
}

/** What one observation shows of the goal. Throws as `Monitor.observe` does. */
export declare function check(
  facts: Facts | ParsedFacts | string,
  options?: MonitorOptions & Envelope,
): Verdict;

/** JSON with exact numbers. Throws BadFacts with the place, also for a doubled key. */
export declare function parse(text: string): ParsedFacts;

/** Facts that are not JSON, or say one fact twice. */
export declare class BadFacts extends Error {
  readonly name: "BadFacts";
}

/** An observation whose time cannot be right. */
export declare class RefusedObservation extends Error {
  readonly name: "RefusedObservation";
}
