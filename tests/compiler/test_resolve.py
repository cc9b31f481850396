"""Files together: `use`, packs, presets and their merging (rulings 28, 30, 31, 62)."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.compiler import Compilation, Compiler
from goalspec.compiler.ir import Goal

GOAL = 'goal g {{\n  objective "x"\n  criterion c "y"\n{}}}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_goal", ".goal")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def compiled(path: Path) -> Compilation:
    return Compiler().compile_file(path)


def codes(path: Path) -> list[str]:
    return [d.code.id for d in compiled(path).diagnostics]


def goal(path: Path) -> Goal:
    compilation = compiled(path)
    assert compilation.document is not None, [d.message for d in compilation.diagnostics]
    return compilation.document.goals[0]


def test_facts_and_presets_come_from_used_files(project: Path) -> None:
    write(
        project,
        facts__ci_goal='facts {\n  ci.ok : bool\n}\npreset p {\n  criterion green "It is green" check ci.ok\n}\n',
        main_goal='use "facts/ci.goal"\n' + GOAL.format("  preset p\n"),
    )
    assert [c.id for c in goal(project / "main.goal").criteria] == ["c", "green"]


def test_a_file_that_two_use_is_read_once_and_its_errors_are_said_once(project: Path) -> None:
    write(
        project,
        shared_goal="facts {\n  a.n : nonsense\n}\n",
        a_goal='use "shared.goal"\n',
        b_goal='use "shared.goal"\n',
        main_goal='use "a.goal"\nuse "b.goal"\n' + GOAL.format(""),
    )
    found = compiled(project / "main.goal").diagnostics
    assert [(d.code.id, d.path) for d in found] == [("GS203", str(project / "shared.goal"))]


@pytest.mark.parametrize("target", ["../outside.goal", "/etc/hosts.goal", "a/../../outside.goal"])
def test_use_outside_the_root(project: Path, target: str) -> None:
    write(project.parent, outside_goal="facts {\n  a.n : int\n}\n")
    write(project, main_goal=f'use "{target}"\n' + GOAL.format(""))
    assert codes(project / "main.goal") == ["GS213"]


def test_use_outside_the_root_through_a_link(project: Path) -> None:
    write(project.parent, outside_goal="facts {\n  a.n : int\n}\n")
    (project / "link.goal").symlink_to(project.parent / "outside.goal")
    (project / "folder").symlink_to(project.parent)
    for target in ("link.goal", "folder/outside.goal"):
        write(project, main_goal=f'use "{target}"\n' + GOAL.format(""))
        assert codes(project / "main.goal") == ["GS213"]


@pytest.mark.ruling(30)
def test_the_root_is_the_nearest_git_or_configuration(project: Path) -> None:
    write(
        project,
        facts_goal="facts {\n  a.n : int\n}\n",
        sub__main_goal='use "../facts.goal"\n' + GOAL.format(""),
    )
    assert codes(project / "sub" / "main.goal") == []
    (project / "sub" / "pyproject.toml").write_text("[tool.goalspec]\n")
    assert codes(project / "sub" / "main.goal") == ["GS213"]


@pytest.mark.ruling(30)
def test_standard_input_stands_where_it_is_said_to(project: Path) -> None:
    write(project, facts_goal="facts {\n  a.n : int\n}\n")
    text = ('use "../facts.goal"\n' + GOAL.format("")).encode()
    compilation = Compiler().compile_bytes(text, "<stdin>", project / "sub" / "main.goal")
    assert compilation.diagnostics == ()


@pytest.mark.parametrize(
    ("target", "code"),
    [("gone.goal", "GS212"), ("facts.txt", "GS212"), ("folder.goal", "GS212"), ("", "GS212")],
)
def test_what_cannot_be_used(project: Path, target: str, code: str) -> None:
    (project / "folder.goal").mkdir()
    write(project, main_goal=f'use "{target}"\n' + GOAL.format(""))
    (project / "facts.txt").write_text("")
    assert codes(project / "main.goal") == [code]


def test_circles(project: Path) -> None:
    write(
        project,
        a_goal='use "b.goal"\n', b_goal='use "c.goal"\n', c_goal='use "a.goal"\n',
        self_goal='use "self.goal"\n',
    )  # fmt: skip
    found = compiled(project / "a.goal").diagnostics
    assert [d.code.id for d in found] == ["GS214"]
    assert "a.goal → b.goal → c.goal → a.goal" in found[0].message
    assert codes(project / "self.goal") == ["GS214"]


@pytest.mark.ruling(26)
def test_at_most_a_thousand_files(project: Path) -> None:
    for n in range(1_002):
        write(project, **{f"f{n}_goal": f"facts {{\n  f.n{n} : int\n}}\n"})
    uses = "".join(f'use "f{n}.goal"\n' for n in range(1_000))
    write(project, main_goal=uses + GOAL.format(""))
    assert codes(project / "main.goal") == []
    write(project, main_goal=uses + 'use "f1000.goal"\nuse "f1001.goal"\n' + GOAL.format(""))
    assert set(codes(project / "main.goal")) == {"GS215"}


def test_a_deep_chain_of_files_is_refused_and_does_not_overflow(project: Path) -> None:
    for n in range(300):
        write(project, **{f"f{n}_goal": f'use "f{n + 1}.goal"\n'})
    write(project, f300_goal="")
    assert codes(project / "f0.goal") == ["GS215"]


@pytest.mark.ruling(31)
def test_one_fact_declared_twice_must_be_declared_the_same(project: Path) -> None:
    write(
        project,
        a_goal='facts {\n  a.n : int in 0..  "one"\n}\n',
        b_goal='facts {\n  a.n : int in 0..  "another description"\n}\n',
        c_goal="facts {\n  a.n : int in 1..\n}\n",
        same_goal='use "a.goal"\nuse "b.goal"\n',
        other_goal='use "a.goal"\nuse "c.goal"\n',
    )
    assert codes(project / "same.goal") == []
    assert codes(project / "other.goal") == ["GS208"]


@pytest.mark.ruling(28)
def test_a_fact_and_its_prefix_from_two_files_clash(project: Path) -> None:
    write(
        project,
        a_goal="facts {\n  deploy : bool\n}\n",
        b_goal='use "a.goal"\nfacts {\n  deploy.state : string\n}\n',
    )
    assert codes(project / "b.goal") == ["GS217"]


MERGE = """
preset base {
  criterion base-one "Base"
  budget { turns 9  tokens 100 }
  pins { keep goal }
}
preset first {
  preset base
  criterion first-one "First"
  constraint first-rule "Rule"
  stop first-stop "Stop"
  budget { turns 5  cost 1.00 USD }
  judge { max_invocations 2 }
}
preset second {
  preset base
  criterion second-one "Second"
  pins { keep decision }
  judge { max_invocations 7 }
}
goal g {
  preset first, second
  objective "x"
  criterion own "Own"
  criterion "Unnamed"
  budget { attempts 2  turns 3 }
}
"""


@pytest.mark.ruling(31)
def test_presets_fill_what_the_goal_leaves_unsaid_in_order(project: Path) -> None:
    write(project, main_goal=MERGE)
    merged = goal(project / "main.goal")
    assert [c.id for c in merged.criteria] == ["own", "sc_1", "first-one", "base-one", "second-one"]
    assert [c.id for c in merged.constraints] == ["first-rule"]
    assert [s.id for s in merged.stops] == ["first-stop"]
    budget = merged.budget
    assert budget is not None
    assert (budget.turns, budget.cost, budget.attempts, budget.tokens) == (3, "1 USD", 2, 100)
    assert merged.pins is not None
    assert merged.pins.keep == ("goal",)
    assert merged.judge is not None
    assert merged.judge.max_invocations == 2


@pytest.mark.ruling(62)
def test_an_advisory_budget_above_the_enforced_one(project: Path) -> None:
    budgets = "  budget {{ runtime {} }}\n  budget advisory {{ runtime {} }}\n"
    write(project, good_goal=GOAL.format(budgets.format("4h", "240m")))
    write(project, bad_goal=GOAL.format(budgets.format("4h", "241m")))
    assert codes(project / "good.goal") == []
    assert codes(project / "bad.goal") == ["GS221"]


@pytest.mark.ruling(32)
def test_the_contract_does_not_depend_on_where_things_stand(project: Path) -> None:
    facts = "facts {\n  ci.ok : bool\n}\n"
    body = 'goal g {\n  objective "x"\n  criterion c "y" check ci.ok\n}\n'
    write(
        project,
        one_goal=facts + body,
        facts_goal=facts,
        sub__two_goal='use "../facts.goal"\n' + body,
    )
    one, two = goal(project / "one.goal"), goal(project / "sub" / "two.goal")
    assert one.contract == two.contract


def test_places_and_digests(project: Path) -> None:
    write(
        project,
        facts_goal="facts {\n  ci.ok : bool\n}\n",
        main_goal='use "facts.goal"\n' + GOAL.format(""),
    )
    document = compiled(project / "main.goal").document
    assert document is not None
    assert [f.path for f in document.source.files] == ["facts.goal", "main.goal"]
    assert all(len(f.sha256) == 64 for f in document.source.files)
    place = document.source.places["g/c"]
    assert (place.file, place.line, place.column) == ("main.goal", 4, 3)


def test_a_pack_before_a_file_does_not_move_the_root(project: Path) -> None:
    write(
        project,
        facts__mine_goal="facts {\n  a.n : int\n}\n",
        main_goal='use std "ci/1"\nuse "facts/mine.goal"\n' + GOAL.format(""),
    )
    assert codes(project / "main.goal") == []
