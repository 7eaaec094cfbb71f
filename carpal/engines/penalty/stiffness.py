"""Joint stiffness and damping from the masses and the step: as stiff as a step can follow.

The thesis tunes its joints by hand. Here every point joint gets the same own frequency: with the mass m that its two
bodies show at the point, k = s m and c = 2 zeta sqrt(s) m. One number s is left. The fastest mode of all joints
together grows with sqrt(s), so s follows in closed form from the wanted step: the stable step becomes `margin` times
dt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from carpal.engines.engine import checked_dt
from carpal.engines.pair_surfaces import SurfaceKey
from carpal.engines.penalty.contact_law import ContactLaw
from carpal.engines.penalty.stability import mechanism_stable_step
from carpal.engines.penalty.tables import mechanism_tables
from carpal.engines.surface import Surface
from carpal.errors import InputError
from carpal.model import Mechanism
from carpal.spatial import Array

MARGIN = 2.0
"""Stable step over the step to be taken. Assumed: room for gains, springs and other poses."""
DAMPING_RATIO = 0.1
"""Of the gap at a joint. Assumed: a gap rings down in five periods."""

SOFTEST = 1e-3
"""Gap [m] of a joint under its body's weight above which no stiffness is offered. Assumed."""


def stiffened(
    mechanism: Mechanism, dt: float, *, margin: float = MARGIN, damping_ratio: float = DAMPING_RATIO
) -> Mechanism:
    """The same mechanism with the stiffest joints that a step of length dt [s] follows.

    Args:
        mechanism: stiffness and damping of its point and slot joints are replaced, and slip speeds of joint friction are
            raised to what the step follows; springs, actuators and contacts stay.
        dt: the step [s] to be taken.
        margin: stable step of the joints over dt, 1 or above; the larger, the softer.
        damping_ratio: of each joint's gap, from 0.
    """
    dt = checked_dt(dt)
    if not 1 <= margin < np.inf or not 0 <= damping_ratio < np.inf:
        raise InputError(
            f"margin must be 1 or above and damping_ratio from 0; got {margin!r:.30}, {damping_ratio!r:.30}."
        )
    mechanism = _slower_friction(mechanism, margin * dt)
    if not mechanism.joints:
        return mechanism
    masses = [
        1.0 / sum(_ease(mechanism, side, p) for side, p in _sides(mechanism, joint)) for joint in mechanism.joints
    ]
    unit = _with(mechanism, masses, 1.0, damping_ratio)
    bare = Mechanism(
        mechanism.name,
        tuple(dataclasses.replace(body, shapes=(), points=np.zeros((0, 3)), areas=np.zeros(0)) for body in unit.bodies),
        unit.joints,
        prescribed=unit.prescribed,
    )
    parts, touching = mechanism_tables(bare, ContactLaw())
    rotations = np.array([body.X_WB[:3, :3] for body in bare.bodies])
    reach = mechanism_stable_step(parts, touching, rotations, _centres(bare))[0]
    made = _with(mechanism, masses, (reach / (margin * dt)) ** 2, damping_ratio)
    _check_soft(made, dt)
    return made


def _check_soft(mechanism: Mechanism, dt: float) -> None:
    """Refuse joints that a body's own weight would open: point masses have no inertia that a stiff joint could turn."""
    for joint in mechanism.joints:
        for side in (joint.a, joint.b):
            if side is None:
                continue
            inertia = mechanism.bodies[mechanism.body_index(side)].inertia
            gap = 9.81 * inertia.mass / joint.stiffness
            if gap > SOFTEST:
                least = float(np.linalg.eigvalsh(inertia.about_com)[0])
                raise InputError(
                    f"at dt = {dt:g} s joint '{joint.name}' of mechanism '{mechanism.name}' could only be "
                    f"{joint.stiffness:.2g} N/m stiff, and the weight of body '{side}' would open it by {gap:.2g} m; take a "
                    f"shorter dt, or give the body the inertia of a solid: its least moment is {least:.2g} kg m^2."
                )


