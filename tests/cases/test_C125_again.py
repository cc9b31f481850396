"""C125: a hook that fires again and again ends by the goal's guards, no later than at the eight refusals
that hosts allow in a row; and what only others bring about is waited for while the agent stops."""

from __future__ import annotations

from pathlib import Path

from goalspec.tests.cli.hooked import WORDS, Hooked

AWAITED = """\
facts { signed : bool }
goal release {
  objective "Release it."
  awaited criterion sign "The release manager signs"
    check signed
}
"""


def test_twelve_firings_in_a_row_end_by_the_guards(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path)
    hooked.create()
    answers = [hooked.fire(output=word, stop_hook_active=word != "zero") for word in WORDS[:12]]
    refused = [bool(answer) for answer in answers]
    assert refused == [True] * 8 + [False] * 4
    record = hooked.record()
    assert (record.status.name, record.usage.turns) == ("blocked", 9)
    assert "no effect" in (record.status.reason or "")


def test_what_a_person_brings_about_refuses_no_stop(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path)
    hooked.create(text=AWAITED)
    hooked.tell({"signed": False})
    assert [hooked.fire(output=word) for word in WORDS[:3]] == [{}, {}, {}]
    status = hooked.record().status
    assert (status.name, status.reason) == ("parked", "others are to bring about sign")
