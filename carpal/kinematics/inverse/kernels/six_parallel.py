"""Six joints, three neighbouring axes parallel (h): what their turns about h leave unchanged gives two equations in two angles.

Axes 2, 3, 4: h . E1^-1 T E6^-1 = h . E5 on axis 6 (its direction u6 and its point c6, which E6 leaves in place), linear in
the sines and cosines of angles 1 and 5. Axes 1, 2, 3: h . T E6^-1 = h . E4 E5 on axis 5, linear in those of angles 6 and 4.
Two such equations are Paden and Kahan's subproblem 6 (Elias and Wen 2022): where a combination holds one angle alone (a UR
arm: axes 5 and 6 meet) two times two solutions, else a trigonometric polynomial of degree 2. The remaining angle of the
wrist follows from the direction h, and the three parallel axes are a planar arm.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    CONE,
    COUNT,
    FREE,
    HELD,
    HOLLOW,
    NO_REASON,
    REASON,
    TOO_FAR,
    TOO_NEAR,
    arrange,
    turned,
    vector,
)
from carpal.kinematics.inverse.kernels.six_arm import (
    EXACT,
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
from carpal.kinematics.inverse.kernels.subproblems import (
    IN_LINE,
    component,
    linear_turn,
    moved,
    turn_to,
    turned_by,
    two_turns,
)
from carpal.kinematics.inverse.kernels.trig_roots import fit_trig, trig_roots
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import dot, rotate, rotate_back, sub

AXES_234, AXES_123 = 0, 1
SEPARABLE = POINT + 3  # whether one equation holds one angle alone
DEGREE, SAMPLES, ROWS = 2, 8, 16
SCRATCH = [(4, 2), (SAMPLES,), (DEGREE + 1, 2), (2 * DEGREE, 2), (6, 6), (6,)]
_ON_CIRCLE = 1e-3
_HOLDS = 64  # places at which a free angle is tried


@kernel
def two_angles(x_rows, y_rows, rest, pairs, values, spectrum, roots, slot):
    """Solve a_i (cos x, sin x) + b_i (cos y, sin y) = c_i, i = 1, 2: pairs[slot, k] = (x, y); how many.

    Args: x_rows, y_rows: a and b, two pairs each. rest: c.
    """
    det = y_rows[0][0] * y_rows[1][1] - y_rows[0][1] * y_rows[1][0]
    for j in range(SAMPLES):
        cy, sy = _other(
            x_rows, y_rows, rest, det, math.cos(2.0 * math.pi * j / SAMPLES), math.sin(2.0 * math.pi * j / SAMPLES)
        )
        values[slot, j] = cy * cy + sy * sy - 1.0
    fit_trig(values, spectrum, slot, SAMPLES, DEGREE)
    found, count = trig_roots(spectrum, roots, slot, DEGREE), 0
    for j in range(found):
        r = math.hypot(roots[slot, j, 0], roots[slot, j, 1])
        if abs(r - 1.0) > _ON_CIRCLE:
            continue
        c, s = roots[slot, j, 0] / r, roots[slot, j, 1] / r
        cy, sy = _other(x_rows, y_rows, rest, det, c, s)
        pairs[slot, count, 0], pairs[slot, count, 1] = arctan2(s, c), arctan2(sy, cy)
        count += 1
    return count


@leaf
def _other(x_rows, y_rows, rest, det, c, s):
    """(cos y, sin y) at an angle x."""
    r0 = rest[0] - x_rows[0][0] * c - x_rows[0][1] * s
    r1 = rest[1] - x_rows[1][0] * c - x_rows[1][1] * s
    return (y_rows[1][1] * r0 - y_rows[0][1] * r1) / det, (y_rows[0][0] * r1 - y_rows[1][0] * r0) / det


@kernel
def one_angle(x_rows, y_rows, rest, keep, loose):
    """The combination of both equations that holds x alone: (middle, half, excess, whether x is open)."""
    m = y_rows[0][0] * y_rows[0][0] + y_rows[0][1] * y_rows[0][1]  # axis 5 is not along h: the first row is not zero
    share = (y_rows[0][0] * y_rows[1][0] + y_rows[0][1] * y_rows[1][1]) / m
    a = x_rows[1][0] - share * x_rows[0][0]
    b = x_rows[1][1] - share * x_rows[0][1]
    c = rest[1] - share * rest[0]
    middle, half, excess = linear_turn(a, b, c, loose)
    if a * a + b * b <= IN_LINE * IN_LINE and abs(c) <= 1e-9:
        return keep, 0.0, 0.0, True
    return middle, half, excess, False


@kernel
def _equations_234(geo, R, p):
    """Rows of angle 1, rows of angle 5, right sides: direction, then position."""
    u1, c1, u5, c5, h, u6, c6 = (
        axis(geo, 0),
        foot(geo, 0),
        axis(geo, 4),
        foot(geo, 4),
        axis(geo, 1),
        axis(geo, 5),
        foot(geo, 5),
    )
    d = rotate(R, u6)
    end = rotate(R, c6)
    end = (end[0] + p[0] - c1[0], end[1] + p[1] - c1[1], end[2] + p[2] - c1[2])
    a0, b0, k0 = component(u1, h, d)  # d . R1 h
    a1, b1, k1 = component(u1, h, end)
    e0, f0, l0 = component(u5, u6, h)
    e1, f1, l1 = component(u5, sub(c6, c5), h)
    return ((a0, b0), (a1, b1)), ((-e0, -f0), (-e1, -f1)), (l0 - k0, l1 - k1 + dot(h, sub(c5, c1)))


@kernel
def _equations_123(geo, R, p):
    """Rows of angle 6, rows of angle 4, right sides: direction, then position."""
    h, u4, c4, u5, c5, u6, c6 = (
        axis(geo, 0),
        axis(geo, 3),
        foot(geo, 3),
        axis(geo, 4),
        foot(geo, 4),
        axis(geo, 5),
        foot(geo, 5),
    )
    g = rotate_back(R, h)  # h . R R6^T v = v . R6 (R^T h)
    a0, b0, k0 = component(u6, g, u5)
    a1, b1, k1 = component(u6, g, sub(c5, c6))
    e0, f0, l0 = component(u4, u5, h)
    e1, f1, l1 = component(u4, sub(c5, c4), h)
    return ((a0, b0), (a1, b1)), ((-e0, -f0), (-e1, -f1)), (l0 - k0, l1 - k1 + dot(h, c4) - dot(g, c6) - dot(h, p))


@kernel
def _planar(geo, first, end, loose):
    """Three parallel axes from `first` on take the third's point to `end`: (middle, half, goal, over, reason, amount) of angle 2.

    `over`: the third axis is on the first, whose angle is free.
    """
    c1, c2, c3 = foot(geo, first), foot(geo, first + 1), foot(geo, first + 2)
    u2 = axis(geo, first + 1)
    goal = sub(end, c1)
    h = axis(geo, first)
    v, b = sub(c3, c2), sub(c1, c2)
    along = dot(h, goal)
    n2 = dot(goal, goal) - along * along  # across h: what is off along h is the wrist's business
    v_h, b_h = dot(h, v), dot(h, b)
    x, y, _ = component(u2, v, b)
    middle, half, excess = linear_turn(x, y, 0.5 * (dot(v, v) - v_h * v_h + dot(b, b) - b_h * b_h - n2), loose)
    over = n2 <= IN_LINE * IN_LINE * (dot(v, v) + dot(b, b))
    reason, amount = NO_REASON, 0.0
    if excess > 0.0:
        reason, amount = TOO_NEAR, math.sqrt(max(n2 + 2.0 * excess, 0.0)) - math.sqrt(n2)
    elif excess < 0.0:
        reason, amount = TOO_FAR, math.sqrt(n2) - math.sqrt(max(n2 + 2.0 * excess, 0.0))
    return middle, half, goal, over, reason, amount


@leaf
def _parallel_motion(geo, kind, R, p, others, v, o):
    """What the three parallel axes must do to a direction v and to a point o."""
    k = 4 if kind == AXES_234 else 3
    first, second, third = (others[1], others[2], 0.0) if kind == AXES_234 else others
    s, c = sincos(first)
    v, o = turned(axis(geo, k), -s, c, v), _about(geo, k, -s, c, o)
    s, c = sincos(second)
    v, o = turned(axis(geo, k + 1), -s, c, v), _about(geo, k + 1, -s, c, o)
    if kind == AXES_123:
        s, c = sincos(third)
        v, o = turned(axis(geo, 5), -s, c, v), _about(geo, 5, -s, c, o)
    v, o = rotate(R, v), rotate(R, o)
    o = (o[0] + p[0], o[1] + p[1], o[2] + p[2])
    if kind == AXES_234:
        s, c = sincos(others[0])
        v, o = turned(axis(geo, 0), -s, c, v), _about(geo, 0, -s, c, o)
    return v, o


@leaf
def _about(geo, k, s, c, p):
    """The point p turned about line k."""
    o = foot(geo, k)
    q = turned(axis(geo, k), s, c, sub(p, o))
    return o[0] + q[0], o[1] + q[1], o[2] + q[2]


@kernel
def _wrist(geo, kind, R, x, loose):
    """(middle, half, excess, free) of the second angle from the direction h, as `two_turns` gives it."""
    if kind == AXES_234:  # R6^T R5^T h = R^T R1 h
        h = axis(geo, 1)
        return two_turns(axis(geo, 5), axis(geo, 4), h, rotate_back(R, turned_by(axis(geo, 0), x, h)), loose)
    h = axis(geo, 0)  # R5^T R4^T h = R6 R^T h
    return two_turns(axis(geo, 4), axis(geo, 3), h, turned_by(axis(geo, 5), x, rotate_back(R, h)), loose)


@kernel
def _others(geo, kind, R, x, y, free, kept):
    """The angles of the joints that are not parallel, inwards: (q1, q5, q6) or (q4, q5, q6)."""
    if kind == AXES_234:
        h = axis(geo, 1)
        w = rotate_back(R, turned_by(axis(geo, 0), x, h))
        return x, y, (kept if free else -turn_to(axis(geo, 5), turned_by(axis(geo, 4), -y, h), w))
    h = axis(geo, 0)
    w = turned_by(axis(geo, 5), x, rotate_back(R, h))
    return y, (kept if free else -turn_to(axis(geo, 4), turned_by(axis(geo, 3), -y, h), w)), x


@kernel
def _place(geo, R, p, others, code, columns, q_min, q_max, q0, q_out, marks, count, J, e, world, slot):
    """Write the two bends of the parallel axes; returns (count, reason, amount)."""
    kind, loose = int(geo[KIND]), geo[LOOSE]
    first = 1 if kind == AXES_234 else 0
    h, across = axis(geo, first), vector(geo, POINT)
    kept = held(geo, columns, q0, first, world)
    turn, end = _parallel_motion(geo, kind, R, p, others, across, foot(geo, first + 2))
    middle, half, goal, over, reason, amount = _planar(geo, first, end, loose)
    if reason != NO_REASON:
        return count, reason, amount
    total = turn_to(h, across, turn)
    s2 = math.copysign(1.0, dot(h, axis(geo, first + 1)))
    s3 = math.copysign(1.0, dot(h, axis(geo, first + 2)))
    for j in range(2):
        b = middle + half if j == 0 else middle - half
        arm = sub(moved(axis(geo, first + 1), foot(geo, first + 1), b, foot(geo, first + 2)), foot(geo, first))
        a = kept if over else turn_to(h, arm, goal)
        c = s3 * (total - a - s2 * b)
        angles = (others[0], a, b, c, others[1], others[2])
        if kind == AXES_123:
            angles = (a, b, c, others[0], others[1], others[2])
        if loose != 0.0 or geo[SEPARABLE] == 0.0:
            angles, error = finish(geo, R, p, angles, J, e, slot)
            if not error <= EXACT:
                continue
        count = add_six(geo, columns, q_min, q_max, q0, angles, code + 4 * j, q_out, marks, count, world)
    return count, NO_REASON, 0.0


@kernel
def solve_parallel(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, pairs, values, spectrum, roots, J, e, world, slot
):  # fmt: skip
    """All solutions of one world, sorted; why there is none goes into the summary."""
    R, p = wanted_motion(geo, target, world)
    kind, loose = int(geo[KIND]), geo[LOOSE]
    if kind == AXES_234:
        rows_x, rows_y, rest = _equations_234(geo, R, p)
    else:
        rows_x, rows_y, rest = _equations_123(geo, R, p)
    keep = held(geo, columns, q0, 0 if kind == AXES_234 else 5, world)
    kept = held(geo, columns, q0, 5 if kind == AXES_234 else 4, world)
    summary[world, FREE], summary[world, HELD] = 0.0, math.nan
    count, reason, amount = 0, NO_REASON, math.inf
    if geo[SEPARABLE] == 0.0:
        places = two_angles(rows_x, rows_y, rest, pairs, values, spectrum, roots, slot)
        for i in range(places):
            others = _others(geo, kind, R, pairs[slot, i, 0], pairs[slot, i, 1], False, kept)
            count, why, short = _place(
                geo, R, p, others, 0, columns, q_min, q_max, q0, q_out, marks, count, J, e, world, slot
            )
            if why != NO_REASON and short < amount:
                reason, amount = why, short
    else:
        middle, half, excess, open_x = one_angle(rows_x, rows_y, rest, keep, loose)
        if excess != 0.0:
            reason, amount = HOLLOW, abs(excess)
        for i in range(0 if excess != 0.0 else (1 if open_x else 2)):
            x = middle + half if i == 0 else middle - half
            middle_y, half_y, excess_y, free = _wrist(geo, kind, R, x, loose)
            if excess_y != 0.0:
                if reason == NO_REASON or (reason == CONE and abs(excess_y) < amount):
                    reason, amount = CONE, abs(excess_y)
                continue
            for j in range(2):
                y = -(middle_y + half_y if j == 0 else middle_y - half_y)
                before = count
                for k in range(_HOLDS if free else 1):  # a free angle is held at q0's, or where the planar arm reaches
                    angle = kept + ((k + 1) // 2) * (2.0 * math.pi / _HOLDS) * (1.0 if k & 1 else -1.0)
                    others = _others(geo, kind, R, x, y, free, angle)
                    count, why, short = _place(
                        geo,
                        R,
                        p,
                        others,
                        j + 2 * i,
                        columns,
                        q_min,
                        q_max,
                        q0,
                        q_out,
                        marks,
                        count,
                        J,
                        e,
                        world,
                        slot,
                    )
                    if why != NO_REASON and (reason == NO_REASON or reason == CONE or short < amount):
                        reason, amount = why, short
                    if count > before:
                        if free:
                            summary[world, FREE], summary[world, HELD] = 1.0, angle
                        break
    arrange(q_out, marks, count, world)
    summary[world, COUNT] = count
    summary[world, REASON], summary[world, AMOUNT] = reason, amount


@entry
def parallel_batch(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, pairs, values, spectrum, roots, J, e, start, stop, stride, slot
):  # fmt: skip
    """Solve every world."""
    bad = 0
    for world in range(start, stop, stride):
        if not is_pose(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_parallel(
            geo,
            columns,
            q_min,
            q_max,
            target,
            q0,
            q_out,
            marks,
            summary,
            pairs,
            values,
            spectrum,
            roots,
            J,
            e,
            world,
            slot,
        )
    return bad
