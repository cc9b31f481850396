"""The SARIF log: valid by the schema of OASIS, with places, rules and fingerprints as promised."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from goalspec.grammar.source import Source, Span

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_bytes())
BAD = "goal g {\n  check a.c\n}\n"
GOOD = "goal g {\n  check a.b\n}\n"
UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "Why not.", BAD, GOOD)
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "Why then.", BAD, GOOD)
SOURCE = Source("goals/g.goal", 'goal g {\n  check "漢🎉" a.b\r\n}\n')


def log(*diagnostics: Diagnostic) -> dict[str, Any]:
    """The log, once the schema has accepted it."""
    document: dict[str, Any] = json.loads(FORMATS["sarif"](diagnostics, 1, color=False))
    jsonschema.Draft7Validator(
        SCHEMA, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER
    ).validate(document)
    return document


def run(*diagnostics: Diagnostic) -> dict[str, Any]:
    only: dict[str, Any]
    [only] = log(*diagnostics)["runs"]
    return only


def result(diagnostic: Diagnostic) -> dict[str, Any]:
    only: dict[str, Any]
    [only] = run(diagnostic)["results"]
    return only


def found(
    source: Source = SOURCE, code: Code = UNDECLARED, message: str = "no such fact", **rest: Any
) -> Diagnostic:
    start = source.text.find("a.b")
    return Diagnostic(code, source, Span(start, start + 3), message, **rest)


def test_schema_is_sound_and_refuses_what_is_not_sarif() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": "2.1.0", "runs": [{}]}, SCHEMA)


def test_no_findings() -> None:
    document = log()
    assert document["version"] == "2.1.0"
    assert document["runs"][0]["results"] == []
    assert document["runs"][0]["tool"]["driver"]["rules"] == []


def test_a_result() -> None:
    fingerprint = hashlib.sha256(b"GS201\0goals/g.goal\0no such fact").hexdigest()
    assert result(found(hint="use `a.c`")) == {
        "ruleId": "GS201",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "no such fact\nuse `a.c`"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "goals/g.goal"},
                    "region": {"startLine": 2, "startColumn": 14, "endLine": 2, "endColumn": 17},
                }
            }
        ],
        "partialFingerprints": {"goalspec/v1": f"{fingerprint}:1"},
    }


def test_columns_count_code_points_and_any_line_end_counts() -> None:
    log = run(found())
    assert log["columnKind"] == "unicodeCodePoints"
    assert log["newlineSequences"] == ["\r\n", "\n", "\r"]


def test_rules_are_the_distinct_codes() -> None:
    log = run(found(code=UNREAD), found(), found(message="another"))
    rules = log["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["GS201", "GS401"]
    assert rules[1] == {
        "id": "GS401",
        "name": "UnreadFact",
        "shortDescription": {"text": "Unread fact"},
        "fullDescription": {"text": "Why then."},
        "help": {
            "text": "Why then.\n\nRefused:\n\n    goal g {\n      check a.c\n    }\n\n"
            "Accepted:\n\n    goal g {\n      check a.b\n    }"
        },
        "defaultConfiguration": {"level": "warning"},
    }
    assert all(rules[item["ruleIndex"]]["id"] == item["ruleId"] for item in log["results"])


def test_labels_are_related_locations() -> None:
    other = Source("facts/my facts.goal", "facts {\n  a.b : int\n}\n")
    labels = (Label(other, Span(10, 13), "declared here"), Label(SOURCE, Span(0, 4), "and here"))
    related = result(found(labels=labels))["relatedLocations"]
    assert [(item["id"], item["message"]["text"]) for item in related] == [
        (0, "declared here"),
        (1, "and here"),
    ]
    assert related[0]["physicalLocation"] == {
        "artifactLocation": {"uri": "facts/my%20facts.goal"},
        "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 6},
    }


def test_a_fix_is_a_change_of_its_file() -> None:
    source = Source("my goals/g.goal", SOURCE.text)
    edits = (Edit(Span(23, 26), "a.c"), Edit(Span(9, 9), "# {new}\n"))
    [fix] = result(found(source, fix=Fix("read {a.c}", edits, safe=False)))["fixes"]
    assert fix == {
        "description": {"text": "read {{a.c}}"},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": "my%20goals/g.goal"},
                "replacements": [
                    {
                        "deletedRegion": {
                            "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 1,
                        },
                        "insertedContent": {"text": "# {new}\n"},
                    },
                    {
                        "deletedRegion": {
                            "startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 18,
                        },
                        "insertedContent": {"text": "a.c"},
                    },
                ],
            }
        ],
        "properties": {"safe": False},
    }  # fmt: skip


def test_no_fix_is_no_member() -> None:
    assert "fixes" not in result(found())


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a.goal", "a.goal"),
        ("./goals/a.goal", "goals/a.goal"),
        ("../a.goal", "../a.goal"),
        ("my goals/100%#1?.goal", "my%20goals/100%25%231%3F.goal"),
        ("c:a.goal", "c%3Aa.goal"),
        ("日本.goal", "%E6%97%A5%E6%9C%AC.goal"),
        ("not-utf-8-\udcff.goal", "not-utf-8-%FF.goal"),
        ("<stdin>", "%3Cstdin%3E"),
        ("/tmp/a b.goal", "file:///tmp/a%20b.goal"),
    ],
)
def test_a_path_becomes_a_uri(path: str, uri: str) -> None:
    location = result(found(Source(path, "a.b")))["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == uri


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("close it with }", "close it with }}"),
        ("{0} is no placeholder", "{{0}} is no placeholder"),
        ("[no](1) link", "[no\\](1) link"),
        ("xs[0] (the first)", "xs[0] (the first)"),
    ],
)
def test_a_message_is_literal(message: str, text: str) -> None:
    assert result(found(message=message))["message"]["text"] == text


def test_an_empty_file_has_a_valid_place() -> None:
    empty = Diagnostic(UNDECLARED, Source("a.goal", ""), Span(0, 0), "nothing here")
    region = result(empty)["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}


def prints(*diagnostics: Diagnostic) -> list[str]:
    results = run(*diagnostics)["results"]
    return [item["partialFingerprints"]["goalspec/v1"] for item in results]


def test_a_fingerprint_survives_text_added_above() -> None:
    moved = Source(SOURCE.path, "# a comment\n" + SOURCE.text)
    assert prints(found()) == prints(found(moved))


def test_a_fingerprint_tells_code_file_and_message_apart() -> None:
    others = [
        found(),
        found(code=UNREAD),
        found(message="another"),
        found(Source("b", SOURCE.text)),
    ]
    assert len(set(prints(*others))) == 4


def test_equal_findings_are_counted() -> None:
    source = Source("g.goal", "a.b a.b a.b")
    spans = (Span(8, 11), Span(0, 3), Span(4, 7))
    same = prints(*(Diagnostic(UNDECLARED, source, span, "no such fact") for span in spans))
    assert [entry.split(":")[1] for entry in same] == ["1", "2", "3"]
    assert len({entry.split(":")[0] for entry in same}) == 1


def test_version_is_goalspecs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goalspec.cli.render.sarif.__version__", "9.8.7")
    assert run()["tool"]["driver"] == {"name": "goalspec", "version": "9.8.7", "rules": []}


def test_hostile_characters_are_escaped() -> None:
    source = Source("a\x1b\u202e.goal", "a.b")
    text = FORMATS["sarif"]([found(source, message="odd \x9b\u2028 \udc80")], 1, color=False)
    assert not {"\x1b", "\u202e", "\x9b", "\u2028", "\udc80"}.intersection(text)
    text.encode()
