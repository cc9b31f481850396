// The state of streaks, holds and histories: two counters, or three times, each. A form is counted
// at the observations that supply what its predicate reads. `counted` gives the state after an
// observation at which the predicate was *value*, `outcome` true, false or Unknown as of *now* (in
// nanoseconds), `words` how far it is, for the explanation. States are never changed, so an
// observation that comes in parts under one id is counted again from the state before it.

import { spellDuration, writeDuration } from "./literals.mjs";
import { Unknown } from "./values.mjs";

/**
 * What a form is: the predicate that it counts, and the facts that an observation must supply to
 * count. *count* and *oneRevision* belong to `runs`, *duration* and *every* to `held`.
 * @typedef {{ kind: string, inner: any, needs?: string[], count: number, oneRevision?: boolean,
 *   duration: bigint, every?: bigint }} Form
 * @typedef {{ counted(form: Form, value: any, now: bigint | null): State,
 *   outcome(form: Form, now: bigint | null, rev: string | null): any,
 *   words(form: Form): string }} State
 */

const UNSEEN = "it was not observed yet";

/**
 * `P for N runs`: how many runs held in a row, and how many came since the last that did not hold
 * and since the last that was unknown (null: there was none).
 * @implements {State}
 */
class Streak {
  held = 0;
  /** @type {number | null} */
  sinceFalse = null;
  /** @type {number | null} */
  sinceUnknown = null;
  /** @type {Unknown | null} */
  unknown = null;

  /**
   * @param {Form} form
   * @param {any} value
   */
  counted(form, value) {
    const next = new Streak();
    next.held = value === true ? this.held + 1 : 0;
    next.sinceFalse = value === false ? 0 : oneMore(this.sinceFalse);
    next.sinceUnknown = value instanceof Unknown ? 0 : oneMore(this.sinceUnknown);
    next.unknown = value instanceof Unknown ? value : this.unknown;
    return next;
  }

  /**
   * @param {Form} form
   * @param {bigint | null} now
   * @param {string | null} rev
   */
  outcome(form, now, rev) {
    if (form.oneRevision && rev === null) {
      return new Unknown("missing", "", "the observations carry no revision");
    }
    if (this.held >= form.count) return true;
    if (this.sinceFalse !== null && this.sinceFalse < form.count) return false;
    const words = `${this.held} of ${form.count} runs in a row so far`;
    if (this.unknown !== null && (this.sinceUnknown ?? 0) < form.count) {
      return new Unknown(this.unknown.reason, this.unknown.subject, words);
    }
    return new Unknown("missing", "", words);
  }

  /** @param {Form} form */
  words(form) {
    return `${this.held} in a row, ${form.count} needed`;
  }
}

/** @param {number | null} count */
function oneMore(count) {
  return count === null ? null : count + 1;
}

/**
 * `P for D`: since when it holds unbroken, when it was last counted, when it last was false.
 * @implements {State}
 */
class Hold {
  /**
   * @param {bigint | null} since
   * @param {bigint | null} last
   * @param {bigint | null} falseAt
   */
  constructor(since = null, last = null, falseAt = null) {
    this.since = since;
    this.last = last;
    this.falseAt = falseAt;
  }

  /**
   * @param {Form} form
   * @param {any} value
   * @param {bigint | null} now
   */
  counted(form, value, now) {
    if (now === null) return this;
    const isGap = form.every !== undefined && this.last !== null && now - this.last > form.every;
    if (value === true) return new Hold((isGap ? null : this.since) ?? now, now, this.falseAt);
    return new Hold(null, now, value === false ? now : this.falseAt);
  }

  /**
   * @param {Form} form
   * @param {bigint | null} now
   */
  outcome(form, now) {
    if (now === null) return new Unknown("missing", "", "the observations carry no time");
    if (this.last === null) return new Unknown("missing", "", UNSEEN);
    if (this.falseAt !== null && this.last - this.falseAt <= form.duration) return false;
    const silent = now - this.last;
    if (form.every !== undefined && silent > form.every) {
      const most = writeDuration(form.every);
      const words = `not observed for ${spellDuration(silent)}, ${most} is the most`;
      return new Unknown("stale", "", words);
    }
    if (this.since !== null && this.last - this.since >= form.duration) return true;
    return new Unknown("missing", "", this.words(form));
  }

  /** @param {Form} form */
  words(form) {
    const needed = `${writeDuration(form.duration)} needed`;
    if (this.since === null || this.last === null) return `not held now, ${needed}`;
    return `held for ${spellDuration(this.last - this.since)}, ${needed}`;
  }
}

/**
 * `always P` and `ever P`: how many were counted, and whether any was true, false, unknown.
 * @implements {State}
 */
class Past {
  count = 0;
  wasTrue = false;
  wasFalse = false;
  /** @type {Unknown | null} */
  unknown = null;

  /**
   * @param {Form} form
   * @param {any} value
   */
  counted(form, value) {
    const next = new Past();
    next.count = this.count + 1;
    next.wasTrue = this.wasTrue || value === true;
    next.wasFalse = this.wasFalse || value === false;
    next.unknown = this.unknown ?? (value instanceof Unknown ? value : null);
    return next;
  }

  /** @param {Form} form */
  outcome(form) {
    const isAlways = form.kind === "always";
    if (isAlways ? this.wasFalse : this.wasTrue) return !isAlways;
    if (this.unknown !== null) {
      const words =
        "an earlier observation left it unknown, and that stays until a person waives it";
      return new Unknown(this.unknown.reason, this.unknown.subject, words);
    }
    return this.count === 0 ? new Unknown("missing", "", UNSEEN) : isAlways;
  }

  words() {
    return "";
  }
}

/**
 * The state before anything was counted.
 * @param {Form} form
 * @returns {State}
 */
export function initialState(form) {
  if (form.kind === "runs") return new Streak();
  return form.kind === "held" ? new Hold() : new Past();
}
