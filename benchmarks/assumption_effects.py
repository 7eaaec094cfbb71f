"""What each assumed number does at +-20 %: the table of docs/assumptions.md.

python benchmarks/assumption_effects.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

import carpal
from carpal.dynamics import gravity_forces
from carpal.kinematics import random_configurations
from carpal.model.catalogue import catcher_arm, cuhk_hand, k10, sia5, srs7


@contextmanager
def changed(module: ModuleType, name: str, change: Callable[[Any], Any]) -> Iterator[None]:
    """A module's constant, changed for a while."""
    before = getattr(module, name)
    setattr(module, name, change(before))
    try:
        yield
    finally:
        setattr(module, name, before)


def metrics(robot: str, **options: str) -> np.ndarray:
    """Largest holding torque, largest diagonal entry of M, mean distance of the tool from the base, over 2000 poses."""
    model = carpal.load(robot, **options)
    q = random_configurations(model, 2000, seed=0)
    p = carpal.fk(model, q)[:, :3, 3] - carpal.fk(model, q, model.frames[0])[:, :3, 3]
    diagonal = np.diagonal(carpal.mass_matrix(model, q), axis1=1, axis2=2)
    return np.array([np.abs(gravity_forces(model, q)).max(), diagonal.max(), np.linalg.norm(p, axis=1).mean()])


def _scaled_cylinders(which: int, factor: float) -> Callable[[Any], Any]:
    """Scale radius (2) or mass (3) of every assumed cylinder."""

    def scale(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(x * factor if i == which else x for i, x in enumerate(row))

    return lambda table: (
        {name: scale(row) for name, row in table.items()} if isinstance(table, dict) else tuple(map(scale, table))
    )


CASES = (
    ("sia5", {"inertia": "assumed"}, sia5, "ASSUMED", "link masses", lambda f: _scaled_cylinders(3, f)),
    ("sia5", {"inertia": "assumed"}, sia5, "ASSUMED", "cylinder radii", lambda f: _scaled_cylinders(2, f)),
    ("srs7", {"inertia": "assumed"}, srs7, "ASSUMED", "link masses", lambda f: _scaled_cylinders(3, f)),
    ("srs7", {"inertia": "assumed"}, srs7, "ASSUMED", "cylinder radii", lambda f: _scaled_cylinders(2, f)),
    ("k10", {"inertia": "assumed"}, k10, "ASSUMED", "link masses", lambda f: _scaled_cylinders(3, f)),
    ("k10", {"inertia": "assumed"}, k10, "ASSUMED", "cylinder radii", lambda f: _scaled_cylinders(2, f)),
    ("catcher_arm", {}, catcher_arm, "COM_SHARE", "centres of mass along the links", lambda f: lambda x: x * f),
    ("catcher_arm", {}, catcher_arm, "PALM_COM", "palm's centre of mass", lambda f: lambda x: tuple(np.multiply(x, f))),
    ("catcher_arm", {}, catcher_arm, "FINGER_X", "fingers' extent", lambda f: lambda x: tuple(np.multiply(x, f))),
    ("cuhk_hand", {}, cuhk_hand, "LENGTHS", "link lengths", lambda f: lambda x: tuple(np.multiply(x, f))),
    ("cuhk_hand", {}, cuhk_hand, "LIMITS_DEG", "joint limits", lambda f: lambda x: tuple(map(tuple, np.multiply(x, f)))),
)  # fmt: skip


def main() -> None:
    print("| robot | assumed | holding torque -20 % / +20 % | mass matrix | tool distance |")
    print("|---|---|---|---|---|")
    for robot, options, module, name, what, change in CASES:
        base = metrics(robot, **options)
        cells = []
        for factor in (0.8, 1.2):
            with changed(module, name, change(factor)):
                cells.append(100 * (metrics(robot, **options) / base - 1))
        print(
            f"| `{robot}` | {what} | "
            + " | ".join(f"{low:+.1f} / {high:+.1f} %" for low, high in zip(*cells, strict=True))
            + " |"
        )


if __name__ == "__main__":
    main()
