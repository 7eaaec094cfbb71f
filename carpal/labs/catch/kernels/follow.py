"""Joint angles for the wanted hand, step by step along its path.

`follow_turn` closes the position and the rotation vector by Newton from the last wanted angles: no attitude is singular to
it, and where the arm itself is nearly so it damps (Nakamura and Hanafusa 1986). `follow_angles` is the thesis's: Newton on the
residuals of (theta, phi, psi) and position, from the measured angles, with a forward-difference Jacobian of 0.12 rad and
Gauss elimination (section 5.1.2), with the minus sign of erratum E1 and wrapped angles.
"""

import math
from typing import Any, NamedTuple

from carpal._core.compile import kernel, leaf
from carpal.labs.catch.kernels.arm_chain import JOINTS, frames_of, hand_of, jacobian_of
from carpal.labs.catch.kernels.path import RATE, angles_of, attitude, turning
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.quaternion import rotation_vector_between
from carpal.spatial.kernels.vec3 import sub

CLOSE = 1e-10  # [m, rad] where `follow_turn` ends
DIFFERENCE = 0.12  # [rad]
TOLERANCE = 2.5e-4  # [m, rad] of all six residuals
TURNS, ANGLES = 8, 50  # most iterations of the two
NEAR_SINGULAR, DAMPING = 4e-3, 0.05  # |det J| below which it damps, and the largest damping


class FollowScratch(NamedTuple):
    """Target of the hand, wanted joint angles and rates, the chain's frames, and the linear solver's matrices and vector."""

    target: Any
    desired: Any
    rates: Any
    frames: Any
    A: Any
    N: Any
    x: Any


@leaf
def wrap(angle):
    """An angle in (-pi, pi]."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@kernel
def damped_solve(A, N, x, y, slot):
    """Put A^-1 x into y, damped where |det A| is small: (A' A + k^2 I) y = A' x. Returns |det A|, or -1 where it failed.

    Args:
        A: (slots, 6, 6); overwritten.
        N: (slots, 6, 6); scratch.
        x: (slots, 6); overwritten.
        y: (slots, 6); gets the answer.
        slot: whose.
    """
    for i in range(JOINTS):
        s = 0.0
        for k in range(JOINTS):
            s += A[slot, k, i] * x[slot, k]
        y[slot, i] = s
        for j in range(JOINTS):
            s = 0.0
            for k in range(JOINTS):
                s += A[slot, k, i] * A[slot, k, j]
            N[slot, i, j] = s
    good = solve_general(A, x, slot, JOINTS)
    det = 1.0
    for i in range(JOINTS):
        det *= A[slot, i, i]
    det = abs(det)
    if good and det >= NEAR_SINGULAR:
        for i in range(JOINTS):
            y[slot, i] = x[slot, i]
        return det
    damping = DAMPING * (1.0 - det / NEAR_SINGULAR) if good else DAMPING
    for i in range(JOINTS):
        N[slot, i, i] += damping * damping
    return det if solve_general(N, y, slot, JOINTS) else -1.0


@kernel
def follow_turn(chain, links, scratch, slot):
    """Move `scratch.desired`, the last wanted angles, to those of `scratch.target`; returns (residual, iterations).

    Args:
        chain, links: of `arm_chain`.
        scratch: a `FollowScratch`, or a tuple with its fields.
        slot: whose.
    """
    target, desired, rates, x = scratch.target, scratch.desired, scratch.rates, scratch.x
    R_W = attitude(target[slot, 0], target[slot, 1], target[slot, 2])
    p_W = (target[slot, 3], target[slot, 4], target[slot, 5])
    residual, used = 0.0, 0
    for iteration in range(TURNS + 1):
        R, p = frames_of(chain, links, desired, scratch.frames, slot)
        jacobian_of(scratch.frames, p, scratch.A, slot)
        gap, turn = sub(p_W, p), rotation_vector_between(R, R_W)
        residual = 0.0
        for k in range(3):
            x[slot, k], x[slot, 3 + k] = gap[k], turn[k]
            residual = max(residual, max(abs(gap[k]), abs(turn[k])))
        if residual < CLOSE or iteration == TURNS or not residual < 1e3:
            break
        used += 1
        if damped_solve(scratch.A, scratch.N, x, rates, slot) < 0.0:
            break
        for i in range(JOINTS):
            desired[slot, i] += rates[slot, i]
    return residual, used


@kernel
def rates_along(chain, links, scratch, slot):
    """Joint rates J^-1 x' for the target's rates at the wanted angles, into `rates`; fills `frames`. Returns |det J|."""
    target, x = scratch.target, scratch.x
    _, p = frames_of(chain, links, scratch.desired, scratch.frames, slot)
    jacobian_of(scratch.frames, p, scratch.A, slot)
    R_W = attitude(target[slot, 0], target[slot, 1], target[slot, 2])
    w = turning(R_W, target[slot, 2], (target[slot, RATE], target[slot, RATE + 1], target[slot, RATE + 2]))
    for k in range(3):
        x[slot, k], x[slot, 3 + k] = target[slot, RATE + 3 + k], w[k]
    return damped_solve(scratch.A, scratch.N, x, scratch.rates, slot)


@leaf
def _residuals(R, p, target, slot):
    """Of (theta, phi, psi) and position, wanted less reached; angles wrapped."""
    theta, phi, psi = angles_of(R)
    return (
        wrap(target[slot, 0] - theta), wrap(target[slot, 1] - phi), wrap(target[slot, 2] - psi),
        target[slot, 3] - p[0], target[slot, 4] - p[1], target[slot, 5] - p[2],
    )  # fmt: skip


@kernel
def follow_angles(chain, scratch, slot):
    """The thesis's Newton: `scratch.desired` holds the measured angles and gets the wanted. Returns residual, iterations."""
    target, desired, A, x = scratch.target, scratch.desired, scratch.A, scratch.x
    worst, used = 0.0, 0
    for iteration in range(ANGLES + 1):
        R, p = hand_of(chain, desired, slot, -1, 0.0)
        f = _residuals(R, p, target, slot)
        worst = 0.0
        for k in range(6):
            x[slot, k] = f[k]
            worst = max(worst, abs(f[k]))
        if worst < TOLERANCE or iteration == ANGLES or not worst < 1e3:
            break
        for i in range(JOINTS):
            R, p = hand_of(chain, desired, slot, i, DIFFERENCE)
            g = _residuals(R, p, target, slot)
            for k in range(6):
                change = wrap(f[k] - g[k]) if k < 3 else f[k] - g[k]
                A[slot, k, i] = change / DIFFERENCE
        if not solve_general(A, x, slot, JOINTS):
            break
        used += 1
        for i in range(JOINTS):
            desired[slot, i] += x[slot, i]
    return worst, used
