"""Reading a rendered text back: what stands in its fence, line by line, as the strings that it was
made of. What is shown of a text here is what a careful reader sees in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from goalspec.compiler.rendering.escaping import CONTINUED, unescaped

_FENCE = re.compile(r"^<(goal-[0-9a-f]{12})>\n(.*?)\n</\1>$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"- ([^ :]+)(?: \(([\w, ]+)\))?: ", re.ASCII)
_PLAIN_ITEM = re.compile(r"- ()()")
_DETAIL = re.compile(r"  (\w+)(?:: |$)", re.ASCII)
_WITHOUT_IDS = frozenset(("Protected files", "Turned since the last turn"))
_LABEL = re.compile(r"([A-Z][\w ,()]*):(?: |$)", re.ASCII)


@dataclass
class Item:
    """A line of a list: the part's id and remark, its text, and what stands below it."""

    id: str
    remark: str
    text: str
    details: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Block:
    """What one fence holds: single values and lists, by their labels."""

    mark: str
    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[Item]] = field(default_factory=dict)


def parse_block(text: str) -> Block:
    """The block of the one fence in *text*. Raises ValueError where there is not just one, or a
    line of it is of no known form."""
    fences = list(_FENCE.finditer(text))
    if len(fences) != 1:
        raise ValueError(f"the text has {len(fences)} fences")
    block = Block(fences[0][1])
    items: list[Item] | None = None
    item_form = _ITEM
    for line in _logical(fences[0][2]):
        if items is not None and (item := item_form.match(line)):
            id, remark = item.groups(default="")
            items.append(Item(unescaped(id), remark, unescaped(line[item.end() :])))
        elif items and (detail := _DETAIL.match(line)):
            items[-1].details.append((detail[1], unescaped(line[detail.end() :])))
        elif label := _LABEL.match(line):
            if label[1] in block.values or label[1] in block.lists:
                raise ValueError(f"the label {label[1]} is there twice")
            items = None
            if label.end() == len(line) and line.endswith(":"):
                items = block.lists[label[1]] = []
                item_form = _PLAIN_ITEM if label[1] in _WITHOUT_IDS else _ITEM
            else:
                block.values[label[1]] = unescaped(line[label.end() :])
        else:
            raise ValueError(f"a line of no known form: {line!r}")
    return block


def _logical(body: str) -> list[str]:
    """The lines of the structure, each with the further lines of its string."""
    lines: list[str] = []
    for line in body.split("\n"):
        if line.startswith(CONTINUED) and lines:
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    return lines
