// The engine: observations in, a verdict out, and the little state that temporal forms need. It
// keeps each fact's value until it is observed again, withdrawn, or its revision changes; the start
// observation; and two counters for each streak. What a predicate reads is prepared as one Facts
// value, in which a view (`at start`, `previous`, `fresh`) or a streak is a key like any other.

import { Invalid, factConverter } from "./conversion.mjs";
import { explain } from "./explanation.mjs";
import { explicitUnknown, flattener, undeclaredFields } from "./facts.mjs";
import { BadFacts, parse } from "./json.mjs";
import { Facts } from "./kernel.mjs";
import { LiteralError, readTime, writeDuration, writeTime } from "./literals.mjs";
import { hintOf, illTypedPlaces, noteOf, surplusNotes } from "./notes.mjs";
import { initialState } from "./temporal.mjs";
import { firstOf } from "./text.mjs";
import { Unknown, equal, isTainted } from "./values.mjs";
import { Result, Verdict } from "./verdict.mjs";

/** @typedef {import("./explanation.mjs").Predicate} Predicate */
/** @typedef {import("./temporal.mjs").Form} Form */
/** @typedef {import("./temporal.mjs").State} State */
/** @typedef {import("./notes.mjs").Note} Note */

/**
 * @typedef {{ key: string, fact: string, view: string, within: bigint }} View
 * @typedef {{ id: string, text: string, mode: string, when?: Predicate, given?: Predicate,
 *   check?: Predicate }} Part
 * @typedef {{ goal: string, contract: string, facts?: any[], views?: View[],
 *   known?: Map<string, string>, hostChecks?: Map<string, string>, forms?: Map<string, Form>,
 *   criteria?: Part[], constraints?: Part[], stops?: Part[] }} Program
 * @typedef {{ value: any, at: bigint | null, rev: string | null, order: number, previous: any,
 *   previousOrder: number }} Known a fact's current value, when, on which revision and in which
 *   observation it was seen, and the value before
 * @typedef {{ form: Form, state: State, before: State, lastId: string | null }} Clocked a temporal
 *   form: its state, and the state before the last counted id
 */

export const NOW = "the observation's time";
const MAX_IDS = 256;
const CLOCK_TOLERANCE = 5n * 60n * 10n ** 9n;
const MAX_WORDS = 200; // of the error of a host's own check

/** An observation whose time cannot be right; nothing of it was taken. */
export class RefusedObservation extends Error {
  get name() {
    return "RefusedObservation";
  }
}

/** Checks one program over a series of observations. */
export class Engine {
  /** @type {Program} */
  #program;
  /** @type {string | null} */
  #root;
  /** @type {Map<string, any>} */
  #declared;
  #flatten;
  /** @type {Map<string, (value: any) => any>} */
  #converters = new Map();
  /** @type {[string, string, unknown][]} */
  #hostChecks;
  /** @type {Map<string, Clocked>} */
  #clocked;
  /** @type {Map<string, Predicate>} */
  #inner;
  /** @type {Map<string, Known>} */
  #facts = new Map();
  /** @type {Map<string, any>} */
  #start = new Map();
  /** @type {Map<string, any>} */
  #baseline;
  /** @type {string | null} */
  #startId = null;
  #isStarted = false;
  #isAtStart = false; // is the current observation still the start observation?
  /** @type {Map<string, Map<string, any>>} what each id said, the last used last */
  #ids = new Map();
  /** @type {Map<string, Set<string>>} */
  #countedIds = new Map();
  /** @type {Map<string, number>} */
  #orders = new Map();
  #count = 0;
  /** @type {bigint | null} */
  #now = null;
  /** @type {boolean | null} */
  #isTimed = null;
  /** @type {string | null} */
  #rev = null;

