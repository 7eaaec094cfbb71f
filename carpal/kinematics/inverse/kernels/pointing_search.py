"""The K10's class with a tool that lies off its line: every root of a one-parameter search (Leutenegger 2008, section 4.1).

The roll x of the tool about the direction is the parameter. It puts the wrist on a circle; each of the four solutions that
bring the wrist there (`pointing_offset_elbow`) leaves axis 4 at an angle with axis 5 that must be the arm's own: h(x) = 0.
Over all four solutions, complex ones included, the product of h, multiplied by (the wrist's distance from axis 1)^2 squared
and by its distances from axis 2, is a real trigonometric polynomial of degree 8 in x. It is fitted from 24 values and all its
16 roots are found; those on the unit circle are finished by Newton's method on the arm itself. So no root is missed and none
is false.
"""

import cmath
import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    COUNT,
    FREE,
    HELD,
    NO_REASON,
    REASON,
    TOO_FAR,
    TOO_NEAR,
    across,
    add_solution,
    arrange,
    turned,
    vector,
)
from carpal.kinematics.inverse.kernels.pointing_offset_elbow import ARM, DIRECTION, TOOL, U1, U2, U3, U4, U5, UPPER, S
from carpal.kinematics.inverse.kernels.trig_roots import fit_trig, trig_roots
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

DEGREE, SAMPLES, ROWS = 8, 24, 16
SCRATCH = [(SAMPLES,), (DEGREE + 1, 2), (2 * DEGREE, 2), (5, 5), (5,)]
_ON_CIRCLE = 1e-2  # how far from one a root's modulus may be and still be tried: double roots are only half as exact
_NEAR = 0.3  # largest |h| of a solution that is worth finishing
_STEPS = 12
_EXACT = 1e-11


@leaf
def _turn(u, s, c, v):
    """As `turned`, for complex sines and cosines."""
    along = dot(u, v) * (1.0 - c)
    w = cross(u, v)
    return c * v[0] + s * w[0] + along * u[0], c * v[1] + s * w[1] + along * u[1], c * v[2] + s * w[2] + along * u[2]


@leaf
def _unit(v):
    return scale(1.0 / math.sqrt(dot(v, v)), v)


