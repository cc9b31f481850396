// Globs and regular expressions as the compiler read them: a program of few instructions, which an
// automaton runs. Its sets of states are the bits of a BigInt, and its deterministic form is built
// lazily in a bounded cache, so a match takes time linear in the text whatever the pattern. The
// engine's own regular expressions are not used: they backtrack.
//
// An instruction is one of
//   [[low, high], …]   consume a character of these ranges and go to the next instruction
//   [distance, …]      go on at each of these distances, consuming nothing
//   "A ^ z $ b B"      one of these: go to the next instruction if the place is right

/** @typedef {[number, number][] | number[] | string} Instruction */

const MAX_EDGES = 4096; // cached transitions; the cache is dropped when it is full
const [EDGE, NEWLINE, WORD, OTHER] = [0, 1, 2, 3]; // what stands beside a place

/**
 * The test of a program: does the text match?
 * @param {Instruction[]} program
 * @returns {(text: string) => boolean}
 */
export function matcher(program) {
  const automaton = new Automaton(program);
  return (text) => automaton.run(text);
}

/**
 * @param {Instruction} step
 * @returns {step is number[]}
 */
function isFork(step) {
  return Array.isArray(step) && typeof step[0] === "number";
}

/** @param {string} char */
function kindOf(char) {
  if (char === "") return EDGE;
  if (char === "\n") return NEWLINE;
  return /^[0-9A-Za-z_]$/.test(char) ? WORD : OTHER;
}

/**
 * Whether an assertion holds between two kinds; null if that hangs on what comes after.
 * @param {string} what
 * @param {number} before
 * @param {number | null} after
 */
function assertionHolds(what, before, after) {
  if (what === "A" || what === "^") return before === EDGE || (what === "^" && before === NEWLINE);
  if (after === null) return null;
  if (what === "z" || what === "$") return after === EDGE || (what === "$" && after === NEWLINE);
  return ((before === WORD) !== (after === WORD)) === (what === "b");
}

/**
 * The bits of the places, forks apart, that a place comes to by forks alone.
 * @param {Instruction[]} program
 * @param {number} start
 */
function targetsOf(program, start) {
  const seen = new Set([start]);
  let bits = 0n;
  for (const place of seen) {
    // which grows
    const step = program[place];
    if (place < program.length && isFork(step)) step.forEach((jump) => seen.add(place + jump));
    else bits |= 1n << BigInt(place);
  }
  return bits;
}

/**
 * Which bits are set.
 * @param {bigint} bits
 */
function placesOf(bits) {
  const digits = Array.from(bits.toString(2)).reverse();
  return digits.flatMap((digit, place) => (digit === "1" ? [place] : []));
}

/**
 * A state of the deterministic automaton. *live* has a bit for each instruction that waits: for a
 * character, or, at an assertion, for sight of the next one, and only then *before* matters. The
 * edge on "" is the end.
 */
class State {
  /**
   * @param {bigint} live
   * @param {number} before
   * @param {boolean | null} verdict
   */
  constructor(live, before, verdict) {
    this.live = live;
    this.before = before;
    this.verdict = verdict;
    /** @type {Map<string, State>} */
    this.edges = new Map();
  }
}

class Automaton {
  yes = new State(0n, EDGE, true);
  no = new State(0n, EDGE, false);

