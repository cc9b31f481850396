"""Lives of goals, simulated by the thousand, each made of one seed (simulated_life.py).

python -m goalspec.tests.runtime.convergence.simulation 10000 --seed 1
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from goalspec.tests.runtime.convergence.invariants import Broken
from goalspec.tests.runtime.convergence.simulated_life import Life


@dataclass
class Tally:
    """What came of many lives."""

    lives: int = 0
    sent: int = 0
    judged: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    broken: list[tuple[int, str]] = field(default_factory=list)


def simulated(seeds: Iterable[int]) -> Tally:
    tally = Tally()
    for seed in seeds:
        life = Life(seed)
        try:
            life.live()
        except Broken as broken:
            tally.broken.append((seed, str(broken)))
        tally.lives += 1
        tally.sent += life.sent
        tally.judged += life.judge.asked
        tally.reasons += life.watch.reasons
        tally.endings[life.record.status.name] += 1
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lives", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument("--trace", action="store_true", help="print what happened in each")
    asked = parser.parse_args()
    if asked.trace:
        for seed in range(asked.seed, asked.seed + asked.lives):
            life = Life(seed)
            try:
                life.live()
            except Broken as broken:
                life.trace.append(f"BROKEN {broken}")
            print("\n".join(life.trace))
        return
    began = time.monotonic()
    tally = simulated(range(asked.seed, asked.seed + asked.lives))
    took = time.monotonic() - began
    print(f"{tally.lives} lives, {tally.sent} events, {tally.judged} judge calls, {took:.1f} s")
    print("endings:", dict(tally.endings.most_common()))
    print("reasons:", dict(tally.reasons.most_common()))
    for _, words in tally.broken[:40]:
        print("BROKEN", words)
    raise SystemExit(bool(tally.broken))


if __name__ == "__main__":
    main()
