"""Any six joints: the 16 roots of the dialytic determinant in one angle, each finished by Newton's method on the arm.

The closed loop E1 ... E6 = T may be opened at any of its axes, in either direction; which opening is used was chosen for
the arm (`six_class`), because a determinant that is zero for every angle (as for some openings of arms with parallel or
meeting axes) finds nothing. At each real root angle 5 is a root of a trigonometric polynomial of degree 3, so that
solutions which share angle 3 are all found.
"""

import math

from carpal._core.compile import entry, kernel
from carpal.kinematics.inverse.kernels.branches import AMOUNT, COUNT, FREE, HELD, NO_REASON, REASON, arrange
from carpal.kinematics.inverse.kernels.dialytic import (
    LEFT,
    RIGHT,
    ROWS,
    determinant,
    eliminate,
    equations_at,
    first_angles,
    in_powers,
    sharpen,
    triangle_ratio,
)
from carpal.kinematics.inverse.kernels.six_arm import (
    EXACT,
    KIND,
    LENGTH,
    add_six,
    axis,
    finish,
    foot,
    is_pose,
    wanted_motion,
)
from carpal.kinematics.inverse.kernels.subproblems import linear_turn, turn_to, turned_by
from carpal.kinematics.inverse.kernels.trig_roots import fit_trig, trig_roots
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import cross, dot, rotate, rotate_back, sub

DEGREE, SAMPLES, SOLUTIONS = 8, 24, 16
INNER = 3  # degree of the polynomial of angle 5
SCRATCH = [
    (6, 6), (ROWS, RIGHT + LEFT), (SAMPLES,), (DEGREE + 1, 2), (2 * DEGREE, 2), (3, 6, 9), (2 * DEGREE,),
    (6, 9), (12, 24), (8,), (2 * INNER, 2), (6, 6), (6,)
]  # fmt: skip
_ON_CIRCLE = 2e-2
_INNER_ON_CIRCLE = 0.1
_MISS = 0.05  # share by which a pair of angles may miss an equation and still be tried
_MIX = (
    (0.61, -0.35, 0.52, 0.23, -0.41, 0.17),
    (-0.28, 0.57, 0.31, -0.47, 0.19, 0.53),
    (0.37, 0.44, -0.29, 0.55, 0.48, -0.21),
)  # three mixtures of the six equations; a solution satisfies each


@kernel
def open_loop(geo, R, p, lines, slot):
    """The loop opened after `KIND` axes: axes moved beyond T by its inverse."""
    first = int(geo[KIND])
    for j in range(6):
        k = (j + first) % 6
        u, c = axis(geo, k), foot(geo, k)
        if j + first >= 6:
            u, c = rotate_back(R, u), rotate_back(R, sub(c, p))
        lines[slot, j, 0], lines[slot, j, 1], lines[slot, j, 2] = u
        lines[slot, j, 3], lines[slot, j, 4], lines[slot, j, 5] = c


@kernel
def _mixed(S, slot, a, i):
    """Row a of the mixtures, coefficients of monomial i of angle 4, as (1, cos 5, sin 5)."""
    x, y, z = 0.0, 0.0, 0.0
    for e in range(6):
        w = _MIX[a][e]
        x += w * S[slot, e, 3 * i]
        y += w * S[slot, e, 3 * i + 1]
        z += w * S[slot, e, 3 * i + 2]
    return x, y, z


@kernel
def inner_polynomial(S, values, slot):
    """Values of the determinant of three mixtures, 8 angles 5 round."""
    a0, a1, a2 = _mixed(S, slot, 0, 0), _mixed(S, slot, 0, 1), _mixed(S, slot, 0, 2)
    b0, b1, b2 = _mixed(S, slot, 1, 0), _mixed(S, slot, 1, 1), _mixed(S, slot, 1, 2)
    c0, c1, c2 = _mixed(S, slot, 2, 0), _mixed(S, slot, 2, 1), _mixed(S, slot, 2, 2)
    for j in range(8):
        s, c = sincos(2.0 * math.pi * j / 8)
        at = (1.0, c, s)
        values[slot, j] = dot(
            (dot(a0, at), dot(a1, at), dot(a2, at)),
            cross((dot(b0, at), dot(b1, at), dot(b2, at)), (dot(c0, at), dot(c1, at), dot(c2, at))),
        )


@kernel
def fourth_angle(S, slot, c5, s5):
    """Angle 4 at an angle 5: (angle, other angle, whether the equations leave two)."""
    best, v, big, row = -1.0, (1.0, 1.0, 0.0), -1.0, (0.0, 0.0, 0.0)
    for a in range(6):
        ra = (
            S[slot, a, 0] + c5 * S[slot, a, 1] + s5 * S[slot, a, 2],
            S[slot, a, 3] + c5 * S[slot, a, 4] + s5 * S[slot, a, 5],
            S[slot, a, 6] + c5 * S[slot, a, 7] + s5 * S[slot, a, 8],
        )
        if dot(ra, ra) > big:
            big, row = dot(ra, ra), ra
    for a in range(6):
        ra = (
            S[slot, a, 0] + c5 * S[slot, a, 1] + s5 * S[slot, a, 2],
            S[slot, a, 3] + c5 * S[slot, a, 4] + s5 * S[slot, a, 5],
            S[slot, a, 6] + c5 * S[slot, a, 7] + s5 * S[slot, a, 8],
        )
        n = cross(row, ra)
        if dot(n, n) > best:
            best, v = dot(n, n), n
    sign = 1.0 if v[0] >= 0.0 else -1.0
    one = arctan2(sign * v[2], sign * v[1])
    if best > 1e-8 * big * big:
        return one, one, False
    middle, half, _ = linear_turn(row[1], row[2], -row[0], 0.0)
    return middle + half, middle - half, True


