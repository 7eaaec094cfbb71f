"""RetrieveWorld: the true state of a simulated pick-up, and the random draws of a seed.

The controller never reads it directly: it gets images, joint readings and the gripper's current.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.labs.retrieve.relay.relay import RELAY, relay_pose
from carpal.labs.retrieve.vision.cameras import relay_surfaces, stereo_cameras
from carpal.model import TriangleMesh
from carpal.perception import StereoPair, simulate_image
from carpal.spatial import Array

RESOLUTION = np.radians(0.27)
"""Resolution of the joint potentiometers, which are read once at the start [rad] (Leutenegger 2008, 5.1)."""
FRICTION = (0.2, 0.4)
"""Bounds of the friction between flap and blades (7.5)."""
SLOWEST, FASTEST = 0.1, 0.4  # [s] between changes of a friction that changes


@dataclass(frozen=True, eq=False)
class RetrieveWorld:
    """The true state of one pick-up.

    Args:
        relay_at: (x, y, yaw) of the relay [m, rad].
        seed: of the images and the antenna.
        draw: of the joints' offsets and the friction; one plan may be executed with many.
        terrain: instead of flat ground.
        jam: travel [m] at which something blocks the gripper's first closing; NaN: nothing does.
        misplaced: (2) by how much the relay is moved after the first images were taken [m], to see what a wrong pose does.
    """

    relay_at: tuple[float, float, float]
    seed: int = 0
    draw: int = 0
    terrain: TriangleMesh | None = None
    jam: float = float("nan")
    misplaced: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if len(self.relay_at) != 3 or not np.isfinite(self.relay_at).all():
            raise InputError(f"the relay's place must be three finite numbers (x, y, yaw); got {self.relay_at!r:.60}.")

    @property
    def X_WO(self) -> Array:
        """Where the relay stands."""
        x, y, yaw = self.relay_at
        return relay_pose(x + self.misplaced[0], y + self.misplaced[1], yaw)

    @functools.cached_property
    def antenna_tilt(self) -> tuple[float, float]:
        """Of the antenna [rad], somewhere in its cone."""
        rng = np.random.default_rng([self.seed, 1])
        lean, way = RELAY.antenna_angle * np.sqrt(rng.random()), 2 * np.pi * rng.random()
        return float(lean * np.cos(way)), float(lean * np.sin(way))

    @functools.cached_property
    def offsets(self) -> Array:
        """True joint angles less those believed (5) [rad]: a reading is right to half its resolution."""
        return np.random.default_rng([self.seed, 2, self.draw]).uniform(-0.5, 0.5, 5) * RESOLUTION

    @property
    def pair(self) -> StereoPair:
        """The cameras."""
        return stereo_cameras()

    def images(self, number: int = 0, X_WO: Array | None = None) -> tuple[np.ndarray, np.ndarray]:
        """A pair of images (960, 1280) uint8 of the relay at a pose, where it stood first by default; numbers differ in noise."""
        surfaces = relay_surfaces(relay_pose(*self.relay_at) if X_WO is None else X_WO, antenna_tilt=self.antenna_tilt)
        seeds = np.random.default_rng([self.seed, 3, number]).integers(0, 2**31, 2)
        left, right = (
            simulate_image(camera, surfaces, seed=int(seed))
            for camera, seed in zip((self.pair.left, self.pair.right), seeds, strict=True)
        )
        return left, right

    def friction(self, times: Array, part: int = 0) -> Array:
        """Coefficient (n) at times (n) [s]: constant for even draws, redrawn several times a second for odd ones."""
        rng = np.random.default_rng([self.seed, 4, self.draw, part])
        low, high = FRICTION
        if self.draw % 2 == 0:
            first = np.random.default_rng([self.seed, 4, self.draw]).uniform(low, high)
            return np.full(len(times), first)
        count = int(np.ceil((times[-1] - times[0]) / SLOWEST)) + 2
        changes = times[0] + np.cumsum(rng.uniform(SLOWEST, FASTEST, count))
        return np.asarray(rng.uniform(low, high, count + 1)[np.searchsorted(changes, times, side="right")])

    @functools.cached_property
    def grip_seed(self) -> int:
        """Of the gripper's noise."""
        return int(np.random.default_rng([self.seed, 5, self.draw]).integers(0, 2**20))
