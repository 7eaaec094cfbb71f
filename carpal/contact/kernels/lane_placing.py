"""Forward kinematics in lanes: poses and velocities of all joints, centres of spheres, and how far they move in an interval.

Each inner loop writes one row and reads eight at most: LLVM then makes vector code of it.
"""

import math

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.lane_tables import (
    BALL_SPREAD,
    LANES,
    MOVING,
    P_WK,
    PART_END,
    PART_FIRST,
    PART_ROW,
    TURNING,
)
from carpal.model.kernels.tables import KIND, PARENT, POSITION, Q_INDEX, REVOLUTE

_TWO_OVER_PI = 0.6366197723675814
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to the nearest integer
_HALF_PI = 1.5707963267948966
_LOW_PI = 6.123233995736766e-17
_ONE, _ZERO, _HALF = np.float32(1.0), np.float32(0.0), np.float32(0.5)
_S1, _S2, _S3 = np.float32(-1.6666654611e-1), np.float32(8.3321608736e-3), np.float32(-1.9515295891e-4)
_C1, _C2, _C3 = np.float32(4.166664568298827e-2), np.float32(-1.388731625493765e-3), np.float32(2.443315711809948e-5)


@leaf
def _turns(q, rate, turn, column, slot):
    """turn[slot]: sine, cosine and rate of one joint in single precision (error below 2e-7)."""
    for l in range(LANES):
        x = q[slot, column, l]
        k = (x * _TWO_OVER_PI + _ROUND) - _ROUND
        r = np.float32((x - k * _HALF_PI) - k * _LOW_PI)
        z = r * r
        turn[slot, 0, l] = r + r * z * (_S1 + z * (_S2 + z * _S3))
    for l in range(LANES):
        x = q[slot, column, l]
        k = (x * _TWO_OVER_PI + _ROUND) - _ROUND
        r = np.float32((x - k * _HALF_PI) - k * _LOW_PI)
        z = r * r
        turn[slot, 1, l] = (_ONE - _HALF * z) + z * z * (_C1 + z * (_C2 + z * _C3))
    for l in range(LANES):
        x = q[slot, column, l]
        quadrant = int((x * _TWO_OVER_PI + _ROUND) - _ROUND)
        s, c = turn[slot, 0, l], turn[slot, 1, l]
        odd = quadrant & 1
        sine, cosine = (c if odd else s), (s if odd else c)
        turn[slot, 0, l] = -sine if quadrant & 2 else sine
        turn[slot, 1, l] = -cosine if (quadrant + 1) & 2 else cosine
    for l in range(LANES):
        turn[slot, 2, l] = np.float32(rate[slot, column, l])


@leaf
def _place_row(frames, poses, q, turn, row, parent, column, revolute, slot):
    """The pose of a row from that of its parent."""
    px, py, pz = frames[row, POSITION], frames[row, POSITION + 1], frames[row, POSITION + 2]
    for r in range(3):
        a, b, c = 3 * r, 3 * r + 1, 3 * r + 2
        for l in range(LANES):
            poses[slot, row, P_WK + r, l] = (
                poses[slot, parent, P_WK + r, l]
                + poses[slot, parent, a, l] * px
                + poses[slot, parent, b, l] * py
                + poses[slot, parent, c, l] * pz
            )
        for k in range(3):
            f0, f1, f2 = frames[row, k], frames[row, 3 + k], frames[row, 6 + k]
            for l in range(LANES):
                poses[slot, row, a + k, l] = (
                    poses[slot, parent, a, l] * f0 + poses[slot, parent, b, l] * f1 + poses[slot, parent, c, l] * f2
                )
        if revolute:
            for l in range(LANES):  # both at once: a pair of rows and two of `turn`
                x, y = poses[slot, row, a, l], poses[slot, row, b, l]
                s, co = turn[slot, 0, l], turn[slot, 1, l]
                poses[slot, row, a, l] = x * co + y * s
                poses[slot, row, b, l] = y * co - x * s
        else:
            for l in range(LANES):
                poses[slot, row, P_WK + r, l] += poses[slot, row, c, l] * np.float32(q[slot, column, l])


