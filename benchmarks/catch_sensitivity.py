"""What the catcher's assumed numbers do to the catch: each at -20 and +20 %, six points of the grid, the thesis's gains.

python benchmarks/catch_sensitivity.py    # some minutes; prints rows for docs/assumptions.md
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.errors import CarpalError
from carpal.tasks.catch.catcher_numbers import CatcherNumbers
from carpal.tasks.catch.compiled import ROW, CompiledCatch
from carpal.tasks.catch.score import Outcome, score_outcome
from carpal.tasks.catch.task import Catch

POINTS = (0, 5, 13, 16, 24, 29)
NUMBERS = (
    "com_share", "palm_com", "arm_span", "joint_rate", "joint_damping", "spring_scale", "contact_stiffness",
    "contact_damping", "separation", "friction", "tangential", "slip_speed", "stop_stiffness", "bin_size",
)  # fmt: skip
SHOWN = ("max_position_error_mm", "max_position_error_before_mm", "mean_position_error_mm", "max_angle_error_deg")


def changed(name: str, factor: float) -> CatcherNumbers:
    """The catcher with one number times a factor; what is a share stays at most 1."""
    value = getattr(CatcherNumbers(), name)
    new = tuple(factor * x for x in value) if isinstance(value, tuple) else factor * value
    return dataclasses.replace(CatcherNumbers(), **{name: min(new, 1.0) if name == "separation" else new})


def outcome(numbers: CatcherNumbers) -> tuple[list[float], int]:
    """The worst of each shown number over the points, and how many balls were caught and binned."""
    task = Catch(grid=True, gains="thesis")
    catcher = CompiledCatch(numbers)
    throws = [task.draw(seed) for seed in POINTS]
    plans = [task.plan_of(throw) for throw in throws]
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    end = catcher.run(start, plans, round(max(plan.duration for plan in plans) / ROW) + 1)[0]
    scores = [
        score_outcome(numbers, plan, Outcome(end.watch[i], end.q[i, -7:-4], end.v[i, -6:-3]))
        for i, plan in enumerate(plans)
    ]
    return [max(float(s.numbers[name]) for s in scores) for name in SHOWN], sum(s.ok for s in scores)


def main() -> None:
    base, held = outcome(CatcherNumbers())
    print("| number | at -20 / +20 %:", " | ".join(SHOWN), f"| in the bin of {len(POINTS)} |")
    print("| as assumed |", " | ".join(f"{x:.2f}" for x in base), f"| {held} |", flush=True)
    for name in NUMBERS:
        cells: list[list[str]] = []
        for factor in (0.8, 1.2):
            try:
                values, good = outcome(changed(name, factor))
                shift = [f"{100 * (new / old - 1):+.0f}" for new, old in zip(values, base, strict=True)]
                cells.append([*shift, str(good)])
            except CarpalError:  # too stiff for the step
                cells.append(["refused"] * (len(SHOWN) + 1))
        print(f"| {name} |", " | ".join(f"{a} / {b}" for a, b in zip(*cells, strict=True)), "|", flush=True)


if __name__ == "__main__":
    main()
