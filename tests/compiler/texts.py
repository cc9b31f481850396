"""Valid goal texts from a seed: every form of the language, typed right by construction."""

from __future__ import annotations

from random import Random

FACTS = """facts {
  a.ok : bool "is it so"
  b.ok : bool
  n.one : int in -50..1000
  n.two : int
  x.one : number
  p.one : percent as ratio
  d.one : duration as ms
  z.one : size
  m.one : money USD
  s.one : string max 200
  t.one : time
  t.may : time?
  y.one : date
  v.one : version
  f.all : set of path from git "origin/main...HEAD"
  e.one : "on" | "off"
  l.one : "low" < "mid" < "high"
  r.all : list max 50 of { name: string, n: int, ok: bool, took: duration }
  g.all : list of int
  k.all : map of int
}
"""
_LITERALS = {
    "n": ["7", "1_000", "2k", "0"], "x": ["1.5", "3", "0.25"], "p": ["85%", "0.5%", "120%"],
    "d": ["90m", "1h30m", "200ms", "2w"], "z": ["64KB", "10MiB", "5B"],
    "m": ["5.00 USD", "12 USD"], "t": ["2026-12-31T18:00Z", "2026-01-01T00:00:00.5+02:00"],
    "y": ["2026-12-31"], "v": ["v1.4.0", "v2.0.0-rc.1"],
}  # fmt: skip
_NAMES = {"n": ["n.two"], "x": ["x.one"], "p": ["p.one"], "d": ["d.one"], "z": ["z.one"],
          "m": ["m.one"], "t": ["t.one"], "y": ["y.one"], "v": ["v.one"]}  # fmt: skip
_QUANTITIES = "dzm"


class Writer:
    """Writes one text; the same seed gives the same text."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def value(self, kind: str, depth: int) -> str:
        """A value of *kind*, never constant: a fact stands in it."""
        fact = self.random.choice(_NAMES[kind])
        form = self.random.randrange(8) if depth > 0 else 0
        literal = self.random.choice(_LITERALS[kind])
        if form == 1:
            return self.one(f"({fact} at start)", f"(previous {fact})", f"({fact} at baseline)",
                            f"({fact} fresh 10m)")  # fmt: skip
        if kind in "nxpdzm":
            if form in (2, 3):
                return f"({self.value(kind, depth - 1)} {self.one('+', '-')} {literal})"
            if form == 4:
                return f"abs({self.value(kind, depth - 1)})"
            if form == 5 and kind in _QUANTITIES:
                return f"({fact} * {self.one('3', '50%')})"
            if form == 6:
                return f"(-{fact})"
        if kind == "n" and form == 7:
            return self.one(
                "count(q in r.all where q.ok)", "sum(g.all)", "streak(q.ok for q in r.all)",
                "longest(q.ok for q in r.all where q.n > 1)", 'k.all["a"]', "max(g.all)",
                "max(q.n for q in r.all)", "count(distinct(q.name for q in r.all))",
            )  # fmt: skip
        if kind == "d" and form == 7:
            return self.one("age(t.one)", "percentile(q.took for q in r.all, 95%)")
        if kind == "p" and form == 7:
            return "share(q.ok for q in r.all)"
        return fact

    def plain(self, depth: int) -> str:
        """A predicate without a temporal form, that needs no parentheses."""
        kind = self.random.choice("nxpdzmtyv")
        left, literal = self.value(kind, depth), self.random.choice(_LITERALS[kind])
        comparison = self.one("==", "!=", "<", "<=", ">", ">=")
        return self.one(
            "a.ok", "b.ok", f"{left} {comparison} {literal}", f"{left} {comparison} {literal}",
            'e.one == "on"', 'l.one >= "mid"', 'e.one != "off"',
            '"docs/x.md" in f.all', 's.one matches r"^fix\\("', 's.one contains "x"',
            's.one like ["a*", "b/**"]', "n.two not in 1..10", "n.two in [1, 2, 3]", "past(t.one)",
            "t.may == null", "t.may != null",
        )  # fmt: skip

    def predicate(self, depth: int) -> str:
        if depth <= 0:
            return self.plain(1)
        inner = self.predicate(depth - 1)
        other = self.predicate(depth - 1)
        return self.random.choice(
            [
                self.plain(2),
                f"({inner}) and ({other})",
                f"({inner}) or ({other}) or a.ok",
                f"not ({inner})",
                f"any q in r.all: (q.ok and ({self.plain(1)}))",
                "all q in r.all where q.n > 1: q.took < 5m",
                'none file in f.all: file like "secret/**"',
                "each q in r.all: q.ok",
            ]
        )

    def check(self) -> str:
        body = self.predicate(self.random.randrange(3))
        return self.random.choice(
            [
                body, body, f"({self.plain(1)}) for {self.random.randint(1, 9)} runs of a.ok",
                "(a.ok and b.ok) for 10m every 2m", "a.ok for 3 runs of b.ok on one revision",
                "(always a.ok) or b.ok", "ever (a.ok or b.ok)",
            ]
        )  # fmt: skip

    def conditions(self) -> str:
        lines = []
        for number in range(self.random.randint(1, 4)):
            kind = self.one("criterion", "advisory criterion", "constraint", "stop", "criterion")
            clauses = "".join(
                f"    {keyword} {self.predicate(1)}\n"
                for keyword in ("when", "given")
                if self.random.random() < 0.2
            ) + (f"    check {self.check()}\n" if self.random.random() < 0.9 else "")
            id = f"id-{number} " if self.random.random() < 0.8 else ""
            lines.append(f'  {kind} {id}"Text {number} 🚀 \\u{{e9}}"\n{clauses}')
        return "".join(lines)

    def text(self) -> str:
        blocks = [
            "  budget { cost 5.00 USD tokens 200k runtime 4h }\n", "  budget { turns 25 attempts 3 }\n",
            "  pins { keep goal, decision kind runbook lane developer max_body 500 }\n",
            '  pin decision "Retry in the client"\n', '  protect "tests/**" allow new "tests/new/*"\n',
            "  judge { max_invocations 3 on_error pause quorum 2 of 3 }\n",
        ]  # fmt: skip
        kept = [b for b in blocks if self.random.random() < 0.4]
        if any("cost" in b for b in kept):
            kept = [b for b in kept if "turns" not in b]
        return (
            f"{FACTS}\ngoal g {{\n"
            f'  objective "Ship it."\n  let few = n.two < 3\n  criterion main "It holds"\n'
            f"    check few or ({self.check()})\n{self.conditions()}{''.join(kept)}}}\n"
        )


def goal_text(seed: int) -> str:
    return Writer(seed).text()
