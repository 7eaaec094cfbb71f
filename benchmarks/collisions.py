"""One yes/no check of a 7-capsule arm against 10 boxes and itself, beside MuJoCo and Coal through Pinocchio.

make bench
"""

from __future__ import annotations

import functools
import os
import sys
import time
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from collision_scenes import boxed_arm, capsule_arm  # noqa: E402 - the path above is needed first
from harness import Sheet, race  # noqa: E402

from carpal.contact import CollisionChecker, collides, collision_checker, contact_tables, distance  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402
from carpal.model import Capsule, Model, Scene, Sphere  # noqa: E402

CHECKS = 2000


def main() -> None:
    sheet = Sheet(f"Collision checks: a 7-capsule arm against 10 boxes and itself, {CHECKS:,} random configurations")
    scene = boxed_arm()
    q = random_configurations(scene.build(), CHECKS, seed=1)
    hit = collides(scene, q).hit
    near = np.abs(distance(scene, q).distance) < 1e-6
    # built once: Pinocchio's broad phase keeps references to what it was built from
    peers = {"MuJoCo": mujoco_checks(scene), "Coal through Pinocchio": coal_checks(scene)}
    checker = collision_checker(scene)
    for name, rows in {"all": q, "free only": q[~hit], "touching only": q[hit]}.items():
        races(sheet, scene, checker, peers, np.ascontiguousarray(rows), name, near)
    load = os.getloadavg()[0]
    sheet.lines += [
        "",
        f"{len(collides(scene, q).tables.pairs)} pairs of shapes are left after the filters; {100 * hit.mean():.0f} % of the "
        "configurations touch. `checker(q)` is asked with one configuration after the other from Python; `batch` is one call. "
        "All verdicts are the same. Coal stops at the first collision, MuJoCo has no such option. Every contender does its "
        "own forward kinematics. Times are processor time of the one thread.",
        "",
        f"Load average while this was measured: {load:.1f} on {os.cpu_count()} cores.",
    ]
    sheet.save(ROOT / "docs" / "evidence" / "bench_collisions.md")


def races(
    sheet: Sheet,
    scene: Scene,
    checker: CollisionChecker,
    peers: dict[str, Any],
    q: np.ndarray,
    name: str,
    near: np.ndarray,
) -> None:
    rows = list(q)

    def carpal_one_at_a_time():
        return [checker(row) for row in rows]

    def carpal_batch():
        return collides(scene, q, threads=1)

    truth = np.array(carpal_one_at_a_time())
    assert np.array_equal(truth, carpal_batch().hit)
    ours: dict[str, Any] = {"one at a time": carpal_one_at_a_time, "batch": carpal_batch}
    theirs: dict[str, Any] = {}
    for peer, checks in peers.items():
        if not checks:
            sheet.absent(peer)
            continue
        for check in checks:
            different = np.flatnonzero(np.array(check(rows)) != truth)
            assert name != "all" or near[different].all(), f"{peer}: another verdict at {different[:5]}"
        seconds = race(
            {check.__name__: functools.partial(check, rows) for check in checks}, rounds=3, clock=time.thread_time
        )
        best = min(checks, key=lambda check, seconds=seconds: seconds[check.__name__])
        theirs[peer] = functools.partial(best, rows)
        if name == "all":
            for check in checks:
                sheet.show(check)
            if len(checks) > 1:
                times = ", ".join(f"{k} {1e6 * v / len(rows):.2f} us" for k, v in seconds.items())
                sheet.code.append(f"# {peer}: {times} a check; the faster one races\n")
    if name == "all":
        sheet.show(carpal_one_at_a_time)
        sheet.show(carpal_batch)
    seconds = race({**ours, **theirs}, rounds=15, clock=time.thread_time)
    for peer in theirs:
        for work in ours:
            sheet.row(f"{name}, {work}", seconds, work, peer, 2.5 if peer == "MuJoCo" else 4.0, per=len(rows))


def mujoco_checks(scene: Scene) -> list[Any]:
    try:
        import mujoco
    except ImportError:
        return []
    m = mujoco.MjModel.from_xml_string(scene.to_mjcf())
    d = mujoco.MjData(m)
    qpos, kinematics, collision = d.qpos, mujoco.mj_kinematics, mujoco.mj_collision

    def mujoco_one_at_a_time(rows):
        out = []
        for row in rows:
            qpos[:] = row
            kinematics(m, d)
            collision(m, d)
            out.append(d.ncon > 0)
        return out

    return [mujoco_one_at_a_time]


def coal_checks(scene: Scene, arm: Model | None = None) -> list[Any]:
    try:
        import coal
        import pinocchio as pin
    except ImportError:
        return []
    arm = capsule_arm() if arm is None else arm

    def form_of(shape: Any) -> Any:
        if isinstance(shape, Sphere):
            return coal.Sphere(shape.radius)
        return coal.Capsule(shape.radius, shape.length) if isinstance(shape, Capsule) else coal.Box(*shape.size)

    model, geometry = pin.Model(), pin.GeometryModel()
    parent = 0
    for body in arm.bodies:
        joint = pin.JointModelRY() if body.joint.axis[1] else pin.JointModelRZ()
        parent = model.addJoint(parent, joint, pin.SE3(np.array(body.joint.X_PJ)), body.joint.name)
    for shape in arm.shapes:
        body = 1 + [b.name for b in arm.bodies].index(shape.body)
        geometry.addGeometryObject(
            pin.GeometryObject(shape.name, body, pin.SE3(np.array(shape.X_BS)), form_of(shape.shape))
        )
    for box in scene.fixed:
        geometry.addGeometryObject(pin.GeometryObject(box.name, 0, pin.SE3(np.array(box.X_WS)), form_of(box.shape)))
    number = {g.name: i for i, g in enumerate(geometry.geometryObjects)}
    tables = contact_tables(scene.build())
    for i in range(len(tables.pairs)):
        a, b = (name.removeprefix("arm/") for name in tables.pair_names(i))
        geometry.addCollisionPair(pin.CollisionPair(number[a], number[b]))
    data, checks = model.createData(), geometry.createData()
    tree = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, checks)
    callback = pin.CollisionCallBackDefault(geometry, checks, True)

    def pinocchio_with_tree(rows):
        return [pin.computeCollisions(model, data, tree, callback, row) for row in rows]

    def pinocchio_pair_by_pair(rows):
        return [pin.computeCollisions(model, data, geometry, checks, row, True) for row in rows]

    return [pinocchio_with_tree, pinocchio_pair_by_pair]


if __name__ == "__main__":
    main()
