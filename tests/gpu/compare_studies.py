"""Compare the journals that `measure_study.py` left: the first is the reference, the others are held against it.

    PYTHONPATH=.:tests python3 tests/gpu/compare_studies.py docs/evidence/study_backends.json one=out/one cuda=out/cuda

Numbers of the CPU's backends must be the same bits; of CUDA's the verdicts that differ and the largest differences are listed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from carpal.tasks.campaigns.store import CaseStore

Rows = dict[int, dict[str, Any]]


def rows_of(folder: str) -> Rows:
    """A journal's rows by number."""
    with CaseStore(Path(folder), None, reading=True) as store:
        return {row["number"]: row for row in store.rows()}


def compared(first: Rows, other: Rows) -> dict[str, Any]:
    """What two journals say about the cases that both hold."""
    shared = sorted(first.keys() & other.keys())
    what = ("state", "ok", "status", "numbers")
    same = sum(all(first[i][key] == other[i][key] for key in what) for i in shared)
    differ = [i for i in shared if first[i]["ok"] != other[i]["ok"]]
    names = sorted({name for i in shared for name in first[i]["numbers"]})
    away = {}
    for name in names:
        pairs = [(first[i]["numbers"].get(name), other[i]["numbers"].get(name)) for i in shared if i not in set(differ)]
        gaps = [np.max(np.abs(np.subtract(a, b))) for a, b in pairs if a is not None and b is not None]
        if gaps:
            away[name] = {
                "median": float(np.median(gaps)),
                "p99": float(np.percentile(gaps, 99)),
                "most": float(np.max(gaps)),
            }
    return {
        "cases": len(shared), "same_bits": same, "verdicts_equal": len(shared) - len(differ), "differing": differ,
        "first_says": [first[i]["status"] for i in differ[:20]], "other_says": [other[i]["status"] for i in differ[:20]],
        "seconds_a_case": float(np.mean([other[i]["seconds"] for i in shared])) if shared else None, "away": away,
    }  # fmt: skip


def main(path: str, *folders: str) -> None:
    """Write the comparison."""
    named = dict(folder.split("=", 1) for folder in folders)
    reference, *others = named
    first = rows_of(named[reference])
    told = {"reference": reference, "cases": len(first), "succeeded": sum(row["ok"] for row in first.values())}
    told |= {name: compared(first, rows_of(named[name])) for name in others}
    Path(path).write_text(json.dumps(told, indent=1) + "\n")
    for name in others:
        print(name, {key: told[name][key] for key in ("cases", "same_bits", "verdicts_equal", "differing")})


if __name__ == "__main__":
    main(*sys.argv[1:])
