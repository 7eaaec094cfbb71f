"""Plans of robots with closed loops, and `reach` of public robots: writes docs/evidence/18_zoo_motions.md.

CARPAL_MENAGERIE=DIR CARPAL_ZOO=DIR python tests/write_zoo_motions.py docs/evidence/18_zoo_motions.md
"""

from __future__ import annotations

import datetime
import os
import sys
import warnings
from pathlib import Path

import numpy as np
from constrained_models import five_bar
from write_evidence import commit

import carpal
from carpal.contact import collides, collision_checker
from carpal.kinematics import constraint_residual, random_configurations
from carpal.model import Model
from carpal.planning import plan_each

PLANS = 20
LEG = ("hip-roll", "hip-yaw", "hip-pitch", "foot-crank", "foot", "plantar-rod")
REACHING = (
    "panda", "iiwa14", "xarm7", "ur3", "ur5", "ur10", "kinova", "z1", "so100", "allegro", "leap_hand", "shadow_hand",
    "robotiq_2f85", "baxter", "pr2", "tiago", "tiago_dual", "talos", "talos_arm", "romeo", "icub", "g1", "go1", "go2",
    "anymal", "solo12", "cassie",
)  # fmt: skip


def closed_robots() -> dict[str, Model]:
    """A five-bar, and those of the folder CARPAL_MENAGERIE that are there."""
    found, folder = {"five-bar": five_bar()}, Path(os.environ.get("CARPAL_MENAGERIE", "/nowhere"))
    for name, file in (
        ("Robotiq 2F-85", "robotiq_2f85/2f85.xml"),
        ("xArm 7 with its gripper", "ufactory_xarm7/xarm7.xml"),
    ):
        if (folder / file).exists():
            found[name] = carpal.load(folder / file)
    if (folder / "agility_cassie/cassie.xml").exists():
        cassie = carpal.load(folder / "agility_cassie/cassie.xml")
        found["Cassie's leg from hip to foot"] = collision_checker(
            cassie, joints=[f"left-{name}" for name in LEG]
        ).model
    return found


def plans() -> list[str]:
    lines = ["| robot | joints, of them independent | planner | found | largest residual | largest step | colliding |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, model in closed_robots().items():
        q = random_configurations(model, 6 * PLANS, seed=25)
        if model.shapes:
            q = q[~collides(model, q).hit]
        for planner in ("rrt_connect", "sbl", "est"):
            if not model.shapes:
                model = model.replace(shapes=_shapes(model))
            found = [r for r in plan_each(model, q[:PLANS], q[PLANS : 2 * PLANS], planner=planner) if r.ok]
            residual = max(float(np.abs(constraint_residual(model, r.path)).max()) for r in found)
            step = max(float(np.abs(np.diff(r.path, axis=0)).max()) for r in found)
            hits = sum(int(collides(model, r.path).hit.sum()) for r in found)
            free = len(model.independent_joints)
            lines.append(
                f"| {name} | {model.nq}, {free} | `{planner}` | {len(found)} of {PLANS} | {residual:.1e} | {step:.4f} | {hits} |"
            )
    return lines


def _shapes(model: Model) -> tuple:
    """A ball at the last body, and a wall out of its way."""
    from carpal.model import Box, PlacedShape, Sphere
    from carpal.spatial import pose

    return PlacedShape("ball", model.bodies[-1].name, Sphere(0.01)), PlacedShape(
        "wall", None, Box([0.01, 0.01, 0.01]), pose(p=np.array([0.0, 0.0, 1.0]))
    )


def reaches() -> list[str]:
    lines = ["| robot | reached its default target | sentence |", "|---|---|---|"]
    for robot in REACHING:
        try:
            result = carpal.make_task("reach", robot=robot).run(seed=0)
            lines.append(f"| `{robot}` | {'yes' if result.ok else 'no'} | {result.status} |")
        except carpal.errors.CarpalError as error:
            lines.append(f"| `{robot}` | no | {error} |")
    return lines


def main() -> None:
    warnings.simplefilter("ignore")
    today = f"commit {commit()}, {datetime.date.today().isoformat()}"
    text = [
        "# Motions of public robots", "", f"Written by `tests/write_zoo_motions.py` at {today}.", "",
        f"## Plans with closed loops: {PLANS} random pairs of free configurations, resolution 0.02", "",
        "The residual is the largest of all configurations of all paths, couplings and loops [m, rad]. The five-bar has no "
        "limits: most of its pairs close the loop in two ways that only a singular configuration joins.", "", *plans(), "",
        "## `carpal reach --robot X` with every default, seed 0", "", *reaches(), "",
    ]  # fmt: skip
    Path(sys.argv[1]).write_text("\n".join(text))


if __name__ == "__main__":
    main()
