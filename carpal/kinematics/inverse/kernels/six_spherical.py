"""Six joints, the last three axes meeting in the wrist: three joints bring it to its place, two turns and one the attitude."""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.branches import AMOUNT, CONE, COUNT, FREE, HELD, REASON, arrange, turned, vector
from carpal.kinematics.inverse.kernels.six_arm import (
    EXACT,
    HOLD,
    KIND,
    LOOSE,
    POINT,
    add_six,
    axis,
    finish,
    foot,
    held,
    is_pose,
    wanted_motion,
)
from carpal.kinematics.inverse.kernels.subproblems import turn_to, turned_by, two_turns
from carpal.kinematics.inverse.kernels.three_axes import GENERAL, three_angles
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import dot, rotate

_SQUARE = 1e-14  # cosine of axes at right angles
OPEN_WRIST, OPEN_JOINT = 1.0, 2.0  # what FREE says is open; an open joint adds twice its number


@leaf
def _seen_from_wrist(lines, R, v, w, q1, q2, q3):
    """Two vectors of the tool turned into the frame that carries axis 4."""
    v, w = rotate(R, v), rotate(R, w)
    s, c = sincos(q1)
    v, w = turned(lines[0][0], -s, c, v), turned(lines[0][0], -s, c, w)
    s, c = sincos(q2)
    v, w = turned(lines[1][0], -s, c, v), turned(lines[1][0], -s, c, w)
    s, c = sincos(q3)
    return turned(lines[2][0], -s, c, v), turned(lines[2][0], -s, c, w)


@kernel
def solve_spherical(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, tri, values, spectrum, roots, J, e, world, slot
):  # fmt: skip
    """All solutions of one world, sorted; why there is none goes into the summary."""
    R, p = wanted_motion(geo, target, world)
    W = vector(geo, POINT)
    goal = rotate(R, W)
    goal = (goal[0] + p[0], goal[1] + p[1], goal[2] + p[2])
    lines = ((axis(geo, 0), foot(geo, 0)), (axis(geo, 1), foot(geo, 1)), (axis(geo, 2), foot(geo, 2)))
    O = (geo[POINT + 3], geo[POINT + 4], geo[POINT + 5], geo[POINT + 6], geo[POINT + 7], geo[POINT + 8])
    keep = (held(geo, columns, q0, 0, world), held(geo, columns, q0, 1, world), held(geo, columns, q0, 2, world))
    kind, loose = int(geo[KIND]), geo[LOOSE]
    places, reason, amount, open_joint = three_angles(
        kind, lines, O, W, goal, keep, loose, tri, values, spectrum, roots, slot
    )
    polish = loose != 0.0 or kind == GENERAL
    u4, u5, u6 = axis(geo, 3), axis(geo, 4), axis(geo, 5)
    kept4 = held(geo, columns, q0, 3, world)
    square = max(abs(dot(u4, u5)), abs(dot(u5, u6))) < _SQUARE
    count, free, lacking = 0, 0.0, math.inf
    for i in range(places):
        q1, q2, q3 = tri[slot, i, 0], tri[slot, i, 1], tri[slot, i, 2]
        m, hold = _seen_from_wrist(lines, R, u6, vector(geo, HOLD), q1, q2, q3)
        middle, half, excess, in_line = two_turns(u4, u5, u6, m, loose)
        if excess != 0.0:
            lacking = min(lacking, abs(excess))
            continue
        q4, q6 = 0.0, 0.0
        for j in range(2):
            q5 = middle + half if j == 0 else middle - half
            if j == 1 and square and not in_line:  # the other way round: the same attitude
                q4, q6 = q4 + math.pi, q6 + math.pi
            else:
                s5, c5 = sincos(q5)
                q4 = turn_to(u4, turned(u5, s5, c5, u6), m)
                if in_line:
                    q4, free = kept4, OPEN_WRIST
                q6 = turn_to(u6, vector(geo, HOLD), turned(u5, -s5, c5, turned_by(u4, -q4, hold)))
            angles = (q1, q2, q3, q4, q5, q6)
            if polish:
                angles, error = finish(geo, R, p, angles, J, e, slot)
                if not error <= EXACT:
                    continue
            code = j if kind == GENERAL else tri[slot, i, 3] + 4 * j
            count = add_six(geo, columns, q_min, q_max, q0, angles, code, q_out, marks, count, world)
    if places > 0 and count == 0:
        reason, amount = CONE, lacking
    arrange(q_out, marks, count, world)
    summary[world, COUNT] = count
    summary[world, REASON], summary[world, AMOUNT] = reason, amount
    summary[world, FREE] = free + (OPEN_JOINT * (1 + open_joint) if count > 0 else 0.0)
    summary[world, HELD] = kept4 if free > 0.0 else math.nan


@entry
def spherical_batch(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, tri, values, spectrum, roots, J, e, start, stop, stride, slot
):  # fmt: skip
    """Solve every world."""
    bad = 0
    for world in range(start, stop, stride):
        if not is_pose(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_spherical(
            geo,
            columns,
            q_min,
            q_max,
            target,
            q0,
            q_out,
            marks,
            summary,
            tri,
            values,
            spectrum,
            roots,
            J,
            e,
            world,
            slot,
        )
    return bad