@leaf
def _beside(d):
    """Two unit vectors that make a right-handed frame with d."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    other = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    e1 = _unit(cross(other, d))
    return e1, cross(d, e1)


@leaf
def _circle(geo, d, p, x):
    """The wrist seen from S, and the direction of axis 5, when the tool is rolled by x about d."""
    d0, t0, u5 = vector(geo, DIRECTION), vector(geo, TOOL), vector(geo, U5)
    off = across(d0, t0)
    r = math.sqrt(dot(off, off))
    f1 = scale(1.0 / r, off)
    f2 = cross(d0, f1)
    e1, e2 = _beside(d)
    s, c = sincos(x)
    g1 = add(scale(c, e1), scale(s, e2))
    g2 = sub(scale(c, e2), scale(s, e1))
    n = sub(sub(sub(p, vector(geo, S)), scale(dot(t0, d0), d)), scale(r, g1))
    w = add(scale(dot(u5, d0), d), add(scale(dot(u5, f1), g1), scale(dot(u5, f2), g2)))
    return n, w


@kernel
def _way(geo, n, w, elbow, shoulder):
    """(rho^2 h, m^2, cos 3, sin 3, cos 2, sin 2), all complex, of one solution that brings the wrist to n from S."""
    u1, u2, u3, u4 = vector(geo, U1), vector(geo, U2), vector(geo, U3), vector(geo, U4)
    a, b = vector(geo, ARM), vector(geo, UPPER)
    nn, height = dot(n, n), dot(u1, n)
    side = cross(u3, a)
    even, odd = dot(b, a), dot(b, side)
    total = even * even + odd * odd
    k = 0.5 * (nn - dot(a, a) - dot(b, b))
    root = cmath.sqrt(complex(total - k * k, 0.0)) * (1.0 if elbow == 0 else -1.0)
    c3, s3 = (even * k - odd * root) / total, (odd * k + even * root) / total
    v = add(b, add(scale(c3, a), scale(s3, side)))
    z = _turn(u3, s3, c3, u4)
    tilt = dot(u1, u2)
    rest = height - tilt * dot(u2, v)
    even2, odd2 = dot(u1, v) - tilt * dot(u2, v), dot(u1, cross(u2, v))
    m2 = even2 * even2 + odd2 * odd2
    root = cmath.sqrt(m2 - rest * rest) * (1.0 if shoulder == 0 else -1.0)
    c2, s2 = (even2 * rest - odd2 * root) / m2, (odd2 * rest + even2 * root) / m2
    # axis 4 in the basis u1, n, u1 x n, times rho^2
    up, out = dot(u1, _turn(u2, s2, c2, z)), dot(z, v)
    round_ = dot(u1, _turn(u2, s2, c2, cross(v, z)))
    rho2 = nn - height * height
    h = (nn * up - height * out) * dot(u1, w) + (out - height * up) * dot(n, w) + round_ * dot(cross(u1, n), w)
    return h - rho2 * dot(u4, vector(geo, U5)), m2, c3, s3, c2, s2


@kernel
def roll_polynomial(geo, d, p, x):
    """The real trigonometric polynomial of degree 8 whose roots are the rolls of all solutions."""
    n, w = _circle(geo, d, p, x)
    u1 = vector(geo, U1)
    side = across(u1, n)
    rho2 = max(dot(side, side), 1e-30)
    value = complex(1.0, 0.0)
    for elbow in range(2):
        first = _way(geo, n, w, elbow, 0)
        second = _way(geo, n, w, elbow, 1)
        value *= first[0] * second[0] * first[1] / rho2
    return value.real


@kernel
def _finish(geo, d, p, t, A, x, slot):
    """Newton's method on the five angles; returns (angles, whether the tool is there)."""
    e1, e2 = _beside(d)
    size = math.sqrt(dot(vector(geo, ARM), vector(geo, ARM))) + math.sqrt(dot(vector(geo, UPPER), vector(geo, UPPER)))
    t1, t2, t3, t4, t5 = t
    ok = False
    for step in range(_STEPS):
        s, c = sincos(t1)
        s2, c2 = sincos(t2)
        s3, c3 = sincos(t3)
        s4, c4 = sincos(t4)
        s5, c5 = sincos(t5)
        u1, u2, u3 = vector(geo, U1), vector(geo, U2), vector(geo, U3)
        u4, u5 = vector(geo, U4), vector(geo, U5)
        z2 = turned(u1, s, c, u2)
        z3 = turned(u1, s, c, turned(u2, s2, c2, u3))
        elbow = turned(u1, s, c, turned(u2, s2, c2, vector(geo, UPPER)))
        wrist = add(elbow, turned(u1, s, c, turned(u2, s2, c2, turned(u3, s3, c3, vector(geo, ARM)))))
        z4 = turned(u1, s, c, turned(u2, s2, c2, turned(u3, s3, c3, u4)))
        z5 = turned(u1, s, c, turned(u2, s2, c2, turned(u3, s3, c3, turned(u4, s4, c4, u5))))
        hand = turned(u4, s4, c4, turned(u5, s5, c5, vector(geo, TOOL)))
        hand = turned(u1, s, c, turned(u2, s2, c2, turned(u3, s3, c3, hand)))
        pointing = turned(u4, s4, c4, turned(u5, s5, c5, vector(geo, DIRECTION)))
        pointing = turned(u1, s, c, turned(u2, s2, c2, turned(u3, s3, c3, pointing)))
        tool = add(wrist, hand)
        miss = sub(sub(p, vector(geo, S)), tool)
        error = max(abs(miss[0]), abs(miss[1]), abs(miss[2])) / size + max(
            abs(dot(e1, pointing)), abs(dot(e2, pointing))
        )
        ok = error < _EXACT and dot(d, pointing) > 0.0
        if step == _STEPS - 1 or error < 1e-15:
            break
        for k in range(5):
            axis = u1 if k == 0 else (z2 if k == 1 else (z3 if k == 2 else (z4 if k == 3 else z5)))
            arm = tool if k < 2 else (sub(tool, elbow) if k == 2 else hand)
            move, tip = cross(axis, arm), cross(axis, pointing)
            A[slot, 0, k], A[slot, 1, k], A[slot, 2, k] = move[0], move[1], move[2]
            A[slot, 3, k], A[slot, 4, k] = dot(e1, tip), dot(e2, tip)
        x[slot, 0], x[slot, 1], x[slot, 2] = miss[0], miss[1], miss[2]
        x[slot, 3], x[slot, 4] = -dot(e1, pointing), -dot(e2, pointing)
        if not solve_general(A, x, slot, 5):
            break
        longest = 1e-300
        for k in range(5):
            longest = max(longest, abs(x[slot, k]))
        if ok and longest < 1e-15:
            break
        hold = min(1.0, 0.5 / longest)
        t1, t2, t3 = t1 + hold * x[slot, 0], t2 + hold * x[slot, 1], t3 + hold * x[slot, 2]
        t4, t5 = t4 + hold * x[slot, 3], t5 + hold * x[slot, 4]
    return (t1, t2, t3, t4, t5), ok