def softened(
    law: ContactLaw,
    mechanism: Mechanism,
    dt: float,
    *,
    margin: float = MARGIN,
    surface: Surface | None = None,
    surfaces: Mapping[SurfaceKey, Surface] | None = None,
) -> ContactLaw:
    """The contact law as it is, or with all its stiffness scaled down until contacts are stable at margin times dt.

    Surfaces are as of `PenaltyEngine`; compliance that a surface states is not scaled.
    """
    parts, touching = mechanism_tables(
        dataclasses.replace(mechanism, joints=(), springs=(), actuators=(), friction=()), law,
        surface and dataclasses.replace(surface, compliance=0.0),
        {key: dataclasses.replace(value, compliance=0.0) for key, value in (surfaces or {}).items()},
    )  # fmt: skip
    rotations = np.array([body.X_WB[:3, :3] for body in mechanism.bodies])
    allowed = mechanism_stable_step(parts, touching, rotations, _centres(mechanism))[0]
    share = min(1.0, allowed / (margin * checked_dt(dt)))
    if share == 1.0:
        return law
    return dataclasses.replace(
        law, stiffness=share**2 * law.stiffness, damping=share * law.damping, tangential=share**2 * law.tangential
    )  # w^2 with k, 2 zeta w with c: the step grows by 1 / share


def _with(mechanism: Mechanism, masses: list[float], s: float, ratio: float) -> Mechanism:
    joints = tuple(
        dataclasses.replace(joint, stiffness=s * m, damping=2 * ratio * np.sqrt(s) * m)
        for joint, m in zip(mechanism.joints, masses, strict=True)
    )
    return dataclasses.replace(mechanism, joints=joints)


def _slower_friction(mechanism: Mechanism, step: float) -> Mechanism:
    """Slip speeds at which torque / slip_speed, a damper to the step, is stable: at most 2 I / step."""
    made = []
    for each in mechanism.friction:
        ease = sum(_turning_ease(mechanism, side, each.axis, each.a) for side in (each.a, each.b))
        made.append(dataclasses.replace(each, slip_speed=max(each.slip_speed, 0.5 * step * ease * each.torque)))
    return dataclasses.replace(mechanism, friction=tuple(made))


def _turning_ease(mechanism: Mechanism, side: str | None, axis_A: Array, a: str | None) -> float:
    if side is None or any(motion.body == side for motion in mechanism.prescribed):
        return 0.0
    body = mechanism.bodies[mechanism.body_index(side)]
    axis_W = axis_A if a is None else mechanism.bodies[mechanism.body_index(a)].X_WB[:3, :3] @ axis_A
    axis = body.X_WB[:3, :3].T @ axis_W
    return float(axis @ np.linalg.solve(body.inertia.about_com, axis))


def _centres(mechanism: Mechanism) -> Array:
    return np.array([(body.X_WB @ [*body.inertia.com, 1.0])[:3] for body in mechanism.bodies])


def _sides(mechanism: Mechanism, joint: object) -> list[tuple[str | None, Array]]:
    """Both bodies with the joint's point in each; a slot's is where the point is at the start."""
    a, p_A = joint.a, joint.p_AP  # type: ignore[attr-defined]
    b = joint.b  # type: ignore[attr-defined]
    if hasattr(joint, "p_BP"):
        return [(a, p_A), (b, joint.p_BP)]
    X_A, X_B = (
        np.eye(4) if side is None else mechanism.bodies[mechanism.body_index(side)].X_WB for side in (a, b)
    )  # fmt: skip
    return [(a, p_A), (b, (np.linalg.inv(X_B) @ X_A @ [*p_A, 1.0])[:3])]


def _ease(mechanism: Mechanism, side: str | None, p: Array) -> float:
    """How easily [1/kg] a point of a body gives way in its softest direction; 0 for the world and held bodies."""
    if side is None or any(motion.body == side for motion in mechanism.prescribed):
        return 0.0
    inertia = mechanism.bodies[mechanism.body_index(side)].inertia
    x, y, z = p - inertia.com
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return float(1 / inertia.mass + np.linalg.eigvalsh(K.T @ np.linalg.solve(inertia.about_com, K))[-1])