@kernel
def misfit(S, slot, c4, s4, c5, s5):
    """The largest share by which an equation is missed."""
    worst = 0.0
    for e in range(6):
        value, size = 0.0, 1e-300
        for m in range(9):
            i, j = m // 3, m % 3
            f = (1.0 if i == 0 else (c4 if i == 1 else s4)) * (1.0 if j == 0 else (c5 if j == 1 else s5))
            value += f * S[slot, e, m]
            size += abs(S[slot, e, m])
        worst = max(worst, abs(value) / size)
    return worst


@kernel
def _complete(geo, R, p, lines, table, x, q3, q4, q5, slot):
    """All six angles in the arm's order, from three."""
    s3, c3 = sincos(q3)
    s4, c4 = sincos(q4)
    s5, c5 = sincos(q5)
    d1, e1, d2, e2 = first_angles(table, slot, c3, s3, c4, s4, c5, s5, x)
    q1, q2 = arctan2(e1, d1), arctan2(e2, d2)
    u6 = (lines[slot, 5, 0], lines[slot, 5, 1], lines[slot, 5, 2])
    a, b, c = abs(u6[0]), abs(u6[1]), abs(u6[2])
    other = (1.0, 0.0, 0.0) if a <= b and a <= c else ((0.0, 1.0, 0.0) if b <= c else (0.0, 0.0, 1.0))
    hold = cross(u6, other)
    v = rotate(R, hold)
    for k in range(5):
        u = (lines[slot, k, 0], lines[slot, k, 1], lines[slot, k, 2])
        angle = q1 if k == 0 else (q2 if k == 1 else (q3 if k == 2 else (q4 if k == 3 else q5)))
        v = turned_by(u, -angle, v)
    q6 = turn_to(u6, hold, v)
    first = int(geo[KIND])
    t = (q1, q2, q3, q4, q5, q6)
    return (
        t[(6 - first) % 6],
        t[(7 - first) % 6],
        t[(8 - first) % 6],
        t[(9 - first) % 6],
        t[(10 - first) % 6],
        t[(11 - first) % 6],
    )


@kernel
def solve_general6(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, lines, table, values, spectrum, roots, powers,
    doubtful, S, A, x, inner, J, e,
    world, slot,
):  # fmt: skip
    """All solutions of one world, sorted."""
    R, p = wanted_motion(geo, target, world)
    open_loop(geo, R, p, lines, slot)
    eliminate(lines, R, p, geo[LENGTH], table, slot)
    in_powers(table, powers, slot)
    quality = 0.0
    for j in range(SAMPLES):
        angle = 2.0 * math.pi * j / SAMPLES
        value, ratio = determinant(powers, A, slot, complex(math.cos(angle), 0.0), complex(math.sin(angle), 0.0))
        values[slot, j] = value.real
        quality = max(quality, ratio)
    fit_trig(values, spectrum, slot, SAMPLES, DEGREE)
    found, count = trig_roots(spectrum, roots, slot, DEGREE), 0
    sharpen(powers, spectrum, roots, doubtful, A, slot, found, DEGREE)
    for i in range(found):
        r = math.hypot(roots[slot, i, 0], roots[slot, i, 1])
        if not abs(r - 1.0) <= _ON_CIRCLE:
            continue
        q3 = arctan2(roots[slot, i, 1], roots[slot, i, 0])
        equations_at(table, S, slot, roots[slot, i, 0] / r, roots[slot, i, 1] / r)
        inner_polynomial(S, values, slot)
        fit_trig(values, spectrum, slot, 8, INNER)
        fives = trig_roots(spectrum, inner, slot, INNER)
        for j in range(fives):
            r = math.hypot(inner[slot, j, 0], inner[slot, j, 1])
            if not abs(r - 1.0) <= _INNER_ON_CIRCLE:
                continue
            q5 = arctan2(inner[slot, j, 1], inner[slot, j, 0])
            c5, s5 = inner[slot, j, 0] / r, inner[slot, j, 1] / r
            one, other, two = fourth_angle(S, slot, c5, s5)
            for k in range(2 if two else 1):
                q4 = one if k == 0 else other
                s4, c4 = sincos(q4)
                if misfit(S, slot, c4, s4, c5, s5) > _MISS:
                    continue
                angles = _complete(geo, R, p, lines, table, x, q3, q4, q5, slot)
                angles, error = finish(geo, R, p, angles, J, e, slot)
                if error <= EXACT:
                    count = add_six(geo, columns, q_min, q_max, q0, angles, 0.0, q_out, marks, count, world)
    arrange(q_out, marks, count, world)
    summary[world, COUNT] = count
    summary[world, REASON], summary[world, AMOUNT] = NO_REASON, 0.0
    summary[world, FREE], summary[world, HELD] = 0.0, quality * min(1.0, 100.0 * triangle_ratio(table, slot))


@entry
def general6_batch(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, lines, table, values, spectrum, roots, powers,
    doubtful, S, A, x, inner, J, e,
    start, stop, stride, slot,
):  # fmt: skip
    """Solve every world."""
    bad = 0
    for world in range(start, stop, stride):
        if not is_pose(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_general6(
            geo, columns, q_min, q_max, target, q0, q_out, marks, summary, lines, table, values, spectrum, roots, powers,
            doubtful, S, A, x, inner,
            J, e, world, slot,
        )  # fmt: skip
    return bad
