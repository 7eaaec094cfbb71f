"""Track: what one engine made of a scene, on the moments that all engines share."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines.bounds import half_thickness
from carpal.model import Model
from carpal.spatial import Array, rotation_vector


@dataclass(frozen=True, eq=False)
class Track:
    """Poses of every moving body at every moment.

    Args:
        time: (rows) [s].
        bodies: names.
        poses: X_WB (rows, bodies, 4, 4).
        energy: the ledger, name to (rows) [J].
        depth: deepest contact of each row [m].
        certified: share of the rows whose certificates keep their bounds; NaN where the engine gives none.
        ok, status: of the recording.
        wall: time of the steps alone [s].
        steps: how many.
    """

    time: Array
    bodies: tuple[str, ...]
    poses: Array
    energy: dict[str, Array] = field(default_factory=dict)
    depth: Array = field(default_factory=lambda: np.zeros(0))
    certified: float = math.nan
    ok: bool = True
    status: str = ""
    wall: float = 0.0
    steps: int = 0

    def positions(self, body: str) -> Array:
        """Origin (rows, 3) [m] of a body."""
        return np.asarray(self.poses[:, self.bodies.index(body), :3, 3])

    def save(self, path: Path) -> None:
        """As one .npz file."""
        plain: dict[str, Any] = {
            "time": self.time,
            "bodies": np.array(self.bodies),
            "poses": self.poses,
            "depth": self.depth,
        }
        plain |= {f"energy_{name}": values for name, values in self.energy.items()}
        plain |= {
            "numbers": np.array([self.certified, float(self.ok), self.wall, self.steps]),
            "status": np.array(self.status),
        }
        np.savez(path, **plain)

    @staticmethod
    def load(path: Path) -> Track:
        """From a file of `save`."""
        with np.load(path, allow_pickle=False) as data:
            energy = {name[7:]: data[name] for name in data.files if name.startswith("energy_")}
            certified, ok, wall, steps = data["numbers"].tolist()
            return Track(
                data["time"], tuple(map(str, data["bodies"])), data["poses"], energy, data["depth"], certified, bool(ok),
                str(data["status"]), wall, int(steps),
            )  # fmt: skip


def radii(model: Model, bodies: tuple[str, ...]) -> Array:
    """How far [m] each body reaches from its origin: by its shapes, and as a rod of its mass and inertia."""
    from carpal.contact import packed_shape

    reach = dict.fromkeys(bodies, 0.0)
    for body in model.bodies:
        if body.name in reach and body.inertia is not None and body.inertia.mass > 0:
            widest = math.sqrt(3.0 * float(np.linalg.eigvalsh(body.inertia.about_com)[-1]) / body.inertia.mass)
            reach[body.name] = float(np.linalg.norm(body.inertia.com)) + widest
    for placed in model.shapes:
        if placed.body in reach and math.isfinite(half_thickness(placed.shape)):
            form = packed_shape(placed.shape)
            far = float(np.linalg.norm(placed.X_BS[:3, 3]) + np.linalg.norm(form.centre) + form.radius)
            reach[placed.body] = max(reach[placed.body], far)
    return np.array([reach[body] for body in bodies])


def distances(a: Track, b: Track, reach: Array) -> Array:
    """How far (rows, bodies) [m] points of a body are apart at most in two tracks, over the rows that both have."""
    rows = min(len(a.time), len(b.time))
    X, Y = a.poses[:rows], b.poses[:rows]
    moved = np.linalg.norm(X[..., :3, 3] - Y[..., :3, 3], axis=-1)
    turned = np.linalg.norm(rotation_vector(np.swapaxes(X[..., :3, :3], -1, -2) @ Y[..., :3, :3]), axis=-1)
    return np.asarray(moved + reach * turned)
