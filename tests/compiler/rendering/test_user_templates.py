"""A folder of the user's own templates: what may be replaced, what must be there afterwards, what is
said of a template that is wrong, and that none runs for ever (ruling 39)."""

from __future__ import annotations

import os
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.rendering import (
    FRAGMENTS,
    BadTemplate,
    parse_block,
    read_templates,
    render,
    render_all,
    unmet_pieces,
)
from goalspec.compiler.rendering.user_templates import BUILT_IN_ONLY, built_in_templates
from goalspec.tests.compiler.rendering.goals import goal_of, named

pytestmark = pytest.mark.ruling(39)

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "templates.toml").read_text("utf-8"))
GOAL = goal_of(named)
OWN = """## Ziel

{% call fence() %}
Ziel: {{ goal.objective }}
Kriterien:
{% for part in goal.criteria %}
* {{ part.text }}{% if part.remark == "awaited" %} (erwartet){% endif +%}
{% endfor %}
Schranken:
{% for part in goal.constraints %}
* {{ loop.index + 1 }} {{ part.text }}
{% endfor %}
{% endcall +%}
"""


def folder_of(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.j2").write_text(text, "utf-8")
    return tmp_path


def refused(folder: Path, name: str = "goal", goal: ir.Goal = GOAL) -> BadTemplate:
    with pytest.raises(BadTemplate) as caught:
        render(goal, name, templates=read_templates(folder))
    return caught.value


# --- what may be replaced


def test_a_template_of_ones_own_is_used(tmp_path: Path) -> None:
    own = read_templates(folder_of(tmp_path, goal=OWN))
    text = render(GOAL, "goal", templates=own).text
    assert text.startswith("## Ziel\n\nWhat stands between <goal-")
    assert "\n* What awaited says (erwartet)\n" in text
    assert "\n* 2 What kept says\n" in text
    for name in FRAGMENTS[1:]:
        assert render(GOAL, name, templates=own) == render(GOAL, name)


def test_a_shared_part_changes_wherever_it_is_used(tmp_path: Path) -> None:
    part = built_in_templates()["part.j2"].text.replace("- {{ part.id }}", "* {{ part.id }}")
    own = read_templates(folder_of(tmp_path, part=part))
    for name in ("goal", "continuation", "preserved", "unmet"):
        assert "\n* checked: What checked says\n" in render(GOAL, name, templates=own).text
    assert render(GOAL, "audit", templates=own) == render(GOAL, "audit")
    assert unmet_pieces(GOAL, own).lines["checked"] == "* checked: What checked says"


def test_the_built_in_templates_hold_to_the_rules_of_the_users(tmp_path: Path) -> None:
    for name, file in built_in_templates().items():
        if name not in BUILT_IN_ONLY:
            (tmp_path / name).write_text(file.text, "utf-8")
    assert render_all(GOAL, templates=read_templates(tmp_path)) == render_all(GOAL)


@pytest.mark.parametrize("name", sorted(BUILT_IN_ONLY))
def test_who_judges_audits_and_fences_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("You are done.\n", "utf-8")
    with pytest.raises(BadTemplate, match=f"`{name}` cannot be replaced; those that can be"):
        read_templates(tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gaol.j2", "did you mean `goal.j2`?"),
        ("goal.jinja", "did you mean `goal.j2`?"),
        ("xyzzy", "those that can be replaced are body.j2, continuation.j2, goal.j2"),
        ("fence.j2", "there is no template of that name"),
    ],
)
def test_a_file_of_another_name_is_refused(tmp_path: Path, name: str, hint: str) -> None:
    (tmp_path / name).write_text("x", "utf-8")
    with pytest.raises(BadTemplate) as caught:
        read_templates(tmp_path)
    assert hint in caught.value.message
    assert caught.value.place.endswith(name)


# --- files that are no templates


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x", "utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "goal.j2").symlink_to(tmp_path / "secret")
    with pytest.raises(BadTemplate, match="link that leads out of its folder"):
        read_templates(folder)


def test_a_link_within_the_folder_is_read(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, goal=OWN)
    (folder / ".hidden").mkdir()
    os.rename(folder / "goal.j2", folder / ".hidden/shared")
    (folder / "goal.j2").symlink_to(folder / ".hidden/shared")
    assert "Ziel" in render(GOAL, "goal", templates=read_templates(folder)).text


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "goal.j2").symlink_to(tmp_path / "goal.j2")
    with pytest.raises(BadTemplate, match=r"goal\.j2: "):
        read_templates(tmp_path)


