"""What goalspec costs, beside what its users know: `python benchmarks/run.py [NAME...]`.

Each figure is the median of the ratios to a peer, or to handwritten code, that ran in turns with
it; the quartiles stand behind it. `--quick` runs everything once at a small size: whether it works,
not how fast it is.
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib import import_module

NAMES = (
    "evaluation", "parsing", "conversion", "linting", "startup", "folding", "reachability",
    "store", "turn",
)  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all")
    options.add_argument("--quick", action="store_true", help="once, at a small size")
    given = options.parse_args()
    unknown = set(given.names) - set(NAMES)
    if unknown:
        options.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores{load}")
    for name in given.names or NAMES:
        import_module(name).run(given.quick)


if __name__ == "__main__":
    main()