  /** @param {Instruction[]} program */
  constructor(program) {
    this.accept = 1n << BigInt(program.length);
    this.first = targetsOf(program, 0);
    /** @type {Map<bigint, [string, bigint]>} what is asserted, and where it leads */
    this.looks = new Map();
    /** @type {Map<number, bigint>} where the eaters of a set of characters change */
    const cuts = new Map([[0, 0n]]);
    /** @type {Map<number, bigint>} who leads on over a distance: one shift moves all of them */
    const shifts = new Map();
    program.forEach((step, place) => {
      if (isFork(step)) return;
      const bit = 1n << BigInt(place);
      const targets = targetsOf(program, place + 1);
      if (typeof step === "string") {
        this.looks.set(bit, [step, targets]);
        return;
      }
      for (const [low, high] of /** @type {[number, number][]} */ (step)) {
        cuts.set(low, (cuts.get(low) ?? 0n) ^ bit);
        cuts.set(high + 1, (cuts.get(high + 1) ?? 0n) ^ bit);
      }
      for (const target of placesOf(targets)) {
        shifts.set(target - place, (shifts.get(target - place) ?? 0n) | bit);
      }
    });
    this.shifts = [...shifts].map(([distance, bits]) => [BigInt(distance), bits]);
    this.looking = [...this.looks.keys()].reduce((all, bit) => all | bit, 0n);
    this.revives = [...this.looks.values()].some(([what]) => what === "^");
    // Between two neighbouring cuts all characters are eaten by the same instructions.
    this.cuts = [...cuts.keys()].sort((one, other) => one - other);
    let mask = 0n;
    this.masks = this.cuts.map((cut) => (mask ^= cuts.get(cut) ?? 0n));
    /** @type {Map<string, State>} */
    this.states = new Map();
    this.edges = 0;
    this.start = this.state(this.first, EDGE);
  }

  /** @param {string} text */
  run(text) {
    let state = this.start;
    for (const char of text) {
      if (state.verdict !== null) return state.verdict;
      state = state.edges.get(char) ?? this.step(state, char);
    }
    return (state.verdict === null ? this.step(state, "") : state).verdict === true;
  }

  /** Drop the cache. */
  forget() {
    this.states.clear();
    this.edges = 0;
    this.start = this.state(this.first, EDGE);
  }

  /**
   * @param {State} state
   * @param {string} char
   */
  step(state, char) {
    if (this.edges >= MAX_EDGES) this.forget();
    this.edges += 1;
    const target = this.target(state, char);
    state.edges.set(char, target);
    return target;
  }

  /**
   * @param {State} state
   * @param {string} char
   */
  target(state, char) {
    const kind = kindOf(char);
    const settled = this.settle(state.live, state.before, kind);
    if ((settled & this.accept) !== 0n) return this.yes;
    if (char === "") return this.no;
    const eaten = settled & this.eaters(char.codePointAt(0) ?? 0);
    let live = this.first; // for a search may begin at any place
    for (const [distance, bits] of this.shifts) live |= (eaten & bits) << distance;
    return this.state(live, kind);
  }

  /**
   * The instructions that eat a character.
   * @param {number} point
   */
  eaters(point) {
    let [low, high] = [0, this.cuts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.cuts[middle] <= point) low = middle;
      else high = middle;
    }
    return this.masks[low];
  }

  /**
   * @param {bigint} unsettled
   * @param {number} before
   */
  state(unsettled, before) {
    const live = this.settle(unsettled, before, null);
    if ((live & this.accept) !== 0n) return this.yes;
    if (live === 0n && !this.revives) return this.no;
    const kind = (live & this.looking) !== 0n ? before : EDGE;
    const key = `${live.toString(36)},${kind}`;
    let state = this.states.get(key);
    if (state === undefined) {
      state = new State(live, kind, null);
      this.states.set(key, state);
    }
    return state;
  }

  /**
   * Replace the assertions that these neighbours decide by what they lead to.
   * @param {bigint} live
   * @param {number} before
   * @param {number | null} after
   */
  settle(live, before, after) {
    let done = 0n;
    for (;;) {
      const todo = live & this.looking & ~done;
      if (todo === 0n) return live;
      const bit = todo & -todo;
      done |= bit;
      const [what, then] = /** @type {[string, bigint]} */ (this.looks.get(bit));
      const holds = assertionHolds(what, before, after);
      if (holds !== null) live ^= bit;
      if (holds) live |= then & ~done;
    }
  }
}
