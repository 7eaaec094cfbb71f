"""The rover's stereo cameras, and the relay's surfaces for simulated images (Leutenegger 2008, 6; camera data are assumed)."""

from __future__ import annotations

import math

import numpy as np

from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.perception import Camera, Dot, StereoPair, Surface, looking_at
from carpal.spatial import Array, pose

EYE, LOOK_AT = (-0.3, 0.0, 1.5), (0.6, 0.0, 0.0)  # as in the workspace figures of the arm [m]
BASELINE = 0.30  # [m]
SIZE = (1280, 960)  # [px]
WIDTH_ANGLE = math.radians(60.0)


def stereo_cameras(X_error: Array | None = None) -> StereoPair:
    """The calibrated pair in the world's frame: 1280 x 960 pixels, 60 degrees wide, 0.3 m apart, 1.5 m above the ground.

    Args:
        X_error: a motion (4, 4) of the whole pair, to see what a wrong mounting does.
    """
    focal = SIZE[0] / 2 / math.tan(WIDTH_ANGLE / 2)
    X = looking_at(EYE, LOOK_AT)
    left, right = (
        Camera(*SIZE, f, f * r, cx, cy, np.array(lens), X @ pose(p=[side * BASELINE / 2, 0, 0]))
        for side, f, r, cx, cy, lens in (
            (-1, focal, 1.001, 645.0, 478.0, (-0.18, 0.05, 4e-4, -3e-4)),
            (1, 1.004 * focal, 0.9995, 636.0, 483.0, (-0.175, 0.045, -2e-4, 5e-4)),
        )
    )
    pair = StereoPair(left, right)
    return pair if X_error is None else pair.moved(X_error)


def relay_surfaces(
    X_WO: Array, relay: Relay = RELAY, *, antenna_tilt: tuple[float, float] = (0.0, 0.0)
) -> list[Surface]:
    """The relay as surfaces for `simulate_image`: black body and flaps, white marks, knob, hole, antenna.

    Args:
        X_WO: its pose (4, 4).
        relay: its numbers.
        antenna_tilt: of the antenna about x and y [rad].
    """

    def world(points: Array) -> Array:
        return np.asarray(points, float) @ X_WO[:3, :3].T + X_WO[:3, 3]

    def sheet(x0: float, x1: float, y0: float, y1: float, z: float) -> Array:
        return world(np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]))

    x, y, z = relay.body
    up = X_WO[:3, 2]
    w = relay.flap_width / 2
    end = x / 2 + relay.flap_length
    dots = tuple(Dot(p, up, relay.marks.radius) for p in world(relay.marks.points))
    knob = Dot(world(relay.knob_foot[None])[0], up, relay.knob[1], 60.0)
    hole = Dot(
        world(np.array([[-(x / 2 + 0.6 * relay.flap_length), 0, relay.flap_height]]))[0], up, relay.hole / 2, 110.0
    )
    found = [
        Surface(sheet(x / 2, end, -w, w, relay.flap_height), 28.0, (*dots, knob)),
        Surface(sheet(-end, -x / 2, -w, w, relay.flap_height), 28.0, (hole,)),
        Surface(sheet(-x / 2, x / 2, -y / 2, y / 2, z), 36.0),
    ]
    for a, b in (((x, y), (x, -y)), ((x, -y), (-x, -y)), ((-x, -y), (-x, y)), ((-x, y), (x, y))):
        low = [[a[0] / 2, a[1] / 2, 0], [b[0] / 2, b[1] / 2, 0], [b[0] / 2, b[1] / 2, z], [a[0] / 2, a[1] / 2, z]]
        found.append(Surface(world(np.array(low)), 22.0))
    return found + _antenna(world, relay, antenna_tilt)


def _antenna(world: object, relay: Relay, tilt: tuple[float, float]) -> list[Surface]:
    """Short flat pieces facing both ways, so that each is sorted by its own distance."""
    foot = np.array([*relay.antenna, relay.body[2]])
    axis = np.array([math.sin(tilt[1]), -math.sin(tilt[0]), 1.0])
    axis /= np.linalg.norm(axis)
    pieces = []
    for i in range(8):
        low, high = (foot + axis * (relay.height - relay.body[2]) * s for s in (i / 8, (i + 1) / 8))
        for side in (np.array([relay.antenna_radius, 0, 0]), np.array([0, relay.antenna_radius, 0])):
            pieces.append(Surface(world(np.array([low - side, low + side, high + side, high - side])), 30.0))  # type: ignore[operator] # the caller's function
    return pieces
