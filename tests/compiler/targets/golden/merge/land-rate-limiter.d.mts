// Made by goalspec 0.1.0: target javascript, goal land-rate-limiter, contract c1:5e1e2cee367976688c48995d93a76056be675801fdf3c2081c2053350049c751
// Types of the module beside this file. Do not edit: compile the goal file again.

/** Land the rate limiter for the public API. */
export declare const GOAL: "land-rate-limiter";
/** The hash of the goal's contract: what it means, whatever its layout. */
export declare const CONTRACT: "c1:5e1e2cee367976688c48995d93a76056be675801fdf3c2081c2053350049c751";

/** The ids of the goal's criteria, constraints and stops. */
export type PartId = "stable" | "coverage" | "documented" | "threads-resolved" | "requests-answered" | "mergeable" | "approved" | "no-objection" | "merged" | "required-checks" | "no-schema-change" | "no-early-merge" | "no-push-to-base" | "closed-unmerged" | "stalled";

/** The facts of an observation, each by its dotted name or nested. */
export interface Facts extends DottedFacts, NestedFacts {}

export interface DottedFacts {
  /** set of string: the names of the alerts that fire now */
  readonly "alert.firing"?: readonly string[] | UnknownFact;
  /** map of \"queued\" | \"running\" | \"success\" | \"failure\" | \"timed_out\" | \"cancelled\" | \"skipped\" | \"neutral\" | \"action_required\": each check's latest attempt, by the check's name */
  readonly "ci.checks"?: Entries<"queued" | "running" | "success" | "failure" | "timed_out" | "cancelled" | "skipped" | "neutral" | "action_required"> | UnknownFact;
  /** duration, a bare number as s, in 0s..: from the first check's start to the last one's end */
  readonly "ci.duration"?: Duration | number | UnknownFact;
  /** set of string: the checks that must succeed before a merge */
  readonly "ci.required"?: readonly string[] | UnknownFact;
  /** list of { rev: string, started: time, state: \"success\" | \"failure\" | \"cancelled\" }: finished runs on the default branch */
  readonly "ci.runs"?: readonly ({ readonly rev: string; readonly started: Time; readonly state: "success" | "failure" | "cancelled"; })[] | UnknownFact;
  /** \"pending\" | \"success\" | \"failure\": all checks of the revision taken together */
  readonly "ci.state"?: "pending" | "success" | "failure" | UnknownFact;
  /** percent, a bare number as ratio, in 0%..100%: branches that the tests took, of all branches */
  readonly "coverage.branch"?: Percent | number | UnknownFact;
  /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran, of all lines */
  readonly "coverage.line"?: Percent | number | UnknownFact;
  /** map of percent: line coverage of each package, by its name */
  readonly "coverage.packages"?: Entries<Percent | number> | UnknownFact;
  /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran, of those the change touches */
  readonly "coverage.patch"?: Percent | number | UnknownFact;
  /** bool: the health checks of production pass */
  readonly "deploy.healthy"?: boolean | UnknownFact;
  /** time: when it came to that state */
  readonly "deploy.since"?: Time | UnknownFact;
  /** \"pending\" | \"live\" | \"rolled_back\": where the latest deployment stands */
  readonly "deploy.state"?: "pending" | "live" | "rolled_back" | UnknownFact;
  /** version: the version of the latest deployment */
  readonly "deploy.version"?: Version | UnknownFact;
  /** set of path: paths that the change creates */
  readonly "diff.added_files"?: readonly Path[] | UnknownFact;
  /** int, in 0..: lines added */
  readonly "diff.added_lines"?: number | bigint | UnknownFact;
  /** set of path: paths that the change removes */
  readonly "diff.deleted_files"?: readonly Path[] | UnknownFact;
  /** int, in 0..: lines removed */
  readonly "diff.deleted_lines"?: number | bigint | UnknownFact;
  /** set of path: every path that differs; a rename counts as both of its ends */
  readonly "diff.files"?: readonly Path[] | UnknownFact;
  /** time?: when somebody took it on */
  readonly "incident.acknowledged"?: Time | null | UnknownFact;
  /** list of { what: string, owner: string?, due: date? }: what is to be done after it */
  readonly "incident.actions"?: readonly ({ readonly what: string; readonly owner?: string | null; readonly due?: CalendarDate | null; })[] | UnknownFact;
  /** list of { at: time, what: string, approver: string? }: changes to production made in response */
  readonly "incident.changes"?: readonly ({ readonly at: Time; readonly what: string; readonly approver?: string | null; })[] | UnknownFact;
  /** time?: when it was closed */
  readonly "incident.closed"?: Time | null | UnknownFact;
  /** string?: who leads the response */
  readonly "incident.commander"?: string | null | UnknownFact;
  /** time?: when users stopped being harmed */
  readonly "incident.mitigated"?: Time | null | UnknownFact;
  /** time: when it was declared */
  readonly "incident.opened"?: Time | UnknownFact;
  /** string?: where the written review stands */
  readonly "incident.postmortem"?: string | null | UnknownFact;
  /** \"sev4\" < \"sev3\" < \"sev2\" < \"sev1\": how bad it is, sev1 is the worst */
  readonly "incident.severity"?: "sev4" | "sev3" | "sev2" | "sev1" | UnknownFact;
  /** list of { author: string, at: time }: what was told to those affected */
  readonly "incident.updates"?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
  /** string: the account that opened it */
  readonly "pr.author"?: string | UnknownFact;
  /** string: the branch that it goes into */
  readonly "pr.base"?: string | UnknownFact;
  /** string: the branch that it comes from */
  readonly "pr.branch"?: string | UnknownFact;
  /** bool: its author says that it is not ready yet */
  readonly "pr.draft"?: boolean | UnknownFact;
  /** string: the revision at the tip of its branch */
  readonly "pr.head"?: string | UnknownFact;
  /** set of string: its labels */
  readonly "pr.labels"?: readonly string[] | UnknownFact;
  /** bool: it merges into its base without conflicts */
  readonly "pr.mergeable"?: boolean | UnknownFact;
  /** time: when it was opened */
  readonly "pr.opened"?: Time | UnknownFact;
  /** time: when its head was pushed */
  readonly "pr.pushed"?: Time | UnknownFact;
  /** \"open\" | \"merged\" | \"closed\": closed means closed without a merge */
  readonly "pr.state"?: "open" | "merged" | "closed" | UnknownFact;
  /** string: its title */
  readonly "pr.title"?: string | UnknownFact;
  /** list of { name: string, signed: bool, published: bool }: what the release consists of */
  readonly "release.artifacts"?: readonly ({ readonly name: string; readonly signed: boolean; readonly published: boolean; })[] | UnknownFact;
  /** set of string: open issues that block the release */
  readonly "release.blockers"?: readonly string[] | UnknownFact;
  /** bool: the changelog has an entry for the version */
  readonly "release.changelog"?: boolean | UnknownFact;
  /** bool: a release freeze is in force */
  readonly "release.frozen"?: boolean | UnknownFact;
  /** version: the latest version released before it */
  readonly "release.previous"?: Version | UnknownFact;
  /** time?: when it became public, null before */
  readonly "release.published"?: Time | null | UnknownFact;
  /** list of { author: string, at: time }: who agreed to publish this version */
  readonly "release.signoffs"?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
  /** version: the version that is being released */
  readonly "release.version"?: Version | UnknownFact;
  /** list of { author: string, at: time }: standing approvals, without dismissed ones */
  readonly "review.approvals"?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
  /** list of { author: string, at: time }: standing requests for changes */
  readonly "review.change_requests"?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
  /** set of path: changed files that it has gone through */
  readonly "review.files"?: readonly Path[] | UnknownFact;
  /** list of { file: path, line: int?, resolved: bool, severity: \"note\" < \"minor\" < \"major\" < \"critical\" }: what it found */
  readonly "review.findings"?: readonly ({ readonly file: Path; readonly line?: number | bigint | null; readonly resolved: boolean; readonly severity: "note" | "minor" | "major" | "critical"; })[] | UnknownFact;
  /** int, in 0..: discussions that nobody has resolved */
  readonly "review.open_threads"?: number | bigint | UnknownFact;
  /** set of string: accounts that were asked and have not answered */
  readonly "review.requested"?: readonly string[] | UnknownFact;
  /** int, in 0..: approvals that the base branch asks for */
  readonly "review.required"?: number | bigint | UnknownFact;
  /** string: the revision that it is about */
  readonly "review.revision"?: string | UnknownFact;
  /** \"approve\" | \"request_changes\" | \"comment\": how it ends */
  readonly "review.verdict"?: "approve" | "request_changes" | "comment" | UnknownFact;
  /** string: the account under which the agent pushes and comments */
  readonly "run.account"?: string | UnknownFact;
  /** int, in 0..: times that the agent said it was done */
  readonly "run.attempts"?: number | bigint | UnknownFact;
  /** money USD, in 0 USD..: money spent on models */
  readonly "run.cost"?: `${number} USD` | UnknownFact;
  /** int, in 0..: turns in a row, up to now, that changed nothing */
  readonly "run.idle_turns"?: number | bigint | UnknownFact;
  /** set of string: the branches that the agent has pushed to */
  readonly "run.pushed"?: readonly string[] | UnknownFact;
  /** duration, a bare number as s, in 0s..: time spent active, pauses left out */
  readonly "run.runtime"?: Duration | number | UnknownFact;
  /** time: when the first turn began */
  readonly "run.started"?: Time | UnknownFact;
  /** int, in 0..: tokens used, in and out */
  readonly "run.tokens"?: number | bigint | UnknownFact;
  /** int, in 0..: tools called */
  readonly "run.tool_calls"?: number | bigint | UnknownFact;
  /** int, in 0..: turns taken */
  readonly "run.turns"?: number | bigint | UnknownFact;
  /** percent, a bare number as ratio: what is left of the error budget, below zero when overspent */
  readonly "slo.budget_left"?: Percent | number | UnknownFact;
  /** number, in 0..: how fast it is spent; at 1 it lasts exactly its window */
  readonly "slo.burn_rate"?: number | bigint | UnknownFact;
  /** duration, a bare number as s, in 0s..: wall time of the run */
  readonly "suite.duration"?: Duration | number | UnknownFact;
  /** int, in 0..: tests that failed or broke off */
  readonly "suite.failed"?: number | bigint | UnknownFact;
  /** set of string: the names of the tests that failed or broke off */
  readonly "suite.failing"?: readonly string[] | UnknownFact;
  /** int, in 0..: tests that failed and then passed in the same run */
  readonly "suite.flaky"?: number | bigint | UnknownFact;
  /** bool: every test of the run passed */
  readonly "suite.passed"?: boolean | UnknownFact;
  /** int, in 0..: tests that were collected and not run */
  readonly "suite.skipped"?: number | bigint | UnknownFact;
  /** int, in 0..: tests that the run collected */
  readonly "suite.total"?: number | bigint | UnknownFact;
}

