"""Rotary springs, and the angle that they, rotary actuators and joint friction share (Yesmunt 2014, eq. 2.39).

The angle is B's against A about an axis fixed in A, from one line in each body; differences are taken in (-pi, pi].
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.state import POWER_LOST, STORED, W_W, rotation_of, triple, twist_by
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import cross, dot, rotate, scale, sub

# bodies, axis and line in A, line in B; then for springs stiffness [N m/rad], damping [N m s/rad], rest angle [rad]
A, B, AXIS, LINE_A, LINE_B, STIFFNESS, DAMPING, REST = 0, 1, 2, 5, 8, 11, 12, 13
SPRING_COLUMNS = 14


@leaf
def wrapped(angle):
    """An angle in (-pi, pi]."""
    turns = math.floor((angle + math.pi) / (2.0 * math.pi))
    return angle - 2.0 * math.pi * turns


@leaf
def angle_about(table, row, now, slot):
    """Axis in W, angle of B against A [rad] and its rate [rad/s]; columns as above."""
    a, b = int(table[row, A]), int(table[row, B])
    R_a = rotation_of(now, slot, a)
    axis = rotate(R_a, vector_at(table, row, AXIS))
    line_a = rotate(R_a, vector_at(table, row, LINE_A))
    line_b = rotate(rotation_of(now, slot, b), vector_at(table, row, LINE_B))
    angle = math.atan2(dot(axis, cross(line_a, line_b)), dot(line_a, line_b))
    return axis, angle, dot(axis, sub(triple(now, slot, b, W_W), triple(now, slot, a, W_W)))


@leaf
def turn_apart(table, row, axis, torque, force, slot):
    """A torque [N m] about the axis on B, its opposite on A."""
    twist_by(force, slot, int(table[row, B]), scale(torque, axis))
    twist_by(force, slot, int(table[row, A]), scale(-torque, axis))


@kernel
def spring_torques(springs, now, force, sums, slot):
    """All rotary springs of a world."""
    for spring in range(springs.shape[0]):
        axis, angle, rate = angle_about(springs, spring, now, slot)
        away = wrapped(angle - springs[spring, REST])
        torque = -springs[spring, STIFFNESS] * away - springs[spring, DAMPING] * rate
        turn_apart(springs, spring, axis, torque, force, slot)
        sums[slot, STORED] += 0.5 * springs[spring, STIFFNESS] * away * away
        sums[slot, POWER_LOST] += springs[spring, DAMPING] * rate * rate
