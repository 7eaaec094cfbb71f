"""Where a contact wanders while two bodies roll, slide and spin on each other: Montana's equations along a motion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels import montana
from carpal.contact.roll_result import RollResult
from carpal.contact.touching import checked_coordinates, numbers_of_pair
from carpal.errors import InputError, unknown_name
from carpal.model import Shape
from carpal.spatial import Array

AXES = {"contact": montana.IN_CONTACT, "a": montana.IN_A, "b": montana.IN_B}
MOST_STEPS = 10_000_000


def roll(
    shape_a: Shape,
    shape_b: Shape,
    start: ArrayLike,
    twist: Callable[[float], ArrayLike] | ArrayLike,
    *,
    dt: float,
    duration: float | None = None,
    axes: str = "a",
    device: str = "cpu",
    threads: int | None = None,
) -> RollResult:
    """Follow the contact of two bodies along their relative motion.

    Args:
        shape_a, shape_b: sphere, plane, cylinder (its side) or ellipsoid.
        start: contact coordinates (*batch, 7), as `contact_coordinates` gives them.
        twist: of B relative to A at the contact (6), linear first [m/s, rad/s], as `relative_twist` gives it: zero linear
            part means rolling. A function of time that returns (*batch, 6), or samples (*batch, 2 n + 1, 6) at the
            half steps 0, dt/2, dt, ... The part of the linear velocity along the normal is left out: contact is kept.
        dt: step of the fourth-order Runge-Kutta rule [s].
        duration: [s], for a function of time; rounded to whole steps.
        axes: in which the twist is given: those of shape "a", of shape "b", or "contact": the tangent frame of A's chart
            (x along u, z the normal), which ends where that chart does.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> first = contact_coordinates(Plane(), np.eye(4), Sphere(0.1), pose(p=[0, 0, 0.1]), [0, 0, 0])
        >>> roll(Plane(), Sphere(0.1), first, lambda t: [0, 0, 0, 0, 1.0, 0], dt=0.01, duration=1.0).p_A[-1]
        array([0.1, 0. , 0. ])
    """
    kinds = numbers_of_pair(shape_a, shape_b)
    if axes not in AXES:
        raise unknown_name("axes", axes, AXES)
    step = finite_array("dt", dt, ())
    if not step > 0:
        raise InputError(f"dt must be above zero [s]; got {dt!r}.")
    first = checked_coordinates(shape_a, shape_b, start)
    samples = _samples(twist, float(step), duration)
    rows = samples.shape[-2] // 2 + 1
    path, verdict = run_batch(
        None, montana.roll_batch, (*kinds, float(step), AXES[axes]),
        [KernelInput("start", first, (7,)), KernelInput("twist", samples, samples.shape[-2:])], [(rows, montana.PATH), (2,)],
        device=device, threads=threads, world_seconds=6e-7 * rows,
    )  # fmt: skip
    return RollResult(shape_a, shape_b, float(step), path, verdict[..., 0].astype(int), verdict[..., 1].astype(int))


def _samples(twist: Callable[[float], ArrayLike] | ArrayLike, dt: float, duration: float | None) -> Array:
    """Twists (*batch, 2 n + 1, 6) at half steps."""
    if callable(twist):
        if duration is None:
            raise InputError("a twist that is a function of time needs a duration [s].")
        span = finite_array("duration", duration, ())
        if not 0 <= span <= MOST_STEPS * dt:
            raise InputError(f"duration must be from 0 to {MOST_STEPS} steps of dt; got {duration!r}.")
        steps = round(float(span) / dt)
        rows = [finite_array("the twist", twist(0.5 * dt * i), (6,)) for i in range(2 * steps + 1)]
        return np.stack(rows, axis=-2)
    if duration is not None:
        raise InputError("duration belongs to a twist that is a function of time; samples have their own.")
    array = np.asarray(twist)
    if array.ndim < 2 or array.shape[-1] != 6 or array.shape[-2] % 2 == 0:
        raise InputError(
            f"twist samples need shape (*batch, 2 n + 1, 6), one at each half step; got {array.shape}. "
            "For a constant twist give a function."
        )
    return finite_array("twist", array, array.shape[-2:])