@leaf
def _move_row(poses, turn, row, parent, revolute, slot):
    """The velocities of a row from those of its parent."""
    for r in range(3):
        i, j = (r + 1) % 3, (r + 2) % 3
        for l in range(LANES):
            poses[slot, row, MOVING + r, l] = (
                poses[slot, parent, MOVING + r, l]
                + poses[slot, parent, TURNING + i, l]
                * (poses[slot, row, P_WK + j, l] - poses[slot, parent, P_WK + j, l])
                - poses[slot, parent, TURNING + j, l]
                * (poses[slot, row, P_WK + i, l] - poses[slot, parent, P_WK + i, l])
            )
        if revolute:
            for l in range(LANES):
                poses[slot, row, TURNING + r, l] = (
                    poses[slot, parent, TURNING + r, l] + poses[slot, row, 3 * r + 2, l] * turn[slot, 2, l]
                )
        else:
            for l in range(LANES):
                poses[slot, row, TURNING + r, l] = poses[slot, parent, TURNING + r, l]
            for l in range(LANES):
                poses[slot, row, MOVING + r, l] += poses[slot, row, 3 * r + 2, l] * turn[slot, 2, l]


@kernel
def place_lanes(scene, lanes, moving, slot):
    """Poses of all rows at lanes.q[slot]; with `moving` also their velocities at the rates lanes.rate[slot]."""
    for row in range(1, scene.joints.shape[0]):
        parent, column = scene.joints[row, PARENT], scene.joints[row, Q_INDEX]
        revolute = scene.joints[row, KIND] == REVOLUTE
        _turns(lanes.q, lanes.rate, lanes.turn, column, slot)
        _place_row(scene.frames, lanes.poses, lanes.q, lanes.turn, row, parent, column, revolute, slot)
        if moving:
            _move_row(lanes.poses, lanes.turn, row, parent, revolute, slot)


@leaf
def _point(poses, table, i, row, points, at, slot):
    """points[slot, at]: the point of a table's row i, fixed to a row, in the world."""
    x, y, z = table[i, 0], table[i, 1], table[i, 2]
    for r in range(3):
        for l in range(LANES):
            points[slot, at, r, l] = (
                poses[slot, row, P_WK + r, l]
                + poses[slot, row, 3 * r, l] * x
                + poses[slot, row, 3 * r + 1, l] * y
                + poses[slot, row, 3 * r + 2, l] * z
            )


@kernel
def place_ball(scene, lanes, part, moving, slot):
    """The ball of a part, and how far any of its spheres moves within the interval of its lane (zero where not `moving`)."""
    row = scene.parts[part, PART_ROW]
    poses, balls, grow, half = lanes.poses, lanes.balls, lanes.grow, lanes.half
    _point(poses, scene.balls, part, row, balls, part, slot)
    lanes.stamps[slot, part] = 0
    for l in range(LANES):
        grow[slot, part, l] = _ZERO
    if not moving:
        return
    for r in range(3):
        i, j = (r + 1) % 3, (r + 2) % 3
        for l in range(LANES):
            v = (
                poses[slot, row, MOVING + r, l]
                + poses[slot, row, TURNING + i, l] * (balls[slot, part, j, l] - poses[slot, row, P_WK + j, l])
                - poses[slot, row, TURNING + j, l] * (balls[slot, part, i, l] - poses[slot, row, P_WK + i, l])
            )
            grow[slot, part, l] += v * v
    spread = scene.balls[part, BALL_SPREAD]
    bend = np.float32(0.5 * lanes.bounds[slot, part])
    for l in range(LANES):
        x, y, z = poses[slot, row, TURNING, l], poses[slot, row, TURNING + 1, l], poses[slot, row, TURNING + 2, l]
        h = half[slot, l]
        speed = math.sqrt(grow[slot, part, l]) + spread * math.sqrt(x * x + y * y + z * z)
        grow[slot, part, l] = h * (speed + bend * h)


@kernel
def place_spheres(scene, lanes, part, slot):
    """The spheres of a part, once."""
    if lanes.stamps[slot, part] == 0:
        lanes.stamps[slot, part] = 1
        row = scene.parts[part, PART_ROW]
        for k in range(scene.parts[part, PART_FIRST], scene.parts[part, PART_END]):
            _point(lanes.poses, scene.spheres, k, row, lanes.points, k, slot)
