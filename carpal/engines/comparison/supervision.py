"""An engine's runs in a process of their own, ended where they exceed their limit."""

from __future__ import annotations

import dataclasses
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from carpal.engines.comparison.engine_run import EngineRuns, RunPlan
from carpal.engines.comparison.track import Track
from carpal.model import Scene

COMPILING = 1200.0
"""Wall time [s] that compilation may take."""
GRACE = 5.0
"""Wall time [s] after the limit in which a worker may end by itself and hand over what it has."""


def supervised(scene: Scene, plan: RunPlan) -> EngineRuns:
    """`run_engine` in a process of its own; a step that does not return ends as "stopped"."""
    with tempfile.TemporaryDirectory(prefix="carpal-compare-") as place:
        folder = Path(place)
        (folder / "scene.toml").write_text(scene.to_toml())
        (folder / "request.json").write_text(json.dumps(dataclasses.asdict(plan)))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with (folder / "stderr").open("w") as stderr:
            child = subprocess.Popen(
                [sys.executable, "-m", "carpal.engines.comparison.worker", place], stdout=subprocess.PIPE, stderr=stderr,
                text=True, env=environment,
            )  # fmt: skip
            try:
                why = _watched(child, plan)
            finally:
                child.kill()
                child.wait()
        if why:
            kept = {k: Track.load(file) for k in plan.refinements if (file := folder / f"track_{k}.npz").exists()}
            return EngineRuns(plan.step(), kept, "ran" if 1 in kept else "stopped", why)
        if not (folder / "answer.json").exists():
            last = ((folder / "stderr").read_text().strip().splitlines() or ["no message"])[-1]
            return EngineRuns(plan.step(), {}, "refused", f"its process ended with status {child.returncode}: {last}")
        answer = json.loads((folder / "answer.json").read_text())
        tracks = {int(k): Track.load(folder / f"track_{k}.npz") for k in answer["tracks"]}
        return EngineRuns(answer["dt"], tracks, answer["outcome"], answer["why"], tuple(answer["notes"]))


def _watched(child: subprocess.Popen[str], plan: RunPlan) -> str:
    """Wait for the process; why it had to be ended, or nothing."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert child.stdout is not None
        for line in child.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    end, reached, compiled = time.monotonic() + COMPILING, 0.0, False
    while True:
        try:
            line = lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            if not compiled:
                return f"its kernels did not finish compiling, or its first step did not return, in {COMPILING:g} s."
            return f"a step from t = {reached:.6g} s did not return within the limit of {plan.limit:g} s."
        if line is None:
            child.wait()
            return ""
        event = json.loads(line)
        if event["event"] == "ready":
            compiled, end = True, time.monotonic() + plan.limit + GRACE
        reached = event["value"]