@leaf
def _wrist_angles(geo, d, w, t1, t2, t3):
    """Theta 4 and 5 that point axis 5 along w and the tool along d, when the first three are given."""
    s, c = sincos(-t1)
    d, w = turned(vector(geo, U1), s, c, d), turned(vector(geo, U1), s, c, w)
    s, c = sincos(-t2)
    d, w = turned(vector(geo, U2), s, c, d), turned(vector(geo, U2), s, c, w)
    s, c = sincos(-t3)
    d, w = turned(vector(geo, U3), s, c, d), turned(vector(geo, U3), s, c, w)
    u4, u5 = vector(geo, U4), vector(geo, U5)
    side_0, side = across(u4, u5), across(u4, w)
    t4 = math.atan2(dot(u4, cross(side_0, side)), dot(side_0, side))
    s, c = sincos(-t4)
    d = across(u5, turned(u4, s, c, d))
    d0 = across(u5, vector(geo, DIRECTION))
    return t4, math.atan2(dot(u5, cross(d0, d)), dot(d0, d))


@kernel
def solve_pointing_search(
    geo, columns, q_min, q_max, target, q0, q_out, marks, summary, values, spectrum, roots, A, x, world, slot
):  # fmt: skip
    """All solutions of one world, sorted; why there is none goes into the summary."""
    d = (target[world, 0], target[world, 1], target[world, 2])
    p = (target[world, 9], target[world, 10], target[world, 11])
    u1, u2 = vector(geo, U1), vector(geo, U2)
    a, b = vector(geo, ARM), vector(geo, UPPER)
    side = cross(vector(geo, U3), a)
    base, swing = dot(a, a) + dot(b, b), 2.0 * math.hypot(dot(b, a), dot(b, side))
    d0, t0 = vector(geo, DIRECTION), vector(geo, TOOL)
    off = across(d0, t0)
    r = math.sqrt(dot(off, off))
    centre = sub(sub(p, vector(geo, S)), scale(dot(t0, d0), d))
    wide, high = across(d, centre), dot(d, centre)
    rho = math.sqrt(dot(wide, wide))
    nearest, farthest = math.hypot(rho - r, high), math.hypot(rho + r, high)
    most, least = math.sqrt(base + swing), math.sqrt(max(base - swing, 0.0))
    count, reason, amount = 0, NO_REASON, 0.0
    if nearest > most * (1.0 + 1e-12):
        reason, amount = TOO_FAR, nearest - most
    elif farthest < least * (1.0 - 1e-12):
        reason, amount = TOO_NEAR, least - farthest
    else:
        for j in range(SAMPLES):
            values[slot, j] = roll_polynomial(geo, d, p, 2.0 * math.pi * j / SAMPLES)
        fit_trig(values, spectrum, slot, SAMPLES, DEGREE)
        found = trig_roots(spectrum, roots, slot, DEGREE)
        for j in range(found):
            if abs(math.hypot(roots[slot, j, 0], roots[slot, j, 1]) - 1.0) > _ON_CIRCLE:
                continue
            n, w = _circle(geo, d, p, math.atan2(roots[slot, j, 1], roots[slot, j, 0]))
            side1 = across(u1, n)
            rho2 = dot(side1, side1)
            for branch in range(4):
                h, _, c3, s3, c2, s2 = _way(geo, n, w, branch & 1, branch >> 1)
                if not abs(h) < _NEAR * rho2 or count >= ROWS:
                    continue
                t3, t2 = math.atan2(s3.real, c3.real), math.atan2(s2.real, c2.real)
                s, c = sincos(t3)
                v = add(b, add(scale(c, a), scale(s, side)))
                s, c = sincos(t2)
                m = across(u1, turned(u2, s, c, v))
                t1 = math.atan2(dot(u1, cross(m, side1)), dot(m, side1))
                t4, t5 = _wrist_angles(geo, d, w, t1, t2, t3)
                angles, ok = _finish(geo, d, p, (t1, t2, t3, t4, t5), A, x, slot)
                if ok:
                    count = add_solution(columns, q_min, q_max, q0, angles, branch, q_out, marks, count, world)
    arrange(q_out, marks, count, world)
    summary[world, COUNT] = count
    summary[world, REASON], summary[world, AMOUNT] = reason, amount
    summary[world, FREE], summary[world, HELD] = 0.0, math.nan


@entry
def pointing_search_batch(
    geo, columns, q_min, q_max, target, q0, roll, q_out, marks, summary, values, spectrum, roots, A, x, start, stop, stride, slot
):  # fmt: skip
    """Solve every world; roll is never free in this class."""
    bad = 0
    for world in range(start, stop, stride):
        if not all_finite(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_pointing_search(
            geo, columns, q_min, q_max, target, q0, q_out, marks, summary, values, spectrum, roots, A, x, world, slot
        )
    return bad
