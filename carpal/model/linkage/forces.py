"""The force map of a linkage by virtual work: what the drive must supply, and what a phalanx can press with.

Signs: a torque or force is what the outside does to a bar; the drive's force works along its value (a torque on the second bar,
a push along the slide, a push that lengthens). Masses and friction are not counted: this is statics.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import unknown_name
from carpal.model.linkage.closure import left, turned
from carpal.model.linkage.curve import DriveCurve
from carpal.model.linkage.description import LinkageSpring
from carpal.model.mechanism.checks import finite
from carpal.spatial import Array


def force_map(curve: DriveCurve, drive: ArrayLike) -> Array:
    """Row (*batch, moving bars) that maps torques on the bars [N m] to the drive's force: the transpose of the ratios."""
    return curve.rates(drive)[..., 1:, 2]


def spring_energy(curve: DriveCurve, drive: ArrayLike) -> Array:
    """Energy (*batch) [J] in all springs."""
    poses = curve.poses(drive)
    total = np.zeros(poses.shape[:-2])
    for spring in curve.linkage.springs:
        stretch = _stretch(curve, spring, poses, None)[0]
        total += 0.5 * spring.stiffness * stretch**2
    return total


def spring_force(curve: DriveCurve, drive: ArrayLike) -> Array:
    """Force (*batch) [N m or N] that the drive must supply to hold the springs: d(energy)/d(drive)."""
    poses, rates = curve.poses(drive), curve.rates(drive)
    total = np.zeros(poses.shape[:-2])
    for spring in curve.linkage.springs:
        stretch, rate = _stretch(curve, spring, poses, rates)
        total += spring.stiffness * stretch * rate
    return total


def drive_force(
    curve: DriveCurve,
    drive: ArrayLike,
    *,
    torques: Mapping[str, float] | None = None,
    forces: Mapping[str, ArrayLike] | None = None,
) -> Array:
    """Force (*batch) [N m or N] of the drive that balances loads on the bars and the springs.

    Args:
        curve, drive: where.
        torques: bar -> torque [N m] that acts on it.
        forces: "bar.point" -> force (2) [N] in L that acts there.
    """
    poses, rates = curve.poses(drive), curve.rates(drive)
    power = np.zeros(poses.shape[:-2])
    for bar, torque in (torques or {}).items():
        if bar not in curve.linkage.index:
            raise unknown_name(f"bar of linkage '{curve.linkage.name}'", bar, curve.linkage.index)
        power += float(finite(torque, (), f"torque on '{bar}'")) * rates[..., curve.linkage.index[bar], 2]
    for place, force in (forces or {}).items():
        bar_index, local = curve.linkage.point(place)
        power += _point_rate(poses, rates, bar_index, np.array(local)) @ finite(force, (2,), f"force at '{place}'")
    return spring_force(curve, drive) - power


def output_torque(curve: DriveCurve, bar: str, drive: ArrayLike, force: ArrayLike) -> Array:
    """Torque (*batch) [N m] with which a bar presses on what blocks it, while the drive gives `force` (*batch) [N m or N].

    Infinite at the bar's dead points.
    """
    with np.errstate(divide="ignore"):
        return (np.asarray(force, float) - spring_force(curve, drive)) / curve.ratio(bar, drive)


def _point_rate(poses: Array, rates: Array, bar: int, local: Array) -> Array:
    return rates[..., bar, :2] + rates[..., bar, 2:] * left(turned(poses[..., bar, 2], local))


def _stretch(curve: DriveCurve, spring: LinkageSpring, poses: Array, rates: Array | None) -> tuple[Array, Array]:
    """A spring's angle or length beyond its rest, and its rate by the drive."""
    linkage = curve.linkage
    zero = np.zeros(poses.shape[:-2])
    if spring.turns:
        a, b = linkage.index[spring.a], linkage.index[spring.b]
        angle = poses[..., b, 2] - poses[..., a, 2] - spring.rest
        return angle, zero if rates is None else rates[..., b, 2] - rates[..., a, 2]
    a, b = linkage.point(spring.a)[0], linkage.point(spring.b)[0]
    p, q = np.array(linkage.point(spring.a)[1]), np.array(linkage.point(spring.b)[1])
    gap = poses[..., b, :2] + turned(poses[..., b, 2], q) - poses[..., a, :2] - turned(poses[..., a, 2], p)
    length = np.linalg.norm(gap, axis=-1)
    if rates is None:
        return length - spring.rest, zero
    rate = _point_rate(poses, rates, b, q) - _point_rate(poses, rates, a, p)
    return length - spring.rest, (gap * rate).sum(-1) / length
