"""Audit: files that Carpal writes and reads, with one bit flipped. None may load with changed content.

python tests/audit/flipped_bits.py --files 1000 --seed 5 --out out/flipped_bits.json
"""

from __future__ import annotations

import argparse
import collections
import json
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import carpal
from carpal.errors import CarpalError


class Kind(NamedTuple):
    """A kind of file: how one is written (returns the file), and everything that loading it gives."""

    write: Callable[[Path], Path]
    content: Callable[[Path], Any]


def write_recording(folder: Path) -> Path:
    """A falling arm."""
    from carpal.engines import RigidEngine, simulate

    scene = carpal.Scene("fall").add_robot("sawyer")
    return Path(simulate(RigidEngine(scene.build(), dt=1e-3), scene.start(), None, 0.2).save(folder / "run.parquet"))


def recording(file: Path) -> Any:
    """Rows, ledger, metadata, contacts and events."""
    found = carpal.Recording.load(file)
    numbers = [found.time, found.q, found.v, found.u, *found.energy.values()]
    return [part.tobytes() for part in numbers], repr((found.metadata, found.contacts, found.events))


def write_trajectory(folder: Path) -> Path:
    """A motion through three waypoints."""
    from carpal.planning import joint_trajectory

    arm = carpal.load("k10")
    motion = joint_trajectory(arm, [[0, 0, 0, 0, 0], [0.4, -0.5, 0.6, 0, 0.3], [1, -1, 1, 0.5, 0]])
    return motion.save(folder / "move.npz")


def trajectory(file: Path) -> Any:
    """Every number of the pieces."""
    found = carpal.Trajectory.load(file)
    return pickle.dumps(
        [np.asarray(part).tobytes() for part in (found.times, found.at(np.linspace(0, found.duration, 50)))]
    )


def write_journal(folder: Path) -> Path:
    """The journal of a small campaign."""
    from carpal.tasks import Study, campaign

    campaign(Study("reach", {}, (), tuple(range(3))), out=folder / "study", processes=1)
    (folder / "study" / "cases.parquet").unlink()
    return folder / "study" / "journal.sqlite"


def journal(file: Path) -> Any:
    """All rows."""
    from carpal.tasks import open_campaign

    found = open_campaign(file.parent)
    return repr([dict(sorted(row.items())) for row in found.rows]), repr(found.study)


KINDS = {
    "recording": Kind(write_recording, recording),
    "trajectory": Kind(write_trajectory, trajectory),
    "journal": Kind(write_journal, journal),
}


def flip(kind: Kind, files: int, rng: np.random.Generator) -> dict[str, Any]:
    """Outcomes of loading copies of one file with one bit flipped each."""
    counts: collections.Counter[str] = collections.Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = kind.write(Path(folder))
        whole = path.read_bytes()
        before = kind.content(path)
        for _ in range(files):
            at, bit = int(rng.integers(len(whole))), int(rng.integers(8))
            path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :])
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    same = kind.content(path) == before
                outcome = "same" if same else "changed"
            except CarpalError:
                outcome = "refused"
            except Exception as problem:
                outcome = f"raw {type(problem).__name__}"
            counts[outcome] += 1
            if outcome not in ("same", "refused"):
                faults.append(f"byte {at} of {len(whole)}, bit {bit}: {outcome}")
    return {"bytes": len(whole), "outcomes": dict(counts), "faults": faults[:40]}


def main() -> int:
    """Flip bits in every kind and write what was found; 1 where something loads with changed content."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000, help="of each kind")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--kind", choices=sorted(KINDS), default=None)
    parser.add_argument("--out", type=Path, default=Path("out/flipped_bits.json"))
    said = parser.parse_args()
    rng = np.random.default_rng(said.seed)
    found = {name: flip(kind, said.files, rng) for name, kind in KINDS.items() if said.kind in (None, name)}
    said.out.parent.mkdir(parents=True, exist_ok=True)
    said.out.write_text(json.dumps({"files": said.files, "seed": said.seed, "kinds": found}, indent=1))
    for name, row in found.items():
        print(name, row["bytes"], "bytes", row["outcomes"])
    return 1 if any(row["faults"] for row in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