  /**
   * @param {Program} program
   * @param {{ baseline?: any, root?: string, hostChecks?: any }} options
   */
  constructor(program, { baseline = {}, root, hostChecks = {} } = {}) {
    this.#program = program;
    this.#root = root ?? null;
    const { facts = [], hostChecks: asked = new Map(), forms = new Map() } = program;
    this.#declared = new Map(facts.map((fact) => [fact.name, fact]));
    this.#flatten = flattener([...this.#declared.keys()]);
    this.#hostChecks = [...asked].map(([key, name]) => [key, name, ownOf(hostChecks, name)]);
    this.#clocked = new Map([...forms].map(([key, form]) => [key, clockedOf(form)]));
    this.#inner = new Map([...forms].map(([key, form]) => [key, form.inner]));
    /** @type {Note[]} */
    this.baselineNotes = [];
    const { found } = this.#flatten(jsonOf(baseline));
    this.#baseline = this.#converted(found, this.baselineNotes);
  }

  // --- observing

  /**
   * Take one observation and say what it shows. Throws BadFacts where it is no JSON of facts, and
   * RefusedObservation where the time cannot be right; then nothing changes.
   * @param {any} facts
   * @param {{ at?: string, id?: string, rev?: string, receivedAt?: string }} envelope
   */
  observe(facts, envelope = {}) {
    const [at, id, rev, receivedAt] = ["at", "id", "rev", "receivedAt"].map((key) =>
      textUnder(envelope, key),
    );
    /** @type {Note[]} */
    const notes = [];
    const json = jsonOf(facts);
    const { found, undeclared } = this.#flatten(json);
    const now = this.#time(at, receivedAt, notes);
    notes.push(...undeclared.map((name) => this.#undeclared(name)));
    const entered = this.#converted(found, notes);
    this.#now = now;
    this.#isTimed = now !== null;
    if (rev !== null && rev !== this.#rev) this.#turnTo(rev);
    const supplied = this.#merged(id, entered);
    if (!this.#isStarted) {
      [this.#isStarted, this.#startId, this.#isAtStart] = [true, id, true];
    } else if (id === null || id !== this.#startId) {
      this.#isAtStart = false;
    }
    if (this.#isAtStart || (id !== null && id === this.#startId)) {
      supplied.forEach((value, name) => this.#start.set(name, value));
    }
    this.#take(supplied, id);
    const current = this.#snapshot();
    for (const [key, name, check] of this.#hostChecks)
      put(current, key, hostChecked(name, check, json));
    this.#countForms(current, id, supplied);
    this.#addForms(current);
    return this.#verdict(current, notes);
  }

  /**
   * A new revision: what counts on one revision starts again.
   * @param {string} rev
   */
  #turnTo(rev) {
    this.#rev = rev;
    for (const clocked of this.#clocked.values()) {
      if (clocked.form.oneRevision) clocked.state = clocked.before = initialState(clocked.form);
    }
  }

  /**
   * @param {string | null} at
   * @param {string | null} receivedAt
   * @param {Note[]} notes
   */
  #time(at, receivedAt, notes) {
    if (at === null) {
      if (this.#isTimed !== true) return null;
      throw new RefusedObservation(
        "the observation has no time, and those before it have: give each its `at`",
      );
    }
    if (this.#isTimed === false) {
      throw new RefusedObservation(
        "the observation has a time, and those before it have none: give each its `at`",
      );
    }
    const now = timeOf(at);
    if (receivedAt !== null && now - timeOf(receivedAt) > CLOCK_TOLERANCE) {
      throw new RefusedObservation(`the time ${at} is more than 5 minutes ahead of the clock`);
    }
    if (this.#now === null || now >= this.#now) return now;
    const last = writeTime(this.#now);
    if (this.#now - now > CLOCK_TOLERANCE) {
      throw new RefusedObservation(
        `the time ${at} is more than 5 minutes before the last observation's, ${last}`,
      );
    }
    notes.push(noteOf("clamped", "", `the time ${at} was taken as ${last}, the last one`));
    return this.#now;
  }

  /** @param {string} name */
  #undeclared(name) {
    const hint = hintOf(name, this.#declared.keys());
    return noteOf("undeclared", name, `the goal file declares no fact ${name}${hint}`);
  }

  /**
   * @param {Map<string, any>} raw
   * @param {Note[]} notes
   * @returns {Map<string, any>}
   */
  #converted(raw, notes) {
    return new Map([...raw].map(([name, value]) => [name, this.#convert(name, value, notes)]));
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {Note[]} notes
   */
  #convert(name, value, notes) {
    const unknown = explicitUnknown(value);
    if (unknown !== null) return new Unknown(unknown.reason, name, unknown.words);
    try {
      const result = this.#converter(name)(value);
      const { type } = this.#declared.get(name);
      for (const place of illTypedPlaces(type, result)) {
        notes.push(noteOf("invalid", name, `${name}${place}`));
      }
      notes.push(...surplusNotes(name, undeclaredFields(type, value)));
      return result;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      notes.push(noteOf("invalid", name, `${name}: ${error.message}`));
      return new Unknown("invalid", name, error.message);
    }
  }

  /** @param {string} name */
  #converter(name) {
    let convert = this.#converters.get(name);
    if (convert === undefined) {
      convert = factConverter(this.#declared.get(name), this.#root);
      this.#converters.set(name, convert);
    }
    return convert;
  }

  /**
   * What is new in *supplied* under its id: parts of one observation merge, and a fact that is
   * given two values under one id is unknown.
   * @param {string | null} id
   * @param {Map<string, any>} supplied
   */
  #merged(id, supplied) {
    if (id === null) return supplied;
    const earlier = this.#ids.get(id) ?? new Map();
    this.#ids.delete(id);
    this.#ids.set(id, earlier);
    for (const forgotten of this.#ids.keys()) {
      if (this.#ids.size <= MAX_IDS) break;
      this.#ids.delete(forgotten);
      this.#countedIds.delete(forgotten);
      this.#orders.delete(forgotten);
    }
    const news = new Map();
    const words = `two values under the id ${id}`;
    for (const [name, value] of supplied) {
      const known = earlier.get(name);
      const isConflict = known instanceof Unknown && known.words === words;
      if (isConflict || (known !== undefined && equal(known, value))) continue;
      const taken = known === undefined ? value : new Unknown("invalid", name, words);
      earlier.set(name, taken);
      news.set(name, taken);
    }
    return news;
  }

  /**
   * @param {Map<string, any>} supplied
   * @param {string | null} id
   */
  #take(supplied, id) {
    const order = this.#orderOf(id);
    for (const [name, value] of supplied) {
      const known = this.#facts.get(name);
      if (known !== undefined && known.order > order) {
        // A late part of an older observation: not the newest value, perhaps the one before.
        if (order >= known.previousOrder) [known.previous, known.previousOrder] = [value, order];
        continue;
      }
      const [previous, previousOrder] = before(name, known, order);
      this.#facts.set(name, {
        value,
        at: this.#now,
        rev: this.#rev,
        order,
        previous,
        previousOrder,
      });
    }
  }

  /**
   * The place of an observation among all; parts of one id share theirs.
   * @param {string | null} id
   */
  #orderOf(id) {
    const known = id === null ? undefined : this.#orders.get(id);
    if (known !== undefined) return known;
    this.#count += 1;
    if (id !== null) this.#orders.set(id, this.#count);
    return this.#count;
  }

  // --- what predicates read

  /** The reads of every predicate as of now, temporal forms still left out. */
  #snapshot() {
    const current = new Facts();
    const { views = [], known = new Map() } = this.#program;
    for (const view of views) put(current, view.key, this.#read(view));
    for (const [key, name] of known) {
      current.known.set(key, !(this.#current(name) instanceof Unknown));
    }
    put(current, NOW, this.#now ?? new Unknown("missing", NOW, "the observations carry no time"));
    return current;
  }

  /** @param {View} view */
  #read({ fact, view, within }) {
    switch (view) {
      case "start":
        if (this.#isAtStart)
          return new Unknown("missing", fact, "this is the start observation itself");
        return orMissing(this.#start.get(fact), fact, "it was not in the start observation");
      case "baseline":
        return orMissing(this.#baseline.get(fact), fact, "it is not in the baseline");
      case "previous":
        return orMissing(this.#facts.get(fact)?.previous, fact, "");
      case "fresh":
        return this.#fresh(fact, within);
      default:
        return this.#current(fact);
    }
  }

  /** @param {string} name */
  #current(name) {
    const known = this.#facts.get(name);
    if (known === undefined) return new Unknown("missing", name);
    if (known.rev === this.#rev || this.#declared.get(name).lasting) return known.value;
    const seen = known.rev ?? "no revision";
    return new Unknown("stale", name, `it was observed on ${seen}, now at ${this.#rev}`);
  }

  /**
   * @param {string} name
   * @param {bigint} within
   */
  #fresh(name, within) {
    const value = this.#current(name);
    const known = this.#facts.get(name);
    if (value instanceof Unknown || known === undefined) return value;
    if (this.#now === null || known.at === null) {
      return new Unknown("missing", name, "the observations carry no time");
    }
    if (this.#now - known.at <= within) return value;
    return new Unknown("stale", name, `it was observed more than ${writeDuration(within)} ago`);
  }

  // --- temporal forms

  /**
   * @param {Facts} current
   * @param {string | null} id
   * @param {Map<string, any>} supplied
   */
  #countForms(current, id, supplied) {
    const seen = id === null ? supplied : (this.#ids.get(id) ?? supplied);
    for (const [key, clocked] of this.#clocked) {
      const { form } = clocked;
      const needs = form.needs ?? []; // a form without needs is never counted
      if (!needs.every((name) => seen.has(name)) || !needs.some((name) => supplied.has(name)))
        continue;
      const isAgain = id !== null && this.#countedIds.get(id)?.has(key) === true;
      if (isAgain && clocked.lastId !== id) continue;
      const state = isAgain ? clocked.before : clocked.state;
      const value = form.inner.decide(this.#asObserved(current, id));
      clocked.before = state;
      clocked.state = state.counted(form, value, this.#now);
      clocked.lastId = id;
      if (id !== null) this.#countedIds.set(id, (this.#countedIds.get(id) ?? new Set()).add(key));
    }
  }

  /**
   * What a counted predicate reads: of an observation that comes in parts, its own values, though a
   * later one has brought others.
   * @param {Facts} current
   * @param {string | null} id
   */
  #asObserved(current, id) {
    if (id === null || this.#orders.get(id) === this.#count) return current;
    const own = new Facts();
    own.known = new Map(current.known);
    own.unknown = new Map(current.unknown);
    own.tainted = current.tainted;
    const given = this.#ids.get(id) ?? new Map();
    for (const [name, value] of given) {
      own.known.delete(name);
      own.unknown.delete(name);
      put(own, name, value);
    }
    for (const [key, name] of this.#program.known ?? []) {
      if (given.has(name)) own.known.set(key, !(given.get(name) instanceof Unknown));
    }
    return own;
  }

  /** @param {Facts} current */
  #addForms(current) {
    for (const [key, { form, state }] of this.#clocked) {
      put(current, key, state.outcome(form, this.#now, this.#rev));
    }
  }

  // --- the verdict

  /**
   * @param {Facts} current
   * @param {Note[]} notes
   */
  #verdict(current, notes) {
    const { goal, contract, criteria = [], constraints = [], stops = [] } = this.#program;
    const words = new Map(
      [...this.#clocked].map(([key, { form, state }]) => [key, state.words(form)]),
    );
    const results = (
      /** @type {Part[]} */ parts,
      /** @type {string} */ yes,
      /** @type {string} */ no,
    ) => parts.map((part) => this.#result(part, current, words, yes, no));
    return new Verdict(
      goal,
      contract,
      results(criteria, "met", "unmet"),
      results(constraints, "held", "violated"),
      results(stops, "stopped", "held"),
      notes,
    );
  }

  /**
   * @param {Part} part
   * @param {Facts} current
   * @param {Map<string, string>} words
   * @param {string} yes
   * @param {string} no
   */
  #result(part, current, words, yes, no) {
    const because =
      (/** @type {Predicate} */ predicate, prefix = "") =>
      () =>
        prefix + explain(predicate, current, this.#inner, words);
    const { when, given, check } = part;
    const applies = when === undefined ? true : when.decide(current);
    if (when !== undefined && applies !== true) {
      const [outcome, unknown] = applies === false ? ["waived", null] : ["unknown", applies];
      return new Result(part, outcome, unknown, because(when, "when: "));
    }
    const counts = given === undefined ? true : given.decide(current);
    if (given !== undefined && counts !== true) {
      const unknown = counts === false ? new Unknown("skipped", "", NOT_GIVEN) : counts;
      return new Result(part, "unknown", unknown, because(given, "given: "));
    }
    if (check === undefined) return new Result(part, "judged", null, () => "a judge decides");
    const value = check.decide(current);
    const unknown = value instanceof Unknown ? value : null;
    return new Result(
      part,
      unknown === null ? (value ? yes : no) : "unknown",
      unknown,
      because(check),
    );
  }
}

const NOT_GIVEN = "what is given for the measurement does not hold";

/**
 * Facts as JSON values: a text is read.
 * @param {any} facts
 */
function jsonOf(facts) {
  return typeof facts === "string" ? parse(facts) : facts;
}

/**
 * A text of the envelope, or null.
 * @param {any} envelope
 * @param {string} key
 * @returns {string | null}
 */
function textUnder(envelope, key) {
  const value = envelope[key] ?? null;
  if (value === null || typeof value === "string") return value;
  throw new BadFacts(`the ${key} of an observation is a text, not a ${typeof value}`);
}

/**
 * @param {any} checks
 * @param {string} name
 */
function ownOf(checks, name) {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

/** @param {string} text */
function timeOf(text) {
  try {
    return readTime(text);
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error;
    throw new BadFacts(error.hint === null ? error.message : `${error.message}: ${error.hint}`);
  }
}

/**
 * @param {Form} form
 * @returns {Clocked}
 */
function clockedOf(form) {
  const state = initialState(form);
  return { form, state, before: state, lastId: null };
}

/**
 * @param {any} value
 * @param {string} name
 * @param {string} words
 */
function orMissing(value, name, words) {
  return value === undefined ? new Unknown("missing", name, words) : value;
}

/**
 * The value before the one that an observation brings, and its place.
 * @param {string} name
 * @param {Known | undefined} known
 * @param {number} order
 * @returns {[any, number]}
 */
function before(name, known, order) {
  if (known === undefined) return [new Unknown("missing", name, "it has no earlier value"), 0];
  return known.order === order ? [known.previous, known.previousOrder] : [known.value, known.order];
}

/**
 * @param {Facts} current
 * @param {string} key
 * @param {any} value
 */
function put(current, key, value) {
  const isOpen = isTainted(value);
  // An ill-typed value of a map: the straight form stays away from all of it.
  if (isOpen) current.tainted = true;
  (isOpen || value instanceof Unknown ? current.unknown : current.known).set(key, value);
}

// --- checks of the host's own

/**
 * What a host's check says of the facts: true, false or Unknown.
 * @param {string} name
 * @param {unknown} check
 * @param {any} facts
 */
function hostChecked(name, check, facts) {
  if (typeof check !== "function")
    return new Unknown("missing", "", `the host bound no check to ${name}`);
  let answer;
  try {
    answer = check(facts);
  } catch (error) {
    // whatever it is: an error of a check is no success and no end
    return new Unknown("error", "", firstOf(errorWords(error), MAX_WORDS));
  }
  if (answer === true || answer === false) return answer;
  if (answer === null || answer === undefined) {
    return new Unknown("missing", "", "the check returned nothing");
  }
  if (typeof answer.then === "function") {
    Promise.resolve(answer).catch(() => {}); // nobody will await it
    return new Unknown("invalid", "", "the check is async, and a check answers at once");
  }
  return new Unknown("invalid", "", `the check returned a ${typeof answer}, no boolean`);
}

/** @param {unknown} error */
function errorWords(error) {
  if (!(error instanceof Error)) return `it threw a ${typeof error}`;
  return error.message === "" ? error.name : `${error.name}: ${error.message}`;
}
