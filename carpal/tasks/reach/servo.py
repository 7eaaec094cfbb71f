"""Gains and constant forces with which reach's loop settles on a robot, from its inertia, dampers, friction and springs.

A joint that feels an inertia m follows m x'' + (d + kd) x' + kp x = f sign(x') near the goal. kp = w^2 m makes its frequency w; a
joint with a strong damper d of its own would then creep in with the time constant d / kp, and one with Coulomb friction f may
stop anywhere within f / kp. So kp is at least w d, and f over the error that the tolerance allows, up to what a loop that is
closed once a step bears; kd = 2 zeta sqrt(kp m). A light joint between heavy ones reacts with 1 / (M^-1)_ii, less than M_ii.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carpal.model import NV, Model
from carpal.spatial import Array

PART = 0.2
"""Share of the tolerance that friction may cost, all joints together."""
FASTEST = 0.3
"""Largest frequency of a joint [rad per step]: the loop is closed once a step."""
LEAST_ARM = 0.01
"""[m] of lever with which a joint counts that hardly moves the tool."""


class Servo(NamedTuple):
    """kp [N m/rad, N/m], kd [N m s/rad, N s/m] and a constant force beside gravity [N m, N], each (nv)."""

    kp: Array
    kd: Array
    hold: Array


def servo(model: Model, goal: Array, *, stiffness: float, damping: float, tolerance: float, dt: float) -> Servo:
    """The loop that holds a robot at a goal.

    Args:
        model: all joints revolute or prismatic.
        goal: (nq).
        stiffness: square of the frequency w [1/s^2].
        damping: the ratio zeta.
        tolerance: of the tool's position [m].
        dt: of a step [s].
    """
    from carpal.dynamics import mass_matrix

    M = mass_matrix(model, goal)
    felt, alone = np.diag(M), 1.0 / np.diag(np.linalg.pinv(M, hermitian=True))
    dampers, friction = damping_and_friction(model)
    frequency = np.sqrt(stiffness)
    own = stiffness * felt
    wanted = np.maximum(frequency * dampers, friction / _allowed(model, goal, tolerance))
    kp = np.maximum(own, np.minimum(wanted, np.maximum((FASTEST / dt) ** 2 * alone, dampers * FASTEST / dt)))
    kd = np.where(kp > own, 2.0 * damping * np.sqrt(kp * alone), 2.0 * damping * frequency * felt)
    return Servo(kp, kd, holding_forces(model, goal) - _weight(model, goal))


def damping_and_friction(model: Model) -> tuple[Array, Array]:
    """Viscous damping [N m s/rad, N s/m] and Coulomb friction [N m, N] of every component of v (nv)."""
    joints = [body.joint for body in model.bodies if body.joint.kind != "fixed"]
    rows = np.array([(joint.damping, joint.friction) for joint in joints for _ in range(NV[joint.kind])])
    damping, friction = rows.reshape(-1, 2).T
    return damping, friction


def holding_forces(model: Model, q: Array) -> Array:
    """Forces (nv) [N m, N] that hold the tree at rest at q (nq) against gravity, springs and tendons; friction does not help."""
    from carpal.dynamics import mass_matrix
    from carpal.engines import RigidEngine
    from carpal.model import State

    if not (model.tendons or any(body.gravity_compensation or body.joint.stiffness for body in model.bodies)):
        return _weight(model, q)
    tree = model.replace(couplings=(), loops=())
    vdot, _ = RigidEngine(tree).accelerations(State.home(tree).replace(q=q), np.zeros(tree.nv))
    return -np.asarray(mass_matrix(tree, q) @ vdot)


def _weight(model: Model, q: Array) -> Array:
    from carpal.dynamics import gravity_forces

    return gravity_forces(model, q)


def _allowed(model: Model, goal: Array, tolerance: float) -> Array:
    """Errors (nv) [rad, m] of the joints that together move the tool by a share of the tolerance at most."""
    from carpal.kinematics import jacobian

    levers = np.linalg.norm(jacobian(model, goal)[:3], axis=0)
    moving = max(1, np.count_nonzero(levers > 0))
    return PART * tolerance / (moving * np.maximum(levers, LEAST_ARM))
