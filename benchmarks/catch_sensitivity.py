"""What the catcher's assumed numbers do to the catch: each at -20 and +20 %, six points of the grid, the thesis's gains.

python benchmarks/catch_sensitivity.py    # some minutes; prints rows for docs/assumptions.md
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from unittest import mock

import numpy as np

from carpal.errors import CarpalError
from carpal.labs.catch import flight, hand_geometry, mechanism
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import ROW, CompiledCatch
from carpal.labs.catch.score import Outcome, score_outcome
from carpal.labs.catch.task import Catch
from carpal.model import Capsule, PlacedShape

POINTS = (0, 5, 13, 16, 24, 29)
NUMBERS = (
    "com_share", "palm_com", "arm_span", "joint_rate", "joint_damping", "spring_scale", "contact_stiffness",
    "contact_damping", "separation", "friction", "tangential", "slip_speed", "stop_stiffness", "bin_size",
)  # fmt: skip
SHOWN = ("max_position_error_mm", "max_position_error_before_mm", "mean_position_error_mm", "max_angle_error_deg")

Triple = tuple[float, float, float]


def _moved(point: Triple, axis: int, factor: float) -> Triple:
    return tuple(factor * x if i == axis else x for i, x in enumerate(point))  # type: ignore[return-value]


def _thick_phalanges(factor: float) -> Callable[..., tuple[PlacedShape, ...]]:
    """`phalanx_shapes` whose touching capsules have another radius."""
    plain = hand_geometry.phalanx_shapes

    def shapes(*given: str) -> tuple[PlacedShape, ...]:
        made = plain(*given)  # type: ignore[arg-type]
        return tuple(
            dataclasses.replace(s, shape=Capsule(factor * s.shape.radius, s.shape.length))
            if s.collides and isinstance(s.shape, Capsule) else s
            for s in made
        )  # fmt: skip

    return shapes


@contextlib.contextmanager
def shaped(name: str, factor: float) -> Iterator[None]:
    """The hand with one of its shapes times a factor."""
    g = hand_geometry
    change: dict[str, tuple[object, str, object]] = {
        "heel's radius": (g, "HEEL", (*g.HEEL[:2], factor * g.HEEL[2])),
        "rims' radius": (g, "RIMS", tuple((p, q, factor * r) for p, q, r in g.RIMS)),
        "rims' distance from the middle": (
            g, "RIMS", tuple((_moved(p, 1, factor), _moved(q, 1, factor), r) for p, q, r in g.RIMS)
        ),
        "thumb's radii": (g, "THUMB_RADII", tuple(factor * r for r in g.THUMB_RADII)),
        "thumb's height over the palm": (g, "THUMB_TIP", _moved(g.THUMB_TIP, 2, factor)),
        "phalanges' radii": (mechanism, "phalanx_shapes", _thick_phalanges(factor)),
        "knuckles' distance from the middle": (
            g, "KNUCKLES", {finger: _moved(p, 1, factor) for finger, p in g.KNUCKLES.items()}
        ),
        "ball's place at the catch": (flight, "BALL_AIM", tuple(factor * x for x in flight.BALL_AIM)),
        "knuckles' depth": (g, "KNUCKLES", {finger: _moved(p, 2, factor) for finger, p in g.KNUCKLES.items()}),
    }  # fmt: skip
    with mock.patch.object(*change[name]):
        yield


SHAPES = (
    "heel's radius", "rims' radius", "rims' distance from the middle", "thumb's radii", "thumb's height over the palm",
    "phalanges' radii", "knuckles' distance from the middle", "knuckles' depth",
    "ball's place at the catch",
)  # fmt: skip


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
    scores = [score_outcome(numbers, plan, Outcome.of_state(end, i)) for i, plan in enumerate(plans)]
    return [max(float(s.numbers[name]) for s in scores) for name in SHOWN], sum(s.ok for s in scores)


def main() -> None:
    base, held = outcome(CatcherNumbers())
    print("| number | at -20 / +20 %:", " | ".join(SHOWN), f"| in the bin of {len(POINTS)} |")
    print("| as assumed |", " | ".join(f"{x:.2f}" for x in base), f"| {held} |", flush=True)
    for name in NUMBERS:
        _row(name, base, lambda factor, name=name: outcome(changed(name, factor)))
    for name in SHAPES:
        _row(name, base, lambda factor, name=name: _with_shape(name, factor))


def _with_shape(name: str, factor: float) -> tuple[list[float], int]:
    with shaped(name, factor):
        return outcome(CatcherNumbers())


def _row(name: str, base: list[float], at: Callable[[float], tuple[list[float], int]]) -> None:
    """One line of the table: what the number does at 0.8 and 1.2 of itself."""
    cells: list[list[str]] = []
    for factor in (0.8, 1.2):
        try:
            values, good = at(factor)
            shift = [f"{100 * (new / old - 1):+.0f}" for new, old in zip(values, base, strict=True)]
            cells.append([*shift, str(good)])
        except CarpalError:  # too stiff for the step
            cells.append(["refused"] * (len(SHOWN) + 1))
    print(f"| {name} |", " | ".join(f"{a} / {b}" for a, b in zip(*cells, strict=True)), "|", flush=True)


if __name__ == "__main__":
    main()
