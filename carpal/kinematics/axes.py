"""The joint axes between the world and a frame at q = 0, in the world: what an arm's class is recognised from."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from carpal.model import Model, need_model
from carpal.spatial import Array, pose

REVOLUTE = 1


@dataclass(frozen=True, eq=False)
class ChainAxes:
    """The moving joints that carry a frame, outwards.

    Args:
        frame: name of the frame.
        columns: (n) index of each joint in q.
        names: of the joints.
        all_revolute: whether every joint turns about an axis; the lines below mean nothing else.
        u: (n, 3) unit vectors of the axes in W at q = 0.
        c: (n, 3) a point on each axis [m].
        X_WF: (4, 4) the frame's pose at q = 0.
    """

    frame: str
    columns: np.ndarray
    names: tuple[str, ...]
    all_revolute: bool
    u: Array
    c: Array
    X_WF: Array

    def gap(self, i: int, j: int) -> float:
        """Distance [m] between two axes."""
        between = self.c[j] - self.c[i]
        normal = np.cross(self.u[i], self.u[j])
        length = float(np.linalg.norm(normal))
        if length < 1e-9:  # parallel
            return float(np.linalg.norm(np.cross(self.u[i], between)))
        return float(abs(between @ normal) / length)

    def meeting(self, i: int, j: int) -> Array:
        """(3) the point halfway between two axes that are not parallel, where they are nearest; their common point if any."""
        ui, uj = self.u[i], self.u[j]
        s, t = np.linalg.lstsq(np.stack([ui, -uj], 1), self.c[j] - self.c[i], rcond=None)[0]
        return 0.5 * (self.c[i] + s * ui + self.c[j] + t * uj)

    def size(self) -> float:
        """A length of the arm [m], for tolerances: from the first axis' point to the frame, through all axes."""
        points = [*self.c, self.X_WF[:3, 3]]
        return float(sum(np.linalg.norm(b - a) for a, b in itertools.pairwise(points))) or 1.0


def chain_axes(model: Model, frame: str | None = None) -> ChainAxes:
    """The axes of the joints between the world and a frame (None: the tool); other joints do not matter."""
    need_model(model, "chain_axes")
    return _chain_axes(model, frame)


@functools.lru_cache(maxsize=256)
def _chain_axes(model: Model, frame: str | None) -> ChainAxes:
    row = model.frame_index(frame)
    tables = model.tables
    chain = tables.chains[row]
    X = np.eye(4)
    u, c = [], []
    for body in chain:
        numbers = tables.bodies[body]
        X = X @ pose(numbers[:9].reshape(3, 3), numbers[9:12])
        u.append(X[:3, 2])
        c.append(X[:3, 3])
    numbers = tables.frames[row]
    columns = tables.joints[chain, 2]
    slices = [first for _, first in model.joint_slices()]
    return ChainAxes(
        frame=str(model.tool if frame is None else frame),
        columns=np.array(columns, np.int64),
        names=tuple(model.joint_names[slices.index(first)] for first in columns),
        all_revolute=bool((tables.joints[chain, 0] == REVOLUTE).all()),
        u=np.array(u).reshape(-1, 3),
        c=np.array(c).reshape(-1, 3),
        X_WF=X @ pose(numbers[:9].reshape(3, 3), numbers[9:12]),
    )
