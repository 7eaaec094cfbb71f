"""Three joints that bring a point w to p: E1 E2 E3 w = p, every solution (Pieper 1968; Paden and Kahan's subproblems).

Where axes 1 and 2 meet, the distance from their meeting point gives angle 3, and two turns about one point the rest. Where
axes 2 and 3 are parallel, the component along them gives angle 1, and the triangle across them the rest. Arms with these pairs
the other way round are solved from the other end: E3^-1 E2^-1 E1^-1 p = w. Any other three axes: at angle 3 = x, distance from a
point of axis 1 and height along it give the sine and the cosine of angle 2, and that their squares add up to one is a
trigonometric polynomial of degree 2 in x, all four roots of which are found.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.branches import HOLLOW, NO_REASON, TOO_FAR, TOO_NEAR
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
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.vec3 import cross, dot, scale, sub

MEET_12, PARALLEL_23, MEET_23, PARALLEL_12, GENERAL = 0, 1, 2, 3, 4
DEGREE, SAMPLES = 2, 8
SCRATCH = [(4, 4), (SAMPLES,), (DEGREE + 1, 2), (2 * DEGREE, 2)]
_ON_CIRCLE = 1e-3


@kernel
def three_angles(kind, lines, O, w, p, keep, loose, tri, values, spectrum, roots, slot):
    """Angles into tri[slot, i] = (q1, q2, q3, code); returns (count, reason, amount, open joint or -1).

    Args: lines: ((u1, c1), (u2, c2), (u3, c3)). O: where two axes meet, or (general) the feet of the common normal of axes 1
        and 2 as six numbers. keep: three angles that singular places keep.
    """
    if kind == GENERAL:
        count = _general(lines, O, w, p, keep, tri, values, spectrum, roots, slot)
        return count, NO_REASON, 0.0, -1
    first, second, third = lines
    meet = (O[0], O[1], O[2])
    if kind == MEET_12:
        return _meeting(first, second, third, meet, w, p, keep, 1.0, loose, tri, slot)
    if kind == PARALLEL_23:
        return _parallel(first, second, third, w, p, keep, 1.0, loose, tri, slot)
    back = (-keep[2], -keep[1], -keep[0])
    if kind == MEET_23:
        return _meeting(third, second, first, meet, p, w, back, -1.0, loose, tri, slot)
    return _parallel(third, second, first, p, w, back, -1.0, loose, tri, slot)


@leaf
def _write(tri, slot, count, sign, a, b, c, code):
    tri[slot, count, 0] = a if sign > 0.0 else -c
    tri[slot, count, 1] = sign * b
    tri[slot, count, 2] = c if sign > 0.0 else -a
    tri[slot, count, 3] = code
    return count + 1


@leaf
def _span(excess, n2):
    """(reason, amount [m]) of a distance sqrt(n2) that the bend of axis 3 cannot give; half its square is off by the excess."""
    now, best = math.sqrt(n2), math.sqrt(max(n2 + 2.0 * excess, 0.0))
    return (TOO_NEAR, best - now) if excess > 0.0 else (TOO_FAR, now - best)


@kernel
def _meeting(first, second, third, O, w, p, keep, sign, loose, tri, slot):
    """Axes 1 and 2 meet in O."""
    u1, u2, u3, c3 = first[0], second[0], third[0], third[1]
    v, b, m = sub(w, c3), sub(O, c3), sub(p, O)
    x, y, along = component(u3, v, b)
    n2 = dot(m, m)
    middle, half, excess = linear_turn(x, y, 0.5 * (dot(v, v) + dot(b, b) - n2) - along, loose)
    if excess != 0.0:
        reason, amount = _span(excess, n2)
        return 0, reason, amount, -1
    count, reason, amount, open_joint = 0, NO_REASON, math.inf, -1
    for i in range(1 if half == 0.0 or half == math.pi else 2):
        q3 = middle + half if i == 0 else middle - half
        arm = sub(moved(u3, c3, q3, w), O)
        middle2, half2, excess2, free = two_turns(u1, u2, arm, m, loose)
        if excess2 != 0.0:
            amount = min(amount, abs(excess2) * math.sqrt(n2))
            continue
        if free:
            open_joint = 0 if sign > 0.0 else 2
        for j in range(2):
            q2 = middle2 + half2 if j == 0 else middle2 - half2
            q1 = keep[0] if free else turn_to(u1, turned_by(u2, q2, arm), m)
            count = _write(tri, slot, count, sign, q1, q2, q3, i + 2 * j)
    if count == 0:
        reason = HOLLOW
    return count, reason, amount, open_joint


@kernel
def _parallel(first, second, third, w, p, keep, sign, loose, tri, slot):
    """Axes 2 and 3 are parallel."""
    u1, c1, u2, c2, u3, c3 = first[0], first[1], second[0], second[1], third[0], third[1]
    m = sub(p, c1)
    x, y, along = component(u1, u2, m)  # u2 . R1^T m
    rest = dot(u2, sub(w, c1)) - along
    size2 = dot(m, m) + dot(sub(w, c1), sub(w, c1))
    free = x * x + y * y <= IN_LINE * IN_LINE * size2
    middle, half, excess = linear_turn(x, y, rest, loose)
    if free and abs(rest) <= 1e-9 * math.sqrt(size2):
        middle, half, excess = keep[0], 0.0, 0.0
    if excess != 0.0:
        return 0, HOLLOW, abs(excess), -1
    v, b = sub(w, c3), sub(c2, c3)
    a3, b3, along = component(u3, v, b)
    count, reason, amount, open_joint = 0, NO_REASON, math.inf, -1
    if free:
        open_joint = 0 if sign > 0.0 else 2
    for i in range(1 if free else 2):
        q1 = middle + half if i == 0 else middle - half
        goal = sub(moved(u1, c1, -q1, p), c2)
        n2 = dot(goal, goal)
        middle3, half3, excess3 = linear_turn(a3, b3, 0.5 * (dot(v, v) + dot(b, b) - n2) - along, loose)
        if excess3 != 0.0:
            why, lacking = _span(excess3, n2)
            if lacking < amount:
                reason, amount = why, lacking
            continue
        for j in range(2):
            q3 = middle3 + half3 if j == 0 else middle3 - half3
            arm = sub(moved(u3, c3, q3, w), c2)
            flat = sub(goal, scale(dot(u2, goal), u2))
            over = dot(flat, flat) <= IN_LINE * IN_LINE * size2
            q2 = keep[1] if over else turn_to(u2, arm, goal)
            if over:
                open_joint = 1
            count = _write(tri, slot, count, sign, q1, q2, q3, j + 2 * i)
    if count > 0:
        reason = NO_REASON
    return count, reason, amount, open_joint


@leaf
def _pair(lines, O, w, p, x):
    """(X, Y, F, G) at angle 3 = x: turning (X, Y) by angle 2 must give (F, G)."""
    u1, u2 = lines[0][0], lines[1][0]
    O1, O2 = (O[0], O[1], O[2]), (O[3], O[4], O[5])
    span = sub(O2, O1)
    a = math.sqrt(dot(span, span))
    n = scale(1.0 / a, span)
    side = cross(u2, n)
    v = sub(moved(lines[2][0], lines[2][1], x, w), O2)
    m = sub(p, O1)
    F = (dot(m, m) - dot(v, v) - a * a) / (2.0 * a)
    G = (dot(u1, m) - dot(u1, u2) * dot(u2, v)) / dot(u1, side)
    return dot(n, v), dot(side, v), F, G


@kernel
def _general(lines, O, w, p, keep, tri, values, spectrum, roots, slot):
    """No pair of neighbours meets or is parallel."""
    u1, u2, c2 = lines[0][0], lines[1][0], lines[1][1]
    for j in range(SAMPLES):
        X, Y, F, G = _pair(lines, O, w, p, 2.0 * math.pi * j / SAMPLES)
        values[slot, j] = F * F + G * G - X * X - Y * Y
    fit_trig(values, spectrum, slot, SAMPLES, DEGREE)
    found, count = trig_roots(spectrum, roots, slot, DEGREE), 0
    for j in range(found):
        if abs(math.hypot(roots[slot, j, 0], roots[slot, j, 1]) - 1.0) > _ON_CIRCLE or count == 4:
            continue
        q3 = arctan2(roots[slot, j, 1], roots[slot, j, 0])
        X, Y, F, G = _pair(lines, O, w, p, q3)
        q2 = arctan2(G, F) - arctan2(Y, X)
        reached = moved(u2, c2, q2, moved(lines[2][0], lines[2][1], q3, w))
        m = sub(p, lines[0][1])
        side = sub(m, scale(dot(u1, m), u1))
        free = dot(side, side) <= IN_LINE * IN_LINE * dot(m, m)
        q1 = keep[0] if free else turn_to(u1, sub(reached, lines[0][1]), m)
        count = _write(tri, slot, count, 1.0, q1, q2, q3, 0)
    return count
