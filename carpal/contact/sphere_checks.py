"""Checks of many configurations at once by spheres that cover the robot: what they call free is free."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.cpu_pool import run_on_cpu
from carpal.contact.checker import CollisionChecker, collision_checker
from carpal.contact.kernels import lane_tables as lt
from carpal.contact.kernels.lane_batch import touching_batch
from carpal.contact.lane_scene import LaneTables, lane_tables
from carpal.errors import InputError
from carpal.model import Model, Scene, need_scene, real_array


class SphereChecker:
    """`checker(q)` is True for each configuration whose spheres touch something; made by `sphere_checker`.

    Where it says False nothing touches. Where it says True the shapes may still be apart, by at most `excess` or so; with robots
    of spheres among spheres, capsules, cylinders, boxes and planes `exact` is True, and it is right to some micrometres.
    """

    def __init__(self, model: Model, tables: LaneTables) -> None:
        self.model, self.tables = model, tables
        self.excess, self.exact, self.sphere_count = tables.excess, tables.exact, len(tables.scene.spheres)
        self._lanes = lanes_for(tables, model.nq)

    def __call__(self, q: ArrayLike) -> np.ndarray:
        """(*batch) bool for q (*batch, nq)."""
        q = np.ascontiguousarray(real_array(q, "q"), np.float64)
        if q.ndim < 1 or q.shape[-1] != self.model.nq or not np.isfinite(q).all():
            raise InputError(f"q must be finite, (*batch, {self.model.nq}); got shape {q.shape}.")
        rows = q.reshape(-1, self.model.nq)
        found = np.zeros(len(rows))
        groups = -(-len(rows) // lt.LANES)
        if groups:
            run_on_cpu(
                touching_batch, (self.tables.scene, rows, found, self._lanes), groups, threads=1, world_seconds=1e-5
            )
        return np.asarray(found.reshape(q.shape[:-1]) > 0)


def lanes_for(tables: LaneTables, nq: int) -> lt.Lanes:
    """Scratch for one thread."""
    scene, L, single = tables.scene, lt.LANES, np.float32
    rows, parts, spheres = len(scene.joints), len(scene.parts), len(scene.spheres)
    poses = np.zeros((1, rows, lt.POSE_ROWS, L), single)
    poses[:, 0, 0:9:4] = 1.0
    return lt.Lanes(
        np.zeros((1, nq, L)), np.zeros((1, nq, L)), np.zeros((1, 3, L), single), poses,
        np.zeros((1, parts, 3, L), single), np.zeros((1, spheres, 3, L), single), np.zeros((1, parts, L), single),
        np.zeros((1, 2, L)), np.zeros((1, L), single), np.zeros((1, 2, L), np.int32),
        np.zeros((1, parts + len(scene.pairs))), np.zeros((1, parts), np.int64),
    )  # fmt: skip


def sphere_checker(scene: Scene | Model | CollisionChecker, **options: object) -> SphereChecker:
    """Prepare a scene for checks by covering spheres; options as of `collision_checker`.

    Example:
        >>> touches = sphere_checker(scene)(q)  # (n) bool for q (n, nq)
    """
    if isinstance(scene, CollisionChecker) and options:
        raise InputError("options belong to collision_checker(); this one is prepared already.")
    if not isinstance(scene, CollisionChecker):
        need_scene(scene, "sphere_checker")
    checker = scene if isinstance(scene, CollisionChecker) else collision_checker(scene, **options)  # type: ignore[arg-type]
    tables = lane_tables(checker.tables, checker.margin)
    if tables is None:
        raise InputError("sphere_checker moves revolute and prismatic joints; fix the others, or name joints.")
    return SphereChecker(checker.model, tables)
