"""The integrator that a rigid engine takes when none is named: explicit where it is stable, else implicit.

At the model's home position the passive forces are linearised, vdot = -P (D v + K (q - q_0)) with P = M^-1 within the
constraints, with the damping D of joints, friction (its slope at rest, f / v_s) and lines, and the stiffness K of springs,
tendons and servos. The eigenvalues s of this linear system times the step must stay well inside the stability region of the
classical Runge-Kutta method, which reaches to 2.8 on both axes (Hairer, Wanner, "Solving Ordinary Differential Equations II",
1996, IV.2).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from carpal.dynamics import mass_matrix
from carpal.engines.rigid.kernels.lines import (
    BIAS,
    CORD,
    DAMPING,
    DRIVE,
    FRICTION,
    LAW,
    STIFFNESS,
)
from carpal.model import Model, State
from carpal.spatial import Array

LARGEST = 2.0
"""Largest |s| dt with which "rk4" is chosen: below what is stable, since the mass matrix changes with the position."""


def passive_rates(
    model: Model,
    damping: Array,
    friction: Array,
    friction_speed: float,
    lines: Array,
    mobility: Callable[[], Array],
) -> Array:
    """Eigenvalues (2 nv) [1/s] of the linearised passive forces at home, largest magnitude first.

    Args:
        model: whose components of v these are.
        damping, friction: of each component of v (nv).
        friction_speed: over which friction is smoothed.
        lines: the kernels' table.
        mobility: gives the acceleration (nv, nv) of each component for a unit force on each, constraints included; asked only
            where there are such forces.
    """
    nq, nv = model.nq, model.nv
    D, K = np.diag(damping + friction / friction_speed), np.zeros((nv, nv))
    for row in lines:
        c, last = row[nq : nq + nv], row[nq + nv :]
        stiff, damp = last[STIFFNESS], last[DAMPING]
        if last[LAW] == CORD:
            damp = damp + last[FRICTION] / friction_speed
        elif last[LAW] == DRIVE:
            stiff, damp = max(0.0, -last[BIAS + 1]), max(0.0, -last[BIAS + 2])
        D, K = D + damp * np.outer(c, c), K + stiff * np.outer(c, c)
    if not D.any() and not K.any():
        return np.zeros(2 * nv)
    P = mobility()
    found = np.linalg.eigvals(np.block([[np.zeros((nv, nv)), np.eye(nv)], [-P @ K, -P @ D]]))
    return np.asarray(found[np.argsort(-np.abs(found), kind="stable")])


def free_mobility(model: Model, given: Array) -> Array:
    """M^-1 (nv, nv) at home of a tree; components that are `given` (nv) an acceleration do not move for a force."""
    M, out = mass_matrix(model, State.home(model).q), np.zeros((model.nv, model.nv))
    free = np.flatnonzero(np.logical_not(given))
    M = M[np.ix_(free, free)]
    scale = 1.0 / np.sqrt(np.diag(M))  # a chain of light and heavy bodies is far better conditioned so
    with contextlib.suppress(np.linalg.LinAlgError):  # a singular mass matrix is the first step's to refuse
        out[np.ix_(free, free)] = scale[:, None] * np.linalg.inv(scale[:, None] * M * scale) * scale
    return np.nan_to_num(out, nan=0.0, posinf=0.0, neginf=0.0)


def choose_integrator(rates: Array, dt: float) -> str:
    """`rk4`, or `implicit` where a rate [1/s] is too fast for steps of dt [s]."""
    return "rk4" if np.abs(rates[:1]).max(initial=0.0) * dt <= LARGEST else "implicit"
