"""The codes of the stages resolve and type, each with its page: why, a bad file, a good one."""

from __future__ import annotations

from ..grammar.codes import CODES as GRAMMAR_CODES
from ..grammar.diagnostics import Code, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING


def _check(facts: str, check: str, more: str = "") -> str:
    """A whole file with one criterion."""
    return (
        f"facts {{\n  {facts}\n}}\n\ngoal g {{\n"
        f'  objective "Ship it."\n{more}  criterion c "It holds"\n    check {check}\n}}\n'
    )


def _goal(*lines: str, before: str = "") -> str:
    """A whole file with one goal of the given lines."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"{before}goal g {{\n{body}}}\n"


_OBJECTIVE = 'objective "Ship it."'
_CRITERION = 'criterion c "It holds"'
_PLAIN = _goal(_OBJECTIVE, _CRITERION)

# --- names and files

UNDECLARED_FACT = Code(
    "GS201", "undeclared-fact", "resolve", _ERROR,
    "Every fact that a predicate reads is declared with a type, so that a typing mistake is an "
    "error here and not a check that is unknown for ever.",
    _check("suite.passed : bool", "suite.pased"),
    _check("suite.passed : bool", "suite.passed"),
)  # fmt: skip
UNKNOWN_FUNCTION = Code(
    "GS202", "unknown-function", "resolve", _ERROR,
    "The language has a fixed set of functions and aggregates; a file cannot add any, so that "
    "every check ends and has no side effect.",
    _check("sizes : list of int", "avg(sizes) < 10"),
    _check("sizes : list of int", "mean(sizes) < 10"),
)  # fmt: skip
UNKNOWN_WORD = Code(
    "GS203", "unknown-word", "resolve", _ERROR,
    "Keys, types, units, kinds and outcomes are closed lists. An unknown one is an error with the "
    "nearest known one, never ignored: a misspelt limit would limit nothing.",
    _goal(_OBJECTIVE, _CRITERION, "budget { turn 25 }"),
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 25 }"),
)  # fmt: skip
UNKNOWN_PRESET = Code(
    "GS204", "unknown-preset", "resolve", _ERROR,
    "A goal takes from a preset what it leaves unsaid, so the preset must be in the file or in one "
    "that it uses.",
    _goal("preset merge_captn", _OBJECTIVE, _CRITERION, before='use std "captains/1"\n\n'),
    _goal("preset merge_captain", _OBJECTIVE, _CRITERION, before='use std "captains/1"\n\n'),
)  # fmt: skip
UNKNOWN_GOAL = Code(
    "GS205", "unknown-goal", "resolve", _ERROR,
    "A test names the goal that it tests.",
    _PLAIN + '\ntest "t" for h {\n  expect not done\n}\n',
    _PLAIN + '\ntest "t" for g {\n  expect not done\n}\n',
)  # fmt: skip
UNKNOWN_ID = Code(
    "GS206", "unknown-id", "resolve", _ERROR,
    "`expect` names a criterion, constraint or stop of the goal, presets included.",
    _PLAIN + '\ntest "t" for g {\n  expect d judged\n}\n',
    _PLAIN + '\ntest "t" for g {\n  expect c judged\n}\n',
)  # fmt: skip
DUPLICATE_ID = Code(
    "GS207", "duplicate-id", "resolve", _ERROR,
    "Verdicts, pins and judge records name criteria and constraints by id, so each id of a goal "
    "is there once; a criterion without one has the id `sc_N`, a constraint `c_N`, a stop "
    "`stop_N`, and these count too.",
    _goal(_OBJECTIVE, 'criterion c "It holds"', 'criterion c "It holds still"'),
    _goal(_OBJECTIVE, 'criterion c "It holds"', 'criterion d "It holds still"'),
)  # fmt: skip
DUPLICATE = Code(
    "GS208", "duplicate-declaration", "resolve", _ERROR,
    "What is said twice is said once: facts, goals, presets, names of `let`, keys of a block, an "
    "objective. One fact may come from several files if it is declared the same in each.",
    _goal(_OBJECTIVE, 'objective "Ship it twice."', _CRITERION),
    _PLAIN,
)  # fmt: skip
BLANK = Code(
    "GS209", "blank-text", "resolve", _ERROR,
    "An objective, a description or a pin that is empty or white space says nothing to the agent, "
    "the judge or the reviewer.",
    _goal('objective " "', _CRITERION),
    _PLAIN,
)  # fmt: skip
NO_OBJECTIVE = Code(
    "GS210", "no-objective", "resolve", _ERROR,
    "The objective is what every prompt, pin and judge of the goal begins with.",
    _goal(_CRITERION),
    _PLAIN,
)  # fmt: skip
NO_CRITERION = Code(
    "GS211", "no-criterion", "resolve", _ERROR,
    "Without a criterion that gates, a goal is never done, or done at once. A standing order names "
    "who ends it, as a fact: `criterion ended \"The owner ended it\" check order.ended`.",
    _goal(_OBJECTIVE, 'advisory criterion c "It holds"'),
    _PLAIN,
)  # fmt: skip
USE_NOT_FOUND = Code(
    "GS212", "use-not-found", "resolve", _ERROR,
    "`use` reads another goal file, relative to this one, or a pack that ships with goalspec. What "
    "cannot be read is an error: a contract without its facts is no contract.",
    'use std "captans/1"\n\n' + _PLAIN,
    'use std "ci/1"\n\n' + _PLAIN,
)  # fmt: skip
USE_OUTSIDE = Code(
    "GS213", "use-outside", "resolve", _ERROR,
    "A goal file takes nothing from outside its project (the nearest folder with `.git` or "
    "`[tool.goalspec]`), also not through a symbolic link: the contract is what was reviewed.",
    'use "../../elsewhere.goal"\n\n' + _PLAIN,
    'use std "ci/1"\n\n' + _PLAIN,
)  # fmt: skip
CIRCLE = Code(
    "GS214", "circle", "resolve", _ERROR,
    "Files that use each other, or presets that build on each other, in a circle have no meaning.",
    'preset a { preset b }\npreset b { preset a }\n\n' + _PLAIN,
    'preset a { preset b }\npreset b { budget { turns 9 } }\n\n' + _PLAIN,
)  # fmt: skip
IMPORT_LIMIT = Code(
    "GS215", "import-limit", "resolve", _ERROR,
    "One file uses at most 1,000 files of 16 MiB in all, so that a hostile repository cannot make "
    "a linter run for ever.",
    '(a file that uses 1,001 others)\n',
    'use std "ci/1"\n\n' + _PLAIN,
)  # fmt: skip
UNUSED_FACT = Code(
    "GS216", "unused-fact", "resolve", _WARNING,
    "A fact that no predicate reads is perhaps a criterion that somebody forgot to write.",
    "facts {\n  suite.passed : bool\n}\n\n" + _PLAIN,
    _check("suite.passed : bool", "suite.passed"),
)  # fmt: skip
FACT_PREFIX = Code(
    "GS217", "fact-prefix", "resolve", _ERROR,
    "With a fact `deploy` beside `deploy.state`, `deploy.state` could be a field of the first.",
    'facts {\n  deploy : bool\n  deploy.state : string\n}\n',
    'facts {\n  deploy.done : bool\n  deploy.state : string\n}\n',
)  # fmt: skip
BOUND_NAME = Code(
    "GS218", "bound-name", "resolve", _ERROR,
    "A quantifier's variable or a `let` with the name of something else would hide it.",
    _check("diff.files : set of path", 'all diff in diff.files: diff like "src/**"'),
    _check("diff.files : set of path", 'all f in diff.files: f like "src/**"'),
)  # fmt: skip
EDITION = Code(
    "GS219", "edition", "resolve", _ERROR,
    "`edition` opens a file and fixes what it means for ever; this goalspec knows edition 1.",
    "edition 2\n\n" + _PLAIN,
    "edition 1\n\n" + _PLAIN,
)  # fmt: skip
SETTING = Code(
    "GS220", "bad-setting", "resolve", _ERROR,
    "A limit is at least 1 and has its key's type. No limit is said by leaving the key out: a "
    "budget of 0 would stop a run before it starts.",
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 0 }"),
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 25 }"),
)  # fmt: skip
ADVISORY_BUDGET = Code(
    "GS221", "advisory-budget", "resolve", _ERROR,
    "An advisory budget warns before the enforced one stops the run, so it may not be above it.",
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 10 }", "budget advisory { turns 20 }"),
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 20 }", "budget advisory { turns 10 }"),
)  # fmt: skip
ONLY_ADVISORY = Code(
    "GS222", "only-advisory-budget", "resolve", _WARNING,
    "An advisory budget is recorded and shown and never stops anything; nothing limits this goal.",
    _goal(_OBJECTIVE, _CRITERION, "budget advisory { turns 20 }"),
    _goal(_OBJECTIVE, _CRITERION, "budget { turns 20 }"),
)  # fmt: skip
CLAUSE = Code(
    "GS223", "bad-clause", "resolve", _ERROR,
    "A part has at most one `when` (does it apply?), then one `given` (does the measurement "
    "count?), then one `check` (what must hold). An awaited criterion needs its check, since "
    "nothing else can tell when to stop waiting.",
    _check("a.ok : bool", "a.ok\n    check a.ok"),
    _check("a.ok : bool", "a.ok"),
)  # fmt: skip
PRESET_ID = Code(
    "GS224", "preset-id", "resolve", _ERROR,
    "A preset's criteria and constraints stand in many goals, where a generated id would move with "
    "what the goal itself says; so each has its own.",
    'preset p {\n  criterion "It holds"\n}\n\n' + _PLAIN,
    'preset p {\n  criterion held "It holds"\n}\n\n' + _PLAIN,
)  # fmt: skip
TOO_LONG = Code(
    "GS225", "too-long", "resolve", _ERROR,
    "An objective has at most 4,000 characters and a pin that binds at most `max_body`, since they "
    "must survive every compaction whole; they are never cut.",
    _goal(_OBJECTIVE, _CRITERION, "pins { keep goal max_body 10 }",
          'pin constraint "Do not touch the login"'),
    _goal(_OBJECTIVE, _CRITERION, "pins { keep goal max_body 4000 }",
          'pin constraint "Do not touch the login"'),
)  # fmt: skip
LET_PLACE = Code(
    "GS226", "let-place", "resolve", _ERROR,
    "At the top of a file a `let` names a literal or a list of them; predicates are named inside "
    "the goal that they belong to. Names of `let` have no hyphen.",
    "facts {\n  a.ok : bool\n}\n\nlet ready = a.ok\n\n"
    + _goal(_OBJECTIVE, 'criterion c "It holds" check a.ok'),
    "facts {\n  a.ok : bool\n}\n\n"
    + _goal(_OBJECTIVE, "let ready = a.ok", 'criterion c "It holds" check ready'),
)  # fmt: skip

# --- types and predicates

TYPE = Code(
    "GS301", "type-mismatch", "type", _ERROR,
    "Operators take the types of one table and nothing converts by itself, but int to number. A "
    "comparison of two types would be false for ever, or true by accident.",
    _check("suite.name : string\n  suite.passed : bool", "suite.name == suite.passed"),
    _check("suite.passed : bool", "suite.passed"),
)  # fmt: skip
UNIT = Code(
    "GS302", "unit-mismatch", "type", _ERROR,
    "A percent, a duration, a size or an amount of money is written with its unit, so that 85 and "
    "0.85 can never stand for each other.",
    _check("coverage.line : percent", "coverage.line >= 85"),
    _check("coverage.line : percent", "coverage.line >= 85%"),
)  # fmt: skip
CHAINED = Code(
    "GS303", "chained-comparison", "type", _ERROR,
    "`1 < x < 5` compares a truth with a number in most languages, and two numbers in others.",
    _check("a.n : int", "1 <= a.n <= 5"),
    _check("a.n : int", "a.n in 1..5"),
)  # fmt: skip
UNGUARDED_NULL = Code(
    "GS304", "unguarded-null", "type", _WARNING,
    "A fact of type `T?` may be null. Compared or computed with, null is unknown; a test before "
    "it (`x != null and …`), or a value for it (`x ?? v`), says what is meant.",
    _check("incident.closed : time?", "past(incident.closed)"),
    _check("incident.closed : time?", "incident.closed != null and past(incident.closed)"),
)  # fmt: skip
NOT_A_PREDICATE = Code(
    "GS305", "not-a-predicate", "type", _ERROR,
    "A number or a string is not true or false.",
    _check("suite.failed : int", "suite.failed"),
    _check("suite.failed : int", "suite.failed == 0"),
)  # fmt: skip
BAD_RANGE = Code(
    "GS306", "bad-range", "type", _ERROR,
    "A range goes from its low end to its high one, in the type of the fact.",
    _check("a.n : int", "a.n in 10..1"),
    _check("a.n : int", "a.n in 1..10"),
)  # fmt: skip
CONSTANT = Code(
    "GS307", "constant-predicate", "type", _ERROR,
    "The declared range of the fact decides the comparison already: it holds for every value, or "
    "for none.",
    _check("suite.failed : int in 0..", "suite.failed >= 0"),
    _check("suite.failed : int in 0..", "suite.failed == 0"),
)  # fmt: skip
NEVER = Code(
    "GS308", "never-holds", "type", _ERROR,
    "A `when` that can never hold waives its part for ever; a check that can never hold is never "
    "met.",
    _check('a.state : "on" | "off"\n  a.ok : bool', "a.ok").replace(
        "    check", '    when a.state == "on" and a.state == "off"\n    check'),
    _check('a.state : "on" | "off"\n  a.ok : bool', "a.ok").replace(
        "    check", '    when a.state == "on"\n    check'),
)  # fmt: skip
SILENCE = Code(
    "GS309", "opened-by-silence", "type", _ERROR,
    "A predicate that is true while every fact is unknown holds when nobody measured anything.",
    _check("suite.failed : int", "(suite.failed ?? 0) == 0"),
    _check("suite.failed : int", "suite.failed == 0"),
)  # fmt: skip
HIDDEN_ERROR = Code(
    "GS310", "hidden-error", "type", _WARNING,
    "`x ?? v` stands for v also where x could not be measured (`error`) or made no sense "
    "(`invalid`). Here that makes the comparison hold: a broken source would help it pass.",
    _check("suite.failed : int\n  suite.passed : bool",
           "suite.passed and (suite.failed ?? 0) == 0"),
    _check("suite.failed : int\n  suite.passed : bool", "suite.passed and suite.failed == 0"),
)  # fmt: skip
VIEW_PLACE = Code(
    "GS311", "view-place", "type", _ERROR,
    "`at start`, `at baseline`, `previous` and `fresh` are said of a fact, one at a time.",
    _check("a.n : int\n  a.m : int", "(a.n + a.m) at start > 3"),
    _check("a.n : int\n  a.m : int", "a.n at start + a.m at start > 3"),
)  # fmt: skip
TEMPORAL_PLACE = Code(
    "GS312", "temporal-place", "type", _ERROR,
    "`for`, `always` and `ever` look at a whole predicate over several observations; inside one "
    "another, a quantifier, an aggregate or `??` they would need a history for each element.",
    _check("servers : list of { ok: bool }", "all s in servers: (s.ok for 2m every 1m)"),
    _check("servers : list of { ok: bool }", "(all s in servers: s.ok) for 2m every 1m"),
)  # fmt: skip
PARENTHESES = Code(
    "GS313", "needs-parentheses", "type", _ERROR,
    "Where a temporal form, `??` or a quantifier meets `and`, `or`, `not` or `+`, people read it "
    "in two ways; parentheses say which is meant.",
    _check("a.ok : bool\n  b.ok : bool", "a.ok and b.ok for 2 runs"),
    _check("a.ok : bool\n  b.ok : bool", "(a.ok and b.ok) for 2 runs"),
)  # fmt: skip
PATTERN = Code(
    "GS314", "bad-pattern", "type", _ERROR,
    "Globs and regular expressions are of a stated subset that a machine matches in linear time.",
    _check("pr.title : string", r'pr.title matches r"^fix(?=:)"'),
    _check("pr.title : string", r'pr.title matches r"^fix:"'),
)  # fmt: skip
TOO_COSTLY = Code(
    "GS315", "too-costly", "type", _ERROR,
    "The cost of a predicate is bounded from its text: the sum of the products of the sizes that "
    "its quantifiers range over, 10,000,000 at most, and two quantifiers deep at most. With each "
    "`let` written out a predicate has at most 20,000 parts, and all of a file 250,000.",
    _check("xs : list of int", "any a in xs: any b in xs: any c in xs: a + b == c"),
    _check("xs : list of int", "any a in xs: any b in xs: a == b"),
)  # fmt: skip
ENUM_MEMBER = Code(
    "GS316", "unknown-member", "type", _ERROR,
    "A comparison with a string that is none of the enumeration's values is false for ever.",
    _check('deploy.state : "pending" | "live"', 'deploy.state == "Live"'),
    _check('deploy.state : "pending" | "live"', 'deploy.state == "live"'),
)  # fmt: skip
PATH = Code(
    "GS317", "bad-path", "type", _ERROR,
    "A path is relative to the project's root and stays below it.",
    _check("diff.files : set of path", '"/etc/passwd" in diff.files'),
    _check("diff.files : set of path", '"docs/migrations.md" in diff.files'),
)  # fmt: skip
BAD_COUNT = Code(
    "GS318", "bad-count", "type", _ERROR,
    "The form takes a literal of one kind: a streak a whole number from 1, a time span a duration "
    "above 0s, a percentile a percent above 0% and up to 100%.",
    _check("a.ok : bool", "a.ok for 0 runs"),
    _check("a.ok : bool", "a.ok for 2 runs"),
)  # fmt: skip
ARGUMENTS = Code(
    "GS319", "bad-arguments", "type", _ERROR,
    "Each function and aggregate has one form of arguments.",
    _check("runs : list of { passed: bool }", "streak(r in runs where r.passed) >= 2"),
    _check("runs : list of { passed: bool }", "streak(r.passed for r in runs) >= 2"),
)  # fmt: skip
BAD_TYPE = Code(
    "GS320", "bad-type", "type", _ERROR,
    "The type of a fact is made of the language's types, each with the units, caps and order that "
    "make sense for it.",
    _check("a.n : int as ms", "a.n == 1"),
    _check("a.n : duration as ms", "a.n == 1ms"),
)  # fmt: skip
TEST_VALUE = Code(
    "GS321", "bad-test-value", "type", _ERROR,
    "An observation in a test gives facts the values that a host would, in the language's "
    "literals.",
    _check("a.n : int", "a.n == 1") + '\ntest "t" for g {\n  observe { a.n = "1" }\n}\n',
    _check("a.n : int", "a.n == 1") + '\ntest "t" for g {\n  observe { a.n = 1 }\n}\n',
)  # fmt: skip
NO_CLOCK = Code(
    "GS322", "no-clock", "type", _ERROR,
    "A streak or a hold counts the observations that bring the facts its predicate reads; one that "
    "reads none now is never counted.",
    _check("a.n : int", "a.n at start == 1 for 2 runs"),
    _check("a.n : int", "a.n == 1 for 2 runs"),
)  # fmt: skip

# --- facts as they enter, and files that cannot be read: found when a command runs

INVALID_VALUE = Code(
    "GS501", "invalid-value", "run", _WARNING,
    "The value does not have the fact's declared type or range, so the fact is unknown (`invalid`) "
    "and nothing is guessed. `--strict` refuses the observation.",
    '{"coverage.line": 85}    # declared `percent`\n',
    '{"coverage.line": "85%"}\n',
)  # fmt: skip
UNDECLARED_KEY = Code(
    "GS502", "undeclared-key", "run", _WARNING,
    "The facts have a key that the goal file does not declare; perhaps a fact is misspelt.",
    '{"suite.pased": true}\n',
    '{"suite.passed": true}\n',
)  # fmt: skip
BAD_FACTS = Code(
    "GS503", "bad-facts", "run", _ERROR,
    "The facts are not JSON, or say one fact twice (a key that is there twice, or `a.b` beside "
    "`a` with a `b` in it), so nobody can tell which value is meant.",
    '{"suite.passed": true, "suite": {"passed": false}}\n',
    '{"suite": {"passed": true}}\n',
)  # fmt: skip
REFUSED = Code(
    "GS504", "refused-observation", "run", _ERROR,
    "The observation's time is more than five minutes before the last one or ahead of the clock, "
    "or observations with and without times are mixed: streaks and holds over it would lie.",
    '{"at": "2026-03-01T10:00Z", "facts": {}}\n{"at": "2026-03-01T09:00Z", "facts": {}}\n',
    '{"at": "2026-03-01T09:00Z", "facts": {}}\n{"at": "2026-03-01T10:00Z", "facts": {}}\n',
)  # fmt: skip
UNREADABLE = Code(
    "GS505", "unreadable", "run", _ERROR,
    "The file or folder cannot be read, or holds no `.goal` file. A check of nothing is no "
    "success.",
    "goalspec lint empty-folder\n",
    "goalspec lint specs\n",
)  # fmt: skip
NO_ARTIFACT = Code(
    "GS506", "no-artifact", "run", _ERROR,
    "A target gives no artifact: the goal says what the target cannot express, a template of your "
    "own is wrong, or the package that brings the target is broken. Nothing is written then, not "
    "even what other targets made.",
    "goalspec compile specs --target slides -o build    # its package lacks a module\n",
    "goalspec targets    # says what is wrong with a package, and what else there is\n",
)  # fmt: skip

CODES: tuple[Code, ...] = (
    *GRAMMAR_CODES,
    *(value for value in list(globals().values()) if isinstance(value, Code)),
)
BY_ID = {code.id: code for code in CODES}
BY_NAME = {code.name: code for code in CODES}
