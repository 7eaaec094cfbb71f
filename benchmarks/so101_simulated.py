"""An SO-101 of simulated servos on a pseudo-terminal: 1,000 random targets, pulled cables, lost bytes, the loop's rate.

python benchmarks/so101_simulated.py docs/evidence/33_so101.md
"""

from __future__ import annotations

import collections
import contextlib
import datetime
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import carpal
from carpal._core.compile import kernels_hash
from carpal.control import Disorder, FeetechBus, ServoLine, SimulatedServos
from carpal.tasks import ServoArm

ARM = carpal.load("so101")
TARGETS = 1000


@contextlib.contextmanager
def an_arm(
    start: np.ndarray, back: Disorder | None = None, **options: float | None
) -> Iterator[tuple[ServoArm, ServoLine]]:
    with ServoLine(SimulatedServos("sts", dict(enumerate(start, start=1))), back=back) as line:
        bus = FeetechBus(line.port)
        try:
            yield ServoArm(bus, ARM, **{"speed": 8.0, "acceleration": 100.0, **options}), line
        finally:
            bus.close()


def random_targets() -> list[str]:
    """How often targets were reached, how near, and why the others were refused."""
    rng, reasons, errors, angles = np.random.default_rng(3), collections.Counter[str](), [], []
    with an_arm(ARM.q_home) as (arm, _):
        for k in range(TARGETS):
            if k % 2:
                X = carpal.fk(ARM, rng.uniform(0.8 * ARM.q_min, 0.8 * ARM.q_max))
                point, direction = X[:3, 3], X[:3, :3] @ ARM.tool_axis
            else:
                point, direction = rng.uniform((-0.1, -0.4, -0.1), (0.5, 0.4, 0.5)), rng.normal(size=3)
                direction /= np.linalg.norm(direction)
            move = arm.move_to(point, direction)
            if move.ok:
                X = carpal.fk(ARM, move.q[-1])
                errors.append(np.linalg.norm(X[:3, 3] - point))
                angles.append(np.degrees(np.arccos(np.clip(X[:3, :3] @ ARM.tool_axis @ direction, -1, 1))))
                reasons["reached"] += 1
            else:
                said = re.sub(r"'[a-z_]+'|-?\d[\d.e-]*", "...", move.status)
                kinds = {
                    "is the floor": "refused: below the floor",
                    "too far": "refused: too far",
                    "too near": "refused: too near",
                    "out of the arm's plane": "refused: direction out of the arm's plane",
                    "outside the limits": "refused: outside the joint limits",
                    "that can be trusted": "not moved: the machine was too busy for a reading that counts",
                }
                reasons[next((name for key, name in kinds.items() if key in said), said)] += 1
    lines = [f"| {name} | {count} |" for name, count in reasons.most_common()]
    return [
        "| outcome | targets |", "|---|---|", *lines, "",
        f"Reached targets: tool at most {1e3 * max(errors):.1f} mm (median {1e3 * np.median(errors):.2f} mm) and "
        f"{max(angles):.2f} degrees away.",
    ]  # fmt: skip


def pulled_cables(count: int = 20) -> str:
    """Unplugged at random moments of a move."""
    rng, right = np.random.default_rng(5), 0
    for _ in range(count):
        with an_arm(ARM.q_home, speed=2.0) as (arm, line):
            pull = threading.Timer(float(rng.uniform(0.05, 0.4)), line.unplug)
            pull.start()
            move = arm.move_joints([1.5, -0.8, 0.8, 0.3, 0.2, 0.4])
            pull.join()
            right += (not move.ok) and move.status.startswith("stopped: ")
    return f"Cable pulled in motion: {right} of {count} moves ended with one sentence."


def lost_bytes(count: int = 20) -> str:
    """A twentieth of the answers lose a byte."""
    rng, right, asked = np.random.default_rng(6), 0, 0
    for k in range(count):
        with an_arm(ARM.q_home, Disorder(k, 0.05, ("lost",))) as (arm, _):
            goal = rng.uniform(0.7 * ARM.q_min, 0.7 * ARM.q_max)
            move = arm.move_joints(goal)
            right += bool(move.ok and np.abs(arm.read() - goal).max() < 0.03)
            asked += arm.bus.retries
    return f"One answer in twenty loses a byte: {right} of {count} moves arrived, {asked} questions were asked again."


def any_start(count: int = 20) -> str:
    """Power on anywhere, up to 0.05 rad beyond the limits."""
    rng, right, jump = np.random.default_rng(7), 0, 0.0
    for _ in range(count):
        start = rng.uniform(ARM.q_min - 0.05, ARM.q_max + 0.05)
        with an_arm(start, floor=None) as (arm, _):
            move = arm.move_joints(ARM.q_home)
            right += move.ok
            jump = max(jump, float(np.abs(move.command[0] - start).max()))
    return (
        f"Power on anywhere: {right} of {count} moves home arrived; the first set-point is at most {jump:.3f} rad from where "
        "the arm stood."
    )


def loop_rate() -> str:
    """Reading, closed form and writing as often as possible."""
    with an_arm(ARM.q_home) as (arm, _):
        X = carpal.fk(ARM, [0.1, -0.3, 0.4, 0.2, 0.0, 0.0])
        arm.power_on()
        counts, end, start = 0, time.monotonic() + 5.0, time.monotonic()
        while time.monotonic() < end:
            goal, _ = arm.goal_for(X[:3, 3], X[:3, :3] @ ARM.tool_axis)
            arm._send(arm.read() + 0.001 * (goal - arm.read()))
            counts += 1
        plain = counts / (time.monotonic() - start)
    with an_arm(ARM.q_home, period=0.005, speed=1.0) as (arm, _):
        move = arm.move_joints([1.0, 0, 0, 0, 0, 0])
    return (
        f"Loop (three readings, closed form, floor, one writing): {plain:.0f} a second; a move with a period of 5 ms: "
        f"{move.rate:.0f} readings and writings a second."
    )


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    head = f"Written by `benchmarks/so101_simulated.py`; commit {commit}, kernels {kernels_hash()[:12]}, {datetime.date.today()}."
    lines = [
        "# SO-101 on simulated servos",
        "",
        head,
        "No real arm was driven.",
        "",
        f"## {TARGETS} random targets",
        "",
    ]
    lines += [
        *random_targets(),
        "",
        "## Faults",
        "",
        pulled_cables(),
        lost_bytes(),
        any_start(),
        "",
        "## Rate",
        "",
        loop_rate(),
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
