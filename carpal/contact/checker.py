"""A scene prepared for asking one configuration after the other, as planners do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.compile import direct
from carpal.contact.collision_result import CollisionResult, DistanceResult
from carpal.contact.kernels.collision import collides_batch
from carpal.contact.prepared import prepared_tables, with_fixed_joints
from carpal.contact.scene_queries import checked_length, collides, distance, scratch_of
from carpal.contact.sweeps import SweepResult, sweep
from carpal.contact.tables import ContactTables, Held
from carpal.errors import InputError
from carpal.model import Model, Scene, need_scene
from carpal.spatial import Array

_FLOAT64 = np.dtype(np.float64)
_ARRAY = np.ndarray


class CollisionChecker:
    """`checker(q)` is True where something touches; made by `collision_checker`.

    It writes into buffers of its own: each thread needs its own checker.

    Args:
        tables: the prepared scene.
        margin: pairs at most this near [m] count as touching.
    """

    def __init__(self, tables: ContactTables, margin: float = 0.0) -> None:
        self.tables = tables
        self.margin = checked_length(margin, "margin")
        self._shape = (tables.model.nq,)
        # the same arrays every time: only q's numbers change, so nothing is built, converted or checked again
        self._q = np.array(tables.model.q_home, ndmin=2)
        self._row = self._q[0]
        found = np.empty((1, 1))
        work = [np.empty((1, *shape)) for shape in scratch_of(tables)]
        self._arguments = (*tables.constants, self.margin, self._q, found, *work, 0, 1, 1, 0)
        self._entry: Callable[..., int] = self._first_call
        self._pair = found.data.cast("B").cast("d")

    def _first_call(self, *arguments: Any) -> int:
        """Machine code only when somebody asks: a planner takes the tables alone."""
        self._entry = direct(collides_batch, arguments)
        return self._entry(*arguments)

    def __reduce__(self) -> tuple[type[CollisionChecker], tuple[ContactTables, float]]:
        """Other processes get buffers of their own."""
        return CollisionChecker, (self.tables, self.margin)

    @property
    def model(self) -> Model:
        """The model whose q is asked; joints that were left out are fixed in it."""
        return self.tables.model

    def __call__(self, q: Array) -> bool:
        """Whether any two shapes touch at one configuration (nq)."""
        if type(q) is _ARRAY and q.shape == self._shape and q.dtype is _FLOAT64:
            self._row[:] = q
            if not self._entry(*self._arguments):
                return self._pair[0] >= 0.0
        result = self.collides(q)  # explains what is wrong
        if result.hit.ndim:
            raise InputError(f"checker(q) takes one configuration; got {result.hit.shape}: ask checker.collides(q).")
        return bool(result)

    def collides(self, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> CollisionResult:
        """As `carpal.contact.collides`, for one configuration or a batch."""
        return collides(self.tables, q, margin=self.margin, device=device, threads=threads)

    def distance(self, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> DistanceResult:
        """As `carpal.contact.distance`."""
        return distance(self.tables, q, device=device, threads=threads)

    def sweep(
        self, q0: ArrayLike, q1: ArrayLike, *, resolution: float | None = None, tolerance: float = 1e-4
    ) -> SweepResult:
        """As `carpal.contact.sweep`."""
        return sweep(self.tables, q0, q1, resolution=resolution, tolerance=tolerance)


def collision_checker(
    scene: Scene | Model,
    *,
    joints: Sequence[str] | None = None,
    rest: ArrayLike | None = None,
    held: Held | None = None,
    exclude: Iterable[object] = (),
    margin: float = 0.0,
) -> CollisionChecker:
    """Prepare a scene for many questions.

    Args:
        scene: a scene or a model.
        joints: the joints that q holds, by name, or a robot's name for all of its joints; by default all.
        rest: (nq of the whole scene) where the other joints and objects stay; by default where the scene begins.
        held: as of `collides`.
        exclude: as of `collides`.
        margin: pairs at most this near [m] count as touching.

    Example:
        >>> checker = collision_checker(scene, joints=["arm"], held={"cup": "arm/hand"})
        >>> checker(q)
        False
    """
    need_scene(scene, "collision_checker")
    if joints is not None:
        scene = with_fixed_joints(scene.build() if isinstance(scene, Scene) else scene, joints, rest)
    return CollisionChecker(prepared_tables(scene, held, exclude, function="collision_checker"), margin)
