from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule


class UnusedPreset(Rule):
    """A preset that no goal beside it takes."""

    code = Code(
        "GS416", "unused-preset", "lint", Severity.WARNING,
        "No goal of the file takes the preset, and no other preset builds on it: its constraints "
        "bind nobody, though whoever reads the file would think so. Take it, delete it, or move it "
        "into a file of its own for others to `use`; in a file without goals every preset is let "
        "be.",
        """\
preset careful {
  budget { turns 10 }
}

goal g {
  objective "Write the handbook."
  criterion written "A newcomer can install the program with it"
  judge { max_invocations 3 }
}
""",
        """\
preset careful {
  budget { turns 10 }
}

goal g {
  preset careful
  objective "Write the handbook."
  criterion written "A newcomer can install the program with it"
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.File,)

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        if not any(isinstance(statement, s.Goal) for statement in node.statements):
            return
        blocks = [part for part in node.statements if isinstance(part, s.Goal | s.Preset)]
        taken = {
            name.text
            for block in blocks
            for part in block.parts
            if isinstance(part, s.PresetUse)
            for name in part.names
        }
        for block in blocks:
            if isinstance(block, s.Preset) and block.id.text not in taken:
                yield self.finding(
                    at, block.id.span, f"no goal of this file takes the preset `{block.id.text}`",
                    f"write `preset {block.id.text}` in a goal, or delete it",
                )  # fmt: skip
