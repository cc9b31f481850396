"""The corpus of the linting benchmark: goal files as teams write them, made of the parts in
`corpus.toml`, and the same demands in HCL and Gherkin.

A file follows from its number alone, so that every run measures the same text.
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

LANGUAGES = {"goal": ".goal", "hcl": ".tf", "gherkin": ".feature"}
_PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_FACT_LINES = {
    "goal": '  $name : $type  "as the $area team measures it"',
    "hcl": '  fact "$name" { text = "as the $area team measures it" }',
    "gherkin": '    Given the fact "$name" as the $area team measures it',
}


@dataclass(frozen=True)
class Corpus:
    """The folder of each language's files, and how many lines they have."""

    folders: dict[str, Path] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def files(self, language: str) -> list[Path]:
        return sorted(self.folders[language].rglob("*" + LANGUAGES[language]))


def write_corpus(folder: Path, count: int) -> Corpus:
    """Write *count* files of each language below *folder*, and what the goal files share."""
    corpus = Corpus()
    for language, suffix in LANGUAGES.items():
        where = corpus.folders[language] = folder / language
        corpus.lines[language] = 0
        for number in range(count):
            team = where / f"team{number % 25:02}"
            team.mkdir(parents=True, exist_ok=True)
            text = file_text(language, number)
            (team / f"change{number:04}{suffix}").write_text(text, encoding="utf-8")
            corpus.lines[language] += text.count("\n")
    shared = corpus.folders["goal"] / "shared"
    shared.mkdir()
    for each in _PARTS["shared"]:
        (shared / f"{each['name']}.goal").write_text(each["goal"], encoding="utf-8")
        corpus.lines["goal"] += each["goal"].count("\n")
    (corpus.folders["goal"] / "pyproject.toml").write_text("[tool.goalspec]\n", encoding="utf-8")
    return corpus


def file_text(language: str, number: int) -> str:
    """The text of file *number* in *language*; one in six has a part that deserves a finding."""
    draw = random.Random(number)
    parts = draw.sample(_PARTS["part"], 7)
    if number % 6 == 0:
        parts.append(draw.choice(_PARTS["flaw"]))
    area, other = draw.sample(_PARTS["areas"], 2)
    first = next(part for part in parts if part.get("outcome"))
    words: dict[str, Any] = {
        "area": area,
        "other": other,
        "number": number,
        "n": draw.randint(11, 60),
        "percent": draw.randint(60, 95),
        "span": f"{draw.randint(2, 9) * 5}m",
        "shared": _PARTS["shared"][0]["name"],
        "first": first["id"],
        "outcome": first["outcome"],
    }
    words["seen"] = _filled(first["seen"], words)
    facts = {
        _filled(name, words): type for part in parts for name, type in part.get("facts", {}).items()
    }
    words["facts"] = "\n".join(
        _filled(_FACT_LINES[language], {**words, "name": name, "type": type})
        for name, type in facts.items()
    )
    pieces = [_PARTS["head"], *parts, _PARTS["tail"]]
    return "".join(_filled(piece[language], words) for piece in pieces)


def _filled(text: str, words: dict[str, Any]) -> str:
    return Template(text).substitute(words)
