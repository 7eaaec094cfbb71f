"""A limit of composed inverse kinematics: shapes keep a distance."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from carpal._core.batch import configuration, run_batch
from carpal.contact.checker import CollisionChecker
from carpal.contact.kernels.distance_rows import distance_rows_batch
from carpal.contact.prepared import prepared_tables
from carpal.contact.scene_queries import checked_length, scratch_of
from carpal.errors import InputError
from carpal.kinematics import RowLimit
from carpal.model import Model, Scene
from carpal.spatial import Array

GAIN = 0.85  # share of the free distance that one step may take
_KEPT = 3


class DistanceLimit(RowLimit):
    """Every pair of shapes that may touch keeps a distance: the robot with itself, with what it holds, with the surroundings.

    Args:
        scene: a model, a scene whose model is solved for, or a collision checker, which can leave joints out and hold objects.
        at_least: [m].
        within: pairs nearer than this count in a step [m]; a step is checked against all pairs.
        most: how many pairs count in a step, the nearest ones.
        exclude: as of `collides`.

    Example:
        >>> checker = collision_checker(scene, joints=["arm"])
        >>> problem = IKProblem(checker.model, targets, limits=[JointLimit(), SpeedLimit(), DistanceLimit(checker)])
    """

    def __init__(
        self,
        scene: Scene | Model | CollisionChecker,
        *,
        at_least: float = 0.01,
        within: float = 0.1,
        most: int = 16,
        exclude: Iterable[object] = (),
    ) -> None:
        given = scene.tables if isinstance(scene, CollisionChecker) else scene
        self.tables = prepared_tables(given, None, exclude, function="DistanceLimit")
        self.at_least = checked_length(at_least, "at_least")
        self.within = checked_length(within, "within")
        if not self.within > self.at_least:
            raise InputError(f"within must be above at_least ({self.at_least:g} m); got {self.within:g} m.")
        if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1:
            raise InputError(f"most must be a whole number, 1 or above; got {most!r}.")
        self.most = min(int(most), len(self.tables.pairs))
        self._scratch = scratch_of(self.tables)
        self._known: tuple[tuple[bytes, Array, Array], ...] = ()

    @property
    def model(self) -> Model:
        """The model whose q it takes."""
        return self.tables.model

    def rows(self, q: Array) -> tuple[Array, Array]:
        """As of `RowLimit`."""
        near, G = self._near(q)
        return -G, GAIN * (near[..., 1] - self.at_least)

    def slack(self, q: Array) -> Array:
        """(*batch) distance of the nearest pair less `at_least` [m], infinite where none is within `within`."""
        return self._near(q)[0][..., 0, 1] - self.at_least

    def nearest(self, q: Array) -> tuple[str, str] | None:
        """Names of the nearest two shapes at one configuration (nq); None where none are within `within`."""
        pair = int(self._near(np.asarray(q, float))[0][0, 0])
        return None if pair < 0 else self.tables.pair_names(pair)

    def describe(self) -> str:
        """For sentences."""
        return f"the distance of {self.at_least:g} m"

    def _near(self, q: Array) -> tuple[Array, Array]:
        """Pairs and distances (*batch, most, 2), and their rates (*batch, most, nv); those of the last calls are kept."""
        q = np.asarray(q, float)
        key = q.tobytes() + bytes(str(q.shape), "ascii")
        for known, near, G in self._known:
            if known == key:
                return near, G
        model = self.model
        near, G = run_batch(
            model, distance_rows_batch, (*self.tables.constants, self.within), [configuration(model, q)],
            [(self.most, 2), (self.most, model.nv)], scratch=self._scratch, world_seconds=2e-5,
        )  # fmt: skip
        self._known = ((key, near, G), *self._known[: _KEPT - 1])
        return near, G
