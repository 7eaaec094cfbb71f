"""One run of each task gives the keys and numbers that it gave before the tree was rebuilt (commit eba73aa).

`tests/data/answers_before/` holds what `carpal <words> --json` printed then, and `now` where the command was renamed. Keys
renamed on purpose are in `RENAMED`, keys that came since in `ADDED`; wall times and the wording of sentences do not count.
Another type of processor rounds differently, and long runs with contacts amplify that: 2e-6 of a duration was seen. On the
machine that wrote the answers, `CARPAL_SAME_MACHINE=1` compares to 1e-12.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carpal.cli import main

ROOT = Path(__file__).parent.parent
ANSWERS = sorted((ROOT / "tests" / "data" / "answers_before").glob("*.json"))
RELATIVE, ABSOLUTE = (1e-12, 1e-12) if os.environ.get("CARPAL_SAME_MACHINE") else (1e-4, 1e-8)
RENAMED: dict[str, str] = {"thesis": "published", "looks": "checks"}
ADDED = {
    ".options.appendix",  # catch compares torques only when asked
    ".options.arm",  # catch with another arm and hand
    ".options.hand",
    ".options.mount_frame",
    ".options.mount",
    ".options.setup",
    ".options.tool",  # reach takes any frame
    ".robot",  # mount takes any arm on several bases, and says how late its sensor may be
    ".options.attitude",
    ".options.inertia",
    ".options.stand_stiffness",
    ".options.weights",
    ".numbers.delay_limit_s",
    ".delay_limit_s",
    ".ended_by",  # what ended a plan's search, and how near its path comes to anything
    ".clearance",
    ".goal_index",  # which of several goals was reached, and bounds of what was kept on the way
    ".kept",
    ".depth_share",  # of catch; one throw of it is no longer set against maxima over thirty either
    ".numbers.depth_share",
    ".residuals",  # of `carpal simulate`, with their bounds
}
WALL_TIMES = {"seconds", "plan_to_relay_ms", "plan_carry_ms"}


def differences(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Where two answers differ in keys, kinds or numbers."""
    if isinstance(before, dict) and isinstance(now, dict):
        before = {RENAMED.get(key, key): value for key, value in before.items()}
        changed = {key for key in set(before) ^ set(now) if key in before or f"{where}.{key}" not in ADDED}
        if changed:
            yield f"{where}: keys {sorted(changed)}"
        for key in before.keys() & now.keys() - WALL_TIMES:
            yield from differences(before[key], now[key], f"{where}.{key}")
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield f"{where}: {len(before)} entries, now {len(now)}"
        for i, (a, b) in enumerate(zip(before, now, strict=False)):
            yield from differences(a, b, f"{where}[{i}]")
    elif isinstance(before, bool | str | None) or isinstance(now, bool | str | None):
        if type(before) is not type(now) or (not isinstance(before, str) and before != now):
            yield f"{where}: {before!r}, now {now!r}"
    elif not math.isclose(before, now, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
        yield f"{where}: {before!r}, now {now!r}"


def test_what_differs_is_found():
    assert not list(differences({"a": [1.0, "x"], "seconds": 1}, {"a": [1.0 + 1e-13, "y"], "seconds": 2}))
    assert len(list(differences({"a": [1.0, True]}, {"a": [1.0 + 2e-4, False], "b": 1}))) == 3


@pytest.mark.parametrize("file", ANSWERS, ids=lambda path: path.stem)
def test_a_task_answers_as_before(file, capsys, monkeypatch):
    kept = json.loads(file.read_text())
    monkeypatch.chdir(ROOT)
    status = main(kept.get("now", kept["words"]))
    now = json.loads(capsys.readouterr().out)
    assert status == kept["status"]
    assert not list(differences(kept["answer"], now))