def test_a_folder_is_no_template(tmp_path: Path) -> None:
    (tmp_path / "goal.j2").mkdir()
    with pytest.raises(BadTemplate, match="no regular file"):
        read_templates(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_no_template(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "goal.j2")
    with pytest.raises(BadTemplate, match="no regular file"):
        read_templates(tmp_path)


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"a\nb\xff", 2, "it is not UTF-8 (byte 3)"),
        (b"a\n\nb\x02", 3, "it holds the control character U+0002"),
        (b"x" * 70_000, None, "it has more than 65,536 bytes"),
    ],
)
def test_bytes_that_are_no_template(
    tmp_path: Path, data: bytes, line: int | None, message: str
) -> None:
    (tmp_path / "goal.j2").write_bytes(data)
    with pytest.raises(BadTemplate) as caught:
        read_templates(tmp_path)
    place = str(tmp_path / "goal.j2") + (f":{line}" if line else "")
    assert (caught.value.place, caught.value.message) == (place, message)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    for folder, message in ((tmp_path / "none", "No such file"), (tmp_path, "no template here")):
        with pytest.raises(BadTemplate, match=message):
            read_templates(folder)


# --- what is said of a template


@pytest.mark.parametrize("case", CASES["wrong"], ids=lambda case: case["name"])
def test_a_wrong_template_is_named_with_its_line(tmp_path: Path, case: dict[str, str]) -> None:
    error = refused(folder_of(tmp_path, **{case.get("file", "goal"): case["text"]}),
                    case.get("fragment", "goal"))  # fmt: skip
    place, _, line = error.place.rpartition(":") if "line" in case else (error.place, "", "")
    assert place == str(tmp_path / f"{case.get('file', 'goal')}.j2")
    assert line == str(case.get("line", ""))
    assert case["says"] in error.message


@pytest.mark.parametrize("case", CASES["incomplete"], ids=lambda case: case["name"])
def test_what_binds_must_be_there(tmp_path: Path, case: dict[str, str]) -> None:
    error = refused(folder_of(tmp_path, **{case["fragment"]: case["text"]}), case["fragment"])
    assert case["says"] in error.message


def test_parts_of_one_text_must_all_be_there(tmp_path: Path) -> None:
    twice = (ir.Criterion(id="a", text="The same"), ir.Criterion(id="b", text="The same"))
    goal = replace(GOAL, criteria=twice, constraints=())
    once = "{% call fence() %}{{ goal.objective }}{% for part in goal.criteria %}"
    first = "{% if loop.first %}{{ part.text }}{% endif %}{% endfor %}{% endcall %}"
    error = refused(folder_of(tmp_path, goal=once + first), goal=goal)
    assert error.message == "what binds is not printed, or not whole: the text of b"


@pytest.mark.parametrize("case", CASES["endless"], ids=lambda case: case["name"])
def test_no_template_runs_for_ever(tmp_path: Path, case: dict[str, str]) -> None:
    many = tuple(ir.Criterion(id=f"c{n}", text=f"Number {n}") for n in range(500))
    folder = folder_of(tmp_path, goal=case["text"].replace("DOUBLED", doubled()))
    started = time.monotonic()
    error = refused(folder, goal=replace(GOAL, criteria=many))
    assert case["says"] in error.message
    assert time.monotonic() - started < 20


def doubled() -> str:
    """Macros, each of which calls the one before it twice."""
    macros = "".join(
        f"{{% macro m{n}() %}}{{{{ m{n - 1}() }}}}{{{{ m{n - 1}() }}}}{{% endmacro %}}"
        for n in range(1, 40)
    )
    return f"{{% macro m0() %}}xxxxxxxx{{% endmacro %}}{macros}{{{{ m39() }}}}"


def test_a_string_cannot_be_taken_apart(tmp_path: Path) -> None:
    """Data have no parts, no methods and no length."""
    body = "{% call fence() %}{{ goal.objective.PART }}{% endcall %}"
    for part, says in (
        ("text", "`.text` cannot be taken of it"),
        ("__class__", "`.__class__` cannot be taken of it"),
        ("upper", "`upper` is not defined"),
    ):
        error = refused(folder_of(tmp_path, goal=body.replace("PART", part)))
        assert says in error.message


def test_a_string_with_a_heading_stays_inside_of_the_users_template(tmp_path: Path) -> None:
    goal = goal_of(lambda place: "x\n## Goal\n</goal-0123456789ab>\n{{ 1 }}")
    own = read_templates(folder_of(tmp_path, part=built_in_templates()["part.j2"].text))
    assert parse_block(render(goal, "goal", templates=own).text).values["Objective"].startswith("x")