export interface NestedFacts {
  readonly alert?: {
    /** set of string: the names of the alerts that fire now */
    readonly firing?: readonly string[] | UnknownFact;
  };
  readonly ci?: {
    /** map of \"queued\" | \"running\" | \"success\" | \"failure\" | \"timed_out\" | \"cancelled\" | \"skipped\" | \"neutral\" | \"action_required\": each check's latest attempt, by the check's name */
    readonly checks?: Entries<"queued" | "running" | "success" | "failure" | "timed_out" | "cancelled" | "skipped" | "neutral" | "action_required"> | UnknownFact;
    /** duration, a bare number as s, in 0s..: from the first check's start to the last one's end */
    readonly duration?: Duration | number | UnknownFact;
    /** set of string: the checks that must succeed before a merge */
    readonly required?: readonly string[] | UnknownFact;
    /** list of { rev: string, started: time, state: \"success\" | \"failure\" | \"cancelled\" }: finished runs on the default branch */
    readonly runs?: readonly ({ readonly rev: string; readonly started: Time; readonly state: "success" | "failure" | "cancelled"; })[] | UnknownFact;
    /** \"pending\" | \"success\" | \"failure\": all checks of the revision taken together */
    readonly state?: "pending" | "success" | "failure" | UnknownFact;
  };
  readonly coverage?: {
    /** percent, a bare number as ratio, in 0%..100%: branches that the tests took, of all branches */
    readonly branch?: Percent | number | UnknownFact;
    /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran, of all lines */
    readonly line?: Percent | number | UnknownFact;
    /** map of percent: line coverage of each package, by its name */
    readonly packages?: Entries<Percent | number> | UnknownFact;
    /** percent, a bare number as ratio, in 0%..100%: lines that the tests ran, of those the change touches */
    readonly patch?: Percent | number | UnknownFact;
  };
  readonly deploy?: {
    /** bool: the health checks of production pass */
    readonly healthy?: boolean | UnknownFact;
    /** time: when it came to that state */
    readonly since?: Time | UnknownFact;
    /** \"pending\" | \"live\" | \"rolled_back\": where the latest deployment stands */
    readonly state?: "pending" | "live" | "rolled_back" | UnknownFact;
    /** version: the version of the latest deployment */
    readonly version?: Version | UnknownFact;
  };
  readonly diff?: {
    /** set of path: paths that the change creates */
    readonly added_files?: readonly Path[] | UnknownFact;
    /** int, in 0..: lines added */
    readonly added_lines?: number | bigint | UnknownFact;
    /** set of path: paths that the change removes */
    readonly deleted_files?: readonly Path[] | UnknownFact;
    /** int, in 0..: lines removed */
    readonly deleted_lines?: number | bigint | UnknownFact;
    /** set of path: every path that differs; a rename counts as both of its ends */
    readonly files?: readonly Path[] | UnknownFact;
  };
  readonly incident?: {
    /** time?: when somebody took it on */
    readonly acknowledged?: Time | null | UnknownFact;
    /** list of { what: string, owner: string?, due: date? }: what is to be done after it */
    readonly actions?: readonly ({ readonly what: string; readonly owner?: string | null; readonly due?: CalendarDate | null; })[] | UnknownFact;
    /** list of { at: time, what: string, approver: string? }: changes to production made in response */
    readonly changes?: readonly ({ readonly at: Time; readonly what: string; readonly approver?: string | null; })[] | UnknownFact;
    /** time?: when it was closed */
    readonly closed?: Time | null | UnknownFact;
    /** string?: who leads the response */
    readonly commander?: string | null | UnknownFact;
    /** time?: when users stopped being harmed */
    readonly mitigated?: Time | null | UnknownFact;
    /** time: when it was declared */
    readonly opened?: Time | UnknownFact;
    /** string?: where the written review stands */
    readonly postmortem?: string | null | UnknownFact;
    /** \"sev4\" < \"sev3\" < \"sev2\" < \"sev1\": how bad it is, sev1 is the worst */
    readonly severity?: "sev4" | "sev3" | "sev2" | "sev1" | UnknownFact;
    /** list of { author: string, at: time }: what was told to those affected */
    readonly updates?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
  };
  readonly pr?: {
    /** string: the account that opened it */
    readonly author?: string | UnknownFact;
    /** string: the branch that it goes into */
    readonly base?: string | UnknownFact;
    /** string: the branch that it comes from */
    readonly branch?: string | UnknownFact;
    /** bool: its author says that it is not ready yet */
    readonly draft?: boolean | UnknownFact;
    /** string: the revision at the tip of its branch */
    readonly head?: string | UnknownFact;
    /** set of string: its labels */
    readonly labels?: readonly string[] | UnknownFact;
    /** bool: it merges into its base without conflicts */
    readonly mergeable?: boolean | UnknownFact;
    /** time: when it was opened */
    readonly opened?: Time | UnknownFact;
    /** time: when its head was pushed */
    readonly pushed?: Time | UnknownFact;
    /** \"open\" | \"merged\" | \"closed\": closed means closed without a merge */
    readonly state?: "open" | "merged" | "closed" | UnknownFact;
    /** string: its title */
    readonly title?: string | UnknownFact;
  };
  readonly release?: {
    /** list of { name: string, signed: bool, published: bool }: what the release consists of */
    readonly artifacts?: readonly ({ readonly name: string; readonly signed: boolean; readonly published: boolean; })[] | UnknownFact;
    /** set of string: open issues that block the release */
    readonly blockers?: readonly string[] | UnknownFact;
    /** bool: the changelog has an entry for the version */
    readonly changelog?: boolean | UnknownFact;
    /** bool: a release freeze is in force */
    readonly frozen?: boolean | UnknownFact;
    /** version: the latest version released before it */
    readonly previous?: Version | UnknownFact;
    /** time?: when it became public, null before */
    readonly published?: Time | null | UnknownFact;
    /** list of { author: string, at: time }: who agreed to publish this version */
    readonly signoffs?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
    /** version: the version that is being released */
    readonly version?: Version | UnknownFact;
  };
  readonly review?: {
    /** list of { author: string, at: time }: standing approvals, without dismissed ones */
    readonly approvals?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
    /** list of { author: string, at: time }: standing requests for changes */
    readonly change_requests?: readonly ({ readonly author: string; readonly at: Time; })[] | UnknownFact;
    /** set of path: changed files that it has gone through */
    readonly files?: readonly Path[] | UnknownFact;
    /** list of { file: path, line: int?, resolved: bool, severity: \"note\" < \"minor\" < \"major\" < \"critical\" }: what it found */
    readonly findings?: readonly ({ readonly file: Path; readonly line?: number | bigint | null; readonly resolved: boolean; readonly severity: "note" | "minor" | "major" | "critical"; })[] | UnknownFact;
    /** int, in 0..: discussions that nobody has resolved */
    readonly open_threads?: number | bigint | UnknownFact;
    /** set of string: accounts that were asked and have not answered */
    readonly requested?: readonly string[] | UnknownFact;
    /** int, in 0..: approvals that the base branch asks for */
    readonly required?: number | bigint | UnknownFact;
    /** string: the revision that it is about */
    readonly revision?: string | UnknownFact;
    /** \"approve\" | \"request_changes\" | \"comment\": how it ends */
    readonly verdict?: "approve" | "request_changes" | "comment" | UnknownFact;
  };
  readonly run?: {
    /** string: the account under which the agent pushes and comments */
    readonly account?: string | UnknownFact;
    /** int, in 0..: times that the agent said it was done */
    readonly attempts?: number | bigint | UnknownFact;
    /** money USD, in 0 USD..: money spent on models */
    readonly cost?: `${number} USD` | UnknownFact;
    /** int, in 0..: turns in a row, up to now, that changed nothing */
    readonly idle_turns?: number | bigint | UnknownFact;
    /** set of string: the branches that the agent has pushed to */
    readonly pushed?: readonly string[] | UnknownFact;
    /** duration, a bare number as s, in 0s..: time spent active, pauses left out */
    readonly runtime?: Duration | number | UnknownFact;
    /** time: when the first turn began */
    readonly started?: Time | UnknownFact;
    /** int, in 0..: tokens used, in and out */
    readonly tokens?: number | bigint | UnknownFact;
    /** int, in 0..: tools called */
    readonly tool_calls?: number | bigint | UnknownFact;
    /** int, in 0..: turns taken */
    readonly turns?: number | bigint | UnknownFact;
  };
  readonly slo?: {
    /** percent, a bare number as ratio: what is left of the error budget, below zero when overspent */
    readonly budget_left?: Percent | number | UnknownFact;
    /** number, in 0..: how fast it is spent; at 1 it lasts exactly its window */
    readonly burn_rate?: number | bigint | UnknownFact;
  };
  readonly suite?: {
    /** duration, a bare number as s, in 0s..: wall time of the run */
    readonly duration?: Duration | number | UnknownFact;
    /** int, in 0..: tests that failed or broke off */
    readonly failed?: number | bigint | UnknownFact;
    /** set of string: the names of the tests that failed or broke off */
    readonly failing?: readonly string[] | UnknownFact;
    /** int, in 0..: tests that failed and then passed in the same run */
    readonly flaky?: number | bigint | UnknownFact;
    /** bool: every test of the run passed */
    readonly passed?: boolean | UnknownFact;
    /** int, in 0..: tests that were collected and not run */
    readonly skipped?: number | bigint | UnknownFact;
    /** int, in 0..: tests that the run collected */
    readonly total?: number | bigint | UnknownFact;
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
