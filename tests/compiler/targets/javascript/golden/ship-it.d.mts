// Made by goalspec 0.1.0: target javascript, goal ship-it, contract c1:87c36beb694c5f868e143e4d7dfcfcc0d6c729f3615638641f45a35861799ab8
// Types of the module beside this file. Do not edit: compile the goal file again.

/** Ship it. Really: *\/ \u27e6\u202e\u27e7 */
export declare const GOAL: "ship-it";
/** The hash of the goal's contract: what it means, whatever its layout. */
export declare const CONTRACT: "c1:87c36beb694c5f868e143e4d7dfcfcc0d6c729f3615638641f45a35861799ab8";

/** The ids of the goal's criteria, constraints and stops. */
export type PartId = "green" | "covered" | "checks" | "reviewed" | "fine" | "no-auth" | "slow";

/** The facts of an observation, each by its dotted name or nested. */
export interface Facts extends DottedFacts, NestedFacts {}

export interface DottedFacts {
  /** map of \"success\" | \"failure\" */
  readonly "ci.checks"?: Entries<"success" | "failure"> | UnknownFact;
  /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran *\/ of all */
  readonly "coverage.line"?: Percent | number | UnknownFact;
  /** set of path */
  readonly "diff.files"?: readonly Path[] | UnknownFact;
  /** money USD? */
  readonly price?: `${number} USD` | null | UnknownFact;
  /** list of { author: string, at: time, note: string? } */
  readonly reviews?: readonly ({ readonly author: string; readonly at: Time; readonly note?: string | null; })[] | UnknownFact;
  /** bool */
  readonly "suite.passed"?: boolean | UnknownFact;
  /** duration, a bare number as ms */
  readonly took?: Duration | number | UnknownFact;
}

export interface NestedFacts {
  readonly ci?: {
    /** map of \"success\" | \"failure\" */
    readonly checks?: Entries<"success" | "failure"> | UnknownFact;
  };
  readonly coverage?: {
    /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran *\/ of all */
    readonly line?: Percent | number | UnknownFact;
  };
  readonly diff?: {
    /** set of path */
    readonly files?: readonly Path[] | UnknownFact;
  };
  readonly suite?: {
    /** bool */
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
