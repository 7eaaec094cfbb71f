"""The process that runs one engine for a comparison: `python -m carpal.engines.comparison.worker FOLDER`.

It reads FOLDER/request.json and FOLDER/scene.toml, prints one JSON line for each event, and writes FOLDER/track_1.npz and so
on. A process of its own, because a step that never returns can only be ended from outside.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from carpal.engines.comparison.engine_run import RunPlan, run_engine
from carpal.engines.comparison.track import Track
from carpal.model import Scene

EVERY = 0.2  # seconds between two reports of how far it has come


def main(folder: Path) -> None:
    """Run what the folder asks for."""
    request = json.loads((folder / "request.json").read_text())
    plan = RunPlan(**{**request, "refinements": tuple(request["refinements"])})
    last = 0.0

    def notify(what: str, value: float) -> None:
        nonlocal last
        now = time.monotonic()
        if what != "at" or now - last > EVERY:
            last = now
            print(json.dumps({"event": what, "value": value}), flush=True)

    def keep(refinement: int, track: Track) -> None:
        partial = folder / "partial.npz"
        track.save(partial)
        partial.replace(folder / f"track_{refinement}.npz")

    runs = run_engine(Scene.from_toml(folder / "scene.toml"), plan, notify, keep)
    answer = {
        "dt": runs.dt,
        "outcome": runs.outcome,
        "why": runs.why,
        "notes": list(runs.notes),
        "tracks": list(runs.tracks),
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
