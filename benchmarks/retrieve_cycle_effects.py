"""What the assumed numbers of a pick-up do at minus and plus 20 %: which relays can be grasped, and the error budget.

`python benchmarks/retrieve_cycle_effects.py [--relays 60]` prints the table.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from carpal.labs.retrieve import (
    RELAY,
    Relay,
    check_reach,
    grasp_budget,
    gripper_parts,
    pick_lines,
    pick_scenes,
    reachability,
    relay_pose,
    rover_scene,
)
from carpal.labs.retrieve.relay import error_budget as budget_file
from carpal.labs.retrieve.relay import held_relay as held_file
from carpal.labs.retrieve.studies.pose_study import AREA

PLACE = (0.36, 0.35, -1.24)
COVARIANCE = np.diag([0.3e-3, 0.3e-3, 0.55e-3, 4e-3, 4e-3, 3e-3]) ** 2  # as found in images


@contextlib.contextmanager
def changed(*changes: tuple[Any, str, Any]) -> Iterator[None]:
    """Module constants set to other values, prepared scenes made anew."""
    kept = [(module, name, getattr(module, name)) for module, name, _ in changes]
    try:
        for module, name, value in changes:
            setattr(module, name, value)
        _forget()
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)
        _forget()


def _forget() -> None:
    pick_scenes.free_arm.cache_clear()
    pick_scenes.carrying_scene.cache_clear()
    reachability.ring.cache_clear()


def measured(relays: int, relay: Relay = RELAY) -> tuple[float, float, float]:
    """(share of relays that can be grasped [%], sideways and vertical error budget [mm])."""
    rng = np.random.default_rng(7)
    (x0, x1), (y0, y1) = AREA
    poses = [(rng.uniform(x0, x1), rng.uniform(y0, y1), rng.uniform(-np.pi, np.pi)) for _ in range(relays)]
    good = sum(bool(check_reach(relay_pose(*pose), relay=relay)) for pose in poses)
    X = relay_pose(*PLACE)
    q = check_reach(X, relay=relay).lines[0].grasp.q_end
    budget = grasp_budget(pick_scenes.free_arm().model, q, X, COVARIANCE, relay)
    return 100 * good / relays, 1e3 * (budget.aside - budget.aimed_out + held_file.AIM_OUT), 1e3 * budget.up


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--relays", type=int, default=60)
    relays = parser.parse_args().relays
    lines, scenes, reach = pick_lines, pick_scenes, reachability
    rows: list[tuple[str, str, list[tuple[Any, str, Any]]]] = [
        ("way in begins beside the grip point", "130 mm", [(lines, "BESIDE", lines.BESIDE)]),
        ("lowered from above the way in", "40 mm", [(lines, "ABOVE", lines.ABOVE)]),
        ("upper blade over the flap on the way in", "10 mm", [(lines, "OVER_KNOB", lines.OVER_KNOB)]),
        ("upper blade over the flap when it closes", "4 mm", [(lines, "OVER_FLAP", lines.OVER_FLAP)]),
        ("small lift", "40 mm", [(lines, "LIFT", lines.LIFT)]),
        ("axis aimed outwards", "5 mm", [(held_file, "AIM_OUT", held_file.AIM_OUT)]),
        ("distance that ways keep", "10 mm", [(module, "NEAR", scenes.NEAR) for module in (lines, scenes, reach)]),
        ("angle uncertain after the grasp", "0.06 rad", [(lines, "SPREAD", lines.SPREAD)]),
        ("potentiometers' resolution (published)", "0.27 deg", [(budget_file, "RESOLUTION", budget_file.RESOLUTION)]),
    ]
    base = measured(relays)
    print(f"| assumed | value | graspable {base[0]:.0f} % | sideways {base[1]:.2f} mm | up and down {base[2]:.2f} mm |")
    print("|---|---|---|---|---|")

    def show(name: str, value: str, low: tuple[float, ...], high: tuple[float, ...]) -> None:
        cells = [f"{a:.{n}f} / {b:.{n}f}" for a, b, n in zip(low, high, (0, 2, 2), strict=True)]
        print(f"| {name} | {value} | " + " | ".join(cells) + " |", flush=True)

    for name, text, changes in rows:
        sides = []
        for factor in (0.8, 1.2):
            with changed(*((module, constant, factor * value) for module, constant, value in changes)):
                sides.append(measured(relays))
        show(name, text, *sides)
    parts = gripper_parts.ARM_PARTS
    sides = []
    for factor in (0.8, 1.2):
        thick = tuple((link, name, factor * radius, *rest) for link, name, radius, *rest in parts)
        with changed((gripper_parts, "ARM_PARTS", thick)):
            sides.append(measured(relays))
    show("radii of the arm's links", "45, 30, 25 mm", *sides)
    sides = []
    for factor in (0.8, 1.2):
        wall = ((rover_scene.WALL[0][0], rover_scene.WALL[0][1] * factor), *rover_scene.WALL[1:])
        with changed((rover_scene, "WALL", wall)):
            sides.append(measured(relays))
    show("wall behind the arm's axis", "150 mm", *sides)
    sides = [
        measured(relays, dataclasses.replace(RELAY, antenna_angle=factor * RELAY.antenna_angle))
        for factor in (0.8, 1.2)
    ]
    show("half angle of the antenna's cone, standing", "8 deg", *sides)


if __name__ == "__main__":
    main()
