"""Paden and Kahan's subproblems: angles of one or two turns that bring points to where they are wanted.

`turn_to` is the first (one turn), `two_turns` the second (two turns about axes that meet) and `linear_turn` the third and
fourth (a distance or a component is given: a cos x + b sin x = c). Where there is no solution each says by how much.
Accurate at folds too: the second takes the spherical triangle by its half angles, so that an axis in line is met to
rounding.
"""

import math

from carpal._core.compile import leaf
from carpal.kinematics.inverse.kernels.branches import turned
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import cross, dot

IN_LINE = 1e-10  # sine below which a vector is in line with an axis: the turn about it is free
_SLIP = 1e-12  # by how much rounding may close a fold [rad, or of the amplitude]
_SQUARE = 1e-13  # cosine of axes at right angles


@leaf
def turn_to(u, v, w):
    """The angle about the unit vector u from v to w, both projected across u first: they may be all but along it."""
    a, b = cross(u, v), cross(u, w)
    return arctan2(dot(u, cross(a, b)), dot(a, b))


@leaf
def apart(half, loose):
    """Half the distance of two branches, kept off the folds for arms that are not quite of their class."""
    if loose == 0.0:
        return half
    least = min(0.1, math.sqrt(loose))
    return min(math.pi - least, max(least, half))


@leaf
def linear_turn(a, b, c, loose):
    """Solve a cos x + b sin x = c: (middle, half, excess) with x = middle +- half.

    The excess is by how much |c| is too large, with the sign of c; the half angle is then that of the nearest fold.
    """
    rho = math.sqrt(a * a + b * b)
    excess = 0.0
    if abs(c) > rho * (1.0 + _SLIP) + loose:
        excess = math.copysign(abs(c) - rho, c)
    x = max(-1.0, min(1.0, c / rho)) if rho > 0.0 else 0.0
    half = arctan2(math.sqrt((1.0 - x) * (1.0 + x)), x)
    return arctan2(b, a), apart(half, loose), excess


@leaf
def component(u, v, w):
    """(a, b, c): w . R v = a cos x + b sin x + c for R a turn by x about the unit vector u."""
    along = dot(u, v) * dot(u, w)
    return dot(v, w) - along, dot(w, cross(u, v)), along


@leaf
def two_turns(u, w, v, m, loose):
    """Solve Ru(x) Rw(y) v = m for |v| = |m|: (middle, half, excess, in_line) with y = middle +- half.

    The excess is the angle that is lacking, positive where m is too far from u, negative where it is too near; `in_line`
    says that m lies along u, so that x is free. x is `turn_to(u, turned v, m)`.
    """
    a, b, _ = component(w, v, u)
    across = cross(u, m)
    sine, cosine = math.sqrt(dot(across, across)), dot(u, m)
    free = sine <= IN_LINE * math.sqrt(dot(m, m))
    gamma = arctan2(sine, cosine)
    inner, tilt = dot(w, v), dot(u, w)
    excess = 0.0
    if abs(tilt) < _SQUARE and abs(inner) <= _SQUARE * (abs(cosine) + sine):
        half = gamma
    else:
        side = cross(w, v)
        lean = cross(u, w)
        beta = arctan2(math.sqrt(dot(side, side)), inner)
        alpha = arctan2(math.sqrt(dot(lean, lean)), tilt)
        s1, _ = sincos(0.5 * (gamma + alpha - beta))
        s2, _ = sincos(0.5 * (gamma - alpha + beta))
        s3, _ = sincos(0.5 * (alpha + beta + gamma))
        s4, _ = sincos(0.5 * (alpha + beta - gamma))
        near, far = s1 * s2, s3 * s4
        lacking, beyond = abs(alpha - beta) - gamma, gamma - min(alpha + beta, 2.0 * math.pi - alpha - beta)
        if lacking > _SLIP + loose:
            excess = -lacking
        elif beyond > _SLIP + loose:
            excess = beyond
        half = 2.0 * arctan2(math.sqrt(max(near, 0.0)), math.sqrt(max(far, 0.0)))
    return arctan2(b, a), apart(half, loose), excess, free


@leaf
def moved(u, c, x, p):
    """The point p turned by x about the axis through c along u."""
    s, k = sincos(x)
    q = turned(u, s, k, (p[0] - c[0], p[1] - c[1], p[2] - c[2]))
    return c[0] + q[0], c[1] + q[1], c[2] + q[2]


@leaf
def turned_by(u, x, v):
    """The vector v turned by x about u."""
    s, k = sincos(x)
    return turned(u, s, k, v)
