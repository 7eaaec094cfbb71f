"""Motion between two configurations, and how far it can move two shapes against each other at most.

The path is straight in angles, travels and positions, and a turn at constant speed for quaternions (the shorter rotation).
Bound: from a shape down to where both chains meet, a turn by an angle moves no point by more than the angle times the
farthest it can be from the joint; these are added up (Schwarzer, Saha, Latombe, "Adaptive dynamic collision checking",
IEEE T-RO 21, 2005, section III). It is a speed: path length per unit of the path, for all of the path at once.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import SHAPE_REACH, SHAPE_ROW
from carpal.model.kernels.tables import BALL, KIND, PARENT, POSITION, PRISMATIC, Q_INDEX, REVOLUTE, vector_at
from carpal.spatial.kernels.vec3 import dot


@leaf
def _quaternions(q0, q1, world, first):
    """Half the turn [rad] from one quaternion to another, and what scales each to unit length (sign: the shorter rotation)."""
    aa, bb, ab = 0.0, 0.0, 0.0
    for i in range(first, first + 4):
        aa += q0[world, i] * q0[world, i]
        bb += q1[world, i] * q1[world, i]
        ab += q0[world, i] * q1[world, i]
    scale_a, scale_b = 1.0 / math.sqrt(aa), 1.0 / math.sqrt(bb)
    if ab < 0.0:
        scale_b = -scale_b
    across = 0.0  # |a - b| keeps its digits where the cosine would not
    for i in range(first, first + 4):
        d = q0[world, i] * scale_a - q1[world, i] * scale_b
        across += d * d
    return 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(across))), scale_a, scale_b


@kernel
def between(joints, q0, q1, t, q, world, slot):
    """q[slot]: the configuration at t (0 to 1) of the path of `world` from q0 to q1."""
    for body in range(1, joints.shape[0]):
        kind, first = joints[body, KIND], joints[body, Q_INDEX]
        if kind == REVOLUTE or kind == PRISMATIC:
            q[slot, first] = q0[world, first] + t * (q1[world, first] - q0[world, first])
            continue
        if kind != BALL:
            for i in range(first, first + 3):
                q[slot, i] = q0[world, i] + t * (q1[world, i] - q0[world, i])
            first += 3
        half, scale_a, scale_b = _quaternions(q0, q1, world, first)
        wa, wb = 1.0 - t, t
        if half > 1e-6:
            s = math.sin(half)
            wa, wb = math.sin((1.0 - t) * half) / s, math.sin(t * half) / s
        for i in range(first, first + 4):
            q[slot, i] = wa * scale_a * q0[world, i] + wb * scale_b * q1[world, i]


@leaf
def _length(bodies, body):
    p = vector_at(bodies, body, POSITION)
    return math.sqrt(dot(p, p))


@kernel
def _past_joint(joints, bodies, q0, q1, world, body, moved, reach):
    """The bound and the reach of a shape as seen from a body's parent, from those seen from the body."""
    kind, first = joints[body, KIND], joints[body, Q_INDEX]
    if kind == REVOLUTE:
        moved += abs(q1[world, first] - q0[world, first]) * reach
    elif kind == PRISMATIC:
        moved += abs(q1[world, first] - q0[world, first])
        reach += max(abs(q0[world, first]), abs(q1[world, first]))
    elif kind == BALL:
        half, _, _ = _quaternions(q0, q1, world, first)
        moved += 2.0 * half * reach
    else:
        half, _, _ = _quaternions(q0, q1, world, first + 3)
        moved += 2.0 * half * reach
        across, far_a, far_b = 0.0, 0.0, 0.0
        for i in range(first, first + 3):
            across += (q1[world, i] - q0[world, i]) ** 2
            far_a += q0[world, i] ** 2
            far_b += q1[world, i] ** 2
        moved += math.sqrt(across)
        reach += math.sqrt(max(far_a, far_b))
    return moved, reach + _length(bodies, body)


@kernel
def pair_speed(joints, bodies, shapes, q0, q1, world, a, b):
    """Bound [m] on how far shapes a and b move against each other along the whole path."""
    row_a, row_b = int(shapes[a, SHAPE_ROW]), int(shapes[b, SHAPE_ROW])
    moved_a, moved_b = 0.0, 0.0
    reach_a, reach_b = shapes[a, SHAPE_REACH], shapes[b, SHAPE_REACH]
    while row_a != row_b:  # parents have lower rows, so the higher of the two is never above the meeting point
        if row_a > row_b:
            moved_a, reach_a = _past_joint(joints, bodies, q0, q1, world, row_a, moved_a, reach_a)
            row_a = joints[row_a, PARENT]
        else:
            moved_b, reach_b = _past_joint(joints, bodies, q0, q1, world, row_b, moved_b, reach_b)
            row_b = joints[row_b, PARENT]
    return moved_a + moved_b
