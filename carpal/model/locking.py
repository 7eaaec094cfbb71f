"""Models with some joints locked: the reduced model of a robot whose other joints do not move."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.arguments import need_model
from carpal.model.constraints import Coupling, Loop
from carpal.model.model import Model
from carpal.model.parts import NQ, Joint, real_array
from carpal.spatial import Array, rotation_from_wxyz

CLOSED = 1e-6
"""Largest error [m, rad] of a coupling or a loop that becomes rigid; what is left of it cannot be seen afterwards."""


def lock_joints(model: Model, joints: Iterable[str], q: ArrayLike | None = None) -> Model:
    """The same robot with some joints fixed where they stand; masses, shapes and frames stay on their bodies.

    Couplings and loops between locked joints end with them. A coupling of a locked and a moving joint is refused.

    Args:
        model: the robot.
        joints: names of the moving joints that are locked.
        q: configuration (nq) in which they are locked, and the home of the others; `q_home` by default.

    Example:
        >>> arm = carpal.model.lock_joints(carpal.load("panda"), ["panda_finger_joint1", "panda_finger_joint2"])
        >>> arm.nq
        7
    """
    need_model(model, "lock_joints")
    names = [joints] if isinstance(joints, str) else list(joints)
    for name in names:
        if name not in model.joint_names:
            raise unknown_name(f"moving joint of model '{model.name}'", name, model.joint_names)
    locked = frozenset(names)
    if not locked:
        return model
    q = np.asarray(model.q_home) if q is None else real_array(q, "q")
    if q.shape != (model.nq,) or not np.isfinite(q).all():
        raise InputError(f"q of model '{model.name}' must be {model.nq} finite numbers; got {q.tolist()!r:.80}.")
    values = {
        name: q[i : i + NQ[kind]] for name, (kind, i) in zip(model.joint_names, model.joint_slices(), strict=True)
    }
    kept = np.concatenate([np.full(len(part), name not in locked) for name, part in values.items()])
    bodies = tuple(
        dataclasses.replace(body, joint=_fixed(body.joint, values[body.joint.name]))
        if body.joint.name in locked
        else body
        for body in model.bodies
    )
    reduced = model.replace(
        bodies=bodies, q_home=q[kept],
        couplings=_couplings(model, locked, values), loops=(), tendons=(), actuators=(),
        groups={group: tuple(j for j in joints if j not in locked) for group, joints in model.groups.items()},
        configurations={name: np.asarray(at)[kept] for name, at in model.configurations.items()},
    )  # fmt: skip
    return _with_actuation(reduced, model, locked, values).replace(loops=_loops(reduced, model.loops))


def _fixed(joint: Joint, q: Array) -> Joint:
    """The joint as a fixed one in that position."""
    X = np.eye(4)
    if joint.kind == "prismatic":
        X[:3, 3] = q[0] * joint.axis
    elif joint.kind == "revolute":
        half = 0.5 * q[0]
        X[:3, :3] = rotation_from_wxyz(np.array([np.cos(half), *(np.sin(half) * joint.axis)]))
    else:
        if joint.kind == "free":
            X[:3, 3] = q[:3]
        X[:3, :3] = rotation_from_wxyz(q[-4:] / np.linalg.norm(q[-4:]))
    return Joint(joint.name, "fixed", X_PJ=joint.X_PJ @ X, X_JB=joint.X_JB)


def _couplings(model: Model, locked: frozenset[str], values: Mapping[str, Array]) -> tuple[Coupling, ...]:
    """Couplings of joints that still move; those between locked joints must hold."""
    kept = []
    for coupling in model.couplings:
        pair = (coupling.follower,) if coupling.leader is None else (coupling.follower, coupling.leader)
        still = [name for name in pair if name not in locked]
        if len(still) == len(pair):
            kept.append(coupling)
        elif still:
            other = next(name for name in pair if name in locked)
            raise ModelError(
                f"joint '{other}' of model '{model.name}' cannot be locked alone: coupling '{coupling.name}' ties it to "
                f"'{still[0]}'; lock both."
            )
        else:
            leader = 0.0 if coupling.leader is None else float(values[coupling.leader][0]) - coupling.leader_ref
            wanted = coupling.follower_ref + sum(c * leader**k for k, c in enumerate(coupling.coefficients))
            error = abs(float(values[coupling.follower][0]) - wanted)
            if error > CLOSED:
                raise ModelError(
                    f"coupling '{coupling.name}' of model '{model.name}' is off by {error:.3g} in the configuration that is "
                    f"locked: joint '{coupling.follower}' should be at {wanted:.6g}."
                )
    return tuple(kept)


def _loops(reduced: Model, loops: tuple[Loop, ...]) -> tuple[Loop, ...]:
    """Loops between parts that still move against each other; the others must be closed."""
    carriers = _carriers(reduced)
    kept = []
    for loop in loops:
        (carrier_a, X_CA), (carrier_b, X_CB) = carriers[loop.body_a], carriers[loop.body_b]
        if carrier_a != carrier_b:
            kept.append(loop)
            continue
        gap = X_CA @ loop.X_AL - X_CB @ loop.X_BL
        error = float(np.abs(gap[:3, 3] if loop.kind == "connect" else gap[:3]).max())
        if error > CLOSED:
            raise ModelError(
                f"loop '{loop.name}' of model '{reduced.name}' is open by {error:.3g} in the configuration that is locked; "
                "lock an assembled one (`model.assembled().q_home`)."
            )
    return tuple(kept)


def _carriers(model: Model) -> dict[str | None, tuple[str | None, Array]]:
    """For each body B its carrier C, the moving body or the world behind its fixed joints, and the pose X_CB on it."""
    carriers: dict[str | None, tuple[str | None, Array]] = {None: (None, np.eye(4))}
    for body in model.bodies:
        if body.joint.kind == "fixed":
            carrier, X = carriers[body.parent]
            carriers[body.name] = carrier, X @ body.joint.X_PJ @ body.joint.X_JB
        else:
            carriers[body.name] = body.name, np.eye(4)
    return carriers


def _with_actuation(reduced: Model, model: Model, locked: frozenset[str], values: Mapping[str, Array]) -> Model:
    """Tendons and actuators of what still moves; a fixed tendon's lengths count without its locked joints."""
    tendons = []
    for tendon in model.tendons:
        moving = {name: c for name, c in tendon.joints.items() if name not in locked}
        if tendon.path or len(moving) == len(tendon.joints):
            tendons.append(tendon)
        elif moving:
            part = sum(c * float(values[name][0]) for name, c in tendon.joints.items() if name in locked)
            rest, limits = ((low - part, high - part) for low, high in (tendon.rest, tendon.limits))
            tendons.append(dataclasses.replace(tendon, joints=moving, rest=rest, limits=limits))
    names = {tendon.name for tendon in tendons}
    actuators = [a for a in model.actuators if (a.joint not in locked if a.joint is not None else a.tendon in names)]
    return reduced.replace(tendons=tuple(tendons), actuators=tuple(actuators))
