"""The Monitor: a goal, compiled, in the engine, with a state that outlives the process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ..compiler.codegen import compile_predicate, program_of
from ..compiler.ir.canonical import plain
from ..compiler.ir.document import Fact, Goal
from ..compiler.ir.node import Json
from ..compiler.program import Form
from .engine import Engine, HostCheck, _Clocked, _Known
from .monitor_state import (
    BadState,
    Counting,
    KnownFact,
    MonitorState,
    SeenId,
    read_nanoseconds,
    read_state,
    read_value,
    type_hash,
    write_nanoseconds,
    write_value,
)
from .temporal import State, initial


class Monitor(Engine):
    """Checks one goal over a series of observations.

    *baseline* holds the values of `at baseline`, as JSON; *declared* are facts that a host may give
    though the goal reads none of them; *root* is the project's absolute root, below which absolute
    paths are accepted; *host_checks* are the host's own checks by name, each called with the facts
    of an observation as the host gave them. *state* is what `state()` gave, of this goal or of one
    that was amended to it; raises BadState.
    """

    def __init__(
        self,
        goal: Goal,
        baseline: Mapping[str, Any] | None = None,
        declared: Iterable[Fact] = (),
        root: str | None = None,
        host_checks: Mapping[str, HostCheck] | None = None,
        state: Json = None,
    ) -> None:
        self.goal = goal
        types = {fact.name: fact.type for fact in goal.facts}
        compiled = partial(compile_predicate, facts=types)
        super().__init__(program_of(goal, declared, compiled), baseline, root, host_checks)
        if state is not None:
            self._take_over(read_state(state))

    def state(self) -> Json:
        """What the observations so far have left, as JSON. With it a new Monitor goes on where this
        one is."""
        return plain(
            MonitorState(
                types={name: type_hash(fact) for name, fact in self._declared.items()},
                count=self._count,
                started=self._started,
                at_start=self._at_start,
                start_id=self._start_id,
                now=write_nanoseconds(self._now),
                timed=self._timed,
                rev=self._rev,
                start=_written(self._start),
                facts={name: _write_known(known) for name, known in self._facts.items()},
                ids=tuple(
                    SeenId(
                        id=id,
                        order=self._orders.get(id),
                        facts=_written(facts),
                        counted=tuple(sorted(self._counted_ids.get(id, ()))),
                    )
                    for id, facts in self._ids.items()
                ),
                forms={key: _write_clocked(clocked) for key, clocked in self._clocked.items()},
            )
        )

    def _take_over(self, state: MonitorState) -> None:
        changed = {
            name
            for name, fact in self._declared.items()
            if state.types.get(name, type_hash(fact)) != type_hash(fact)
        }
        kept = self._declared.keys() - changed
        self._count, self._started = state.count, state.started
        self._at_start, self._start_id = state.at_start, state.start_id
        self._now, self._timed, self._rev = read_nanoseconds(state.now), state.timed, state.rev
        self._start = _read(state.start, kept)
        self._facts = {
            name: _read_known(known) for name, known in state.facts.items() if name in kept
        }
        for seen in state.ids:
            self._ids[seen.id] = _read(seen.facts, kept)
            if seen.order is not None:
                self._orders[seen.id] = seen.order
            if seen.counted:
                self._counted_ids[seen.id] = set(seen.counted)
        for key, counting in state.forms.items():
            clocked = self._clocked.get(key)
            if clocked is not None and not clocked.form.needs & changed:
                self._clocked[key] = _read_clocked(clocked.form, counting)


def _written(facts: Mapping[str, Any]) -> dict[str, Json]:
    return {name: write_value(value) for name, value in facts.items()}


def _read(facts: Mapping[str, Json], kept: Iterable[str]) -> dict[str, Any]:
    return {name: read_value(facts[name]) for name in facts if name in kept}


def _write_known(known: _Known) -> KnownFact:
    return KnownFact(
        value=write_value(known.value),
        at=write_nanoseconds(known.at),
        rev=known.rev,
        order=known.order,
        previous=write_value(known.previous),
        previous_order=known.previous_order,
    )


def _read_known(known: KnownFact) -> _Known:
    return _Known(
        read_value(known.value),
        read_nanoseconds(known.at),
        known.rev,
        known.order,
        read_value(known.previous),
        known.previous_order,
    )


def _write_clocked(clocked: _Clocked) -> Counting:
    return Counting(
        state=_write_counters(clocked.state),
        before=_write_counters(clocked.before),
        last_id=clocked.last_id,
    )


def _write_counters(state: State) -> tuple[Json, ...]:
    return tuple(write_value(getattr(state, name)) for name in state.__slots__)


def _read_clocked(form: Form, counting: Counting) -> _Clocked:
    kind = type(initial(form))
    try:
        state, before = (
            kind(*map(read_value, counters)) for counters in (counting.state, counting.before)
        )
    except TypeError:
        raise BadState(f"the monitor's state has no counters of {kind.__name__}") from None
    return _Clocked(form, state, before, counting.last_id)
