"""The fragments: a goal's text for a model, one for each occasion, all from one set of templates.

Every text leaves through `proven`: strings of the goal stand whole and inside a fence, after the
sentence that says what they are, or there is no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ..ir import document as ir
from .escaping import escaped, escaped_id
from .fence import TASK, Data, Proven, fence, proven, unmarked
from .user_templates import (
    BUILT_IN_ONLY,
    BadTemplate,
    Templates,
    built_in_templates,
    check_complete,
    faults,
)
from .views import GoalView, Pin, State, StateView, goal_view, owed, state_view

if TYPE_CHECKING:
    from .environment import TemplateSandbox

FRAGMENTS = ("goal", "continuation", "preserved", "unmet", "stall", "audit")

# The first lines by which a host tells a block that was carried over a compaction, and a turn that
# a continuation opened. The former states a fact and asks for nothing.
PRESERVED_HEADER = "[The goal and its contract, unchanged by the compaction of this conversation]"
CONTINUATION_HEADER = "[The goal goes on]"
_HEADERS = {"preserved": PRESERVED_HEADER, "continuation": CONTINUATION_HEADER}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A text for a model."""

    name: str
    text: str

    @property
    def characters(self) -> int:
        """Its length in code points."""
        return len(self.text)

    @property
    def estimated_tokens(self) -> int:
        """An estimate: a token for each 4 characters begun. Models count differently, and text in
        other scripts takes more."""
        return -(-len(self.text) // 4)


def goal_block(goal: ir.Goal) -> str:
    """The plain block: `## Goal`, then objective, criteria, constraints and budget in the fence."""
    return render(goal, "goal").text


def render(
    goal: ir.Goal, name: str, state: State | None = None, templates: Templates | None = None
) -> Fragment:
    """The fragment of that name. Raises BadTemplate where the user's *templates* are not in
    order."""
    (fragment,) = _rendered(goal, (name,), state, templates)
    return fragment


def render_all(
    goal: ir.Goal, state: State | None = None, templates: Templates | None = None
) -> tuple[Fragment, ...]:
    """All of FRAGMENTS, in order. Raises BadTemplate."""
    return tuple(_rendered(goal, FRAGMENTS, state, templates))


@dataclass(frozen=True, slots=True)
class Pieces:
    """The `unmet` fragment, taken apart: what stands before the open parts, their lines by their
    ids, and what stands after; newlines join them."""

    before: str
    lines: dict[str, str]
    after: str


def unmet_pieces(goal: ir.Goal, templates: Templates | None = None) -> Pieces:
    """For a host that names only what is open. Raises BadTemplate."""
    whole = render(goal, "unmet", templates=templates).text
    files = built_in_templates() if templates is None else templates
    sandbox = built_in(TASK) if templates is None else _sandbox(files, TASK, limited=True)
    with faults(files, "part.j2"):
        line = sandbox.get_template("part.j2").module.line  # type: ignore[attr-defined]
        lines = {
            part.id: unmarked(line(view)).removesuffix("\n")
            for part, view in zip(owed(goal), state_view(goal, None).open, strict=True)
        }
    before, found, after = whole.partition("\n" + "\n".join(lines.values()) + "\n")
    if not found and lines:
        message = (
            "the open parts do not stand one after another, each as `line` or `standing` has it"
        )
        raise BadTemplate(files["unmet.j2"].path, None, message)
    return Pieces(before, lines, after)


def pin_block(kind: str, content: str) -> str:
    """A pin's text, in the fence."""
    pin = Pin(Data(escaped_id(kind)), Data(escaped(content)))
    return rendered(built_in(TASK), "pin.j2", pin=pin).text


def judge_feedback(goal: ir.Goal) -> str:
    """What the worker is told where a judge refuses without a word of its own: the `feedback` of
    the goal's judge, in the fence, or a sentence."""
    return rendered(built_in(TASK), "feedback.j2", goal=goal_view(goal)).text


def _rendered(
    goal: ir.Goal, names: Iterable[str], state: State | None, templates: Templates | None
) -> Iterator[Fragment]:
    view, standing = goal_view(goal), state_view(goal, state)
    own = None if templates is None else _sandbox(templates, TASK, limited=True)
    for name in names:
        file = f"{name}.j2"
        if templates is None or own is None or file in BUILT_IN_ONLY:
            text = rendered(built_in(TASK), file, goal=view, state=standing)
        else:
            with faults(templates, file):
                text = rendered(own, file, goal=view, state=standing)
                needed = _needed(name, view, standing)
                check_complete(templates[file].path, text, needed, _HEADERS.get(name))
        yield Fragment(name, text.text)


def _needed(name: str, goal: GoalView, state: StateView) -> list[tuple[str, Data]]:
    """The strings that a fragment must hold, with what each is."""
    if name == "stall":
        return []
    criteria, constraints = goal.criteria, goal.constraints
    if name == "unmet":
        criteria, constraints = (*state.open, *state.awaited), ()
    return [
        ("the objective", goal.objective),
        *((f"the text of {part.id.text}", part.text) for part in (*criteria, *constraints)),
    ]


def rendered(sandbox: TemplateSandbox, file: str, **names: Any) -> Proven:
    """What a template prints, once it is proven."""
    sandbox.begin()
    return proven(sandbox.get_template(file).render(**names).rstrip("\n"))


@cache
def built_in(boundary: str) -> TemplateSandbox:
    """The templates that ship with goalspec, whose fence says *boundary*."""
    return _sandbox(built_in_templates(), boundary, limited=False)


def _sandbox(files: Templates, boundary: str, limited: bool) -> TemplateSandbox:
    from .environment import TemplateSandbox

    names = {
        "fence": fence(boundary),
        "preserved_header": PRESERVED_HEADER,
        "continuation_header": CONTINUATION_HEADER,
    }
    return TemplateSandbox(files, names, limited)
