"""The tool follows a point by damped least squares, inside the joints' limits: a motion as a value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, configuration, run_batch
from carpal.control.kernels import tracking as kernels
from carpal.errors import InputError, unknown_name
from carpal.kinematics import JointMotion
from carpal.model import Model, need_model
from carpal.spatial import Array

GAIN = 40.0
"""Speed over distance near the target [1/s]; the motion's last e-folding time is 1 / GAIN."""
BRAKING = 0.45
"""Share of the largest acceleration that braking counts on; at most 0.5, so that the linear end does not ask for more."""


def track_point(
    model: Model,
    targets: ArrayLike,
    *,
    dt: float,
    rates: ArrayLike | None = None,
    q0: ArrayLike | None = None,
    joints: Sequence[str] | None = None,
    damping: float = 0.1,
    turning: float = 1.0,
    vdot_max: ArrayLike = 10.0,
    gain: float = GAIN,
    limited: bool = True,
) -> JointMotion:
    """Follow points with the tool, from rest.

    Args:
        model: an arm of revolute and prismatic joints.
        targets: (periods, 3) [m], where the target is at the start of each period.
        dt: the period [s].
        rates: (periods, 3) [m/s], how the target moves; None is at rest.
        q0: (nq); home by default.
        joints: the only joints that may move; all by default.
        damping: a of damped least squares [m]; it decides which of many postures a redundant arm ends in.
        turning: metres that a radian of turning counts as: the tool is asked to keep its attitude (Alkire 2020); 0 frees it.
        vdot_max: largest accelerations, one number or (nv) [rad/s^2, m/s^2].
        gain: speed over distance near the target [1/s].
        limited: False runs the bare gain without any limit (Alkire 2020; erratum E14), for comparison.

    Returns:
        The motion; whether it arrived is for the caller to see.
    """
    need_model(model, "track_point")
    points = _points("targets", targets)
    speeds = np.zeros_like(points) if rates is None else _points("rates", rates)
    if speeds.shape != points.shape:
        raise InputError(f"rates {speeds.shape} must be as many as targets {points.shape}.")
    for name, value in (("dt", dt), ("damping", damping), ("gain", gain)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{name} must be finite and above zero; got {value!r}.")
    start = np.array(model.q_home if q0 is None else q0, dtype=np.float64)
    numbers = np.zeros(kernels.NUMBERS)
    numbers[[kernels.DAMPING, kernels.GAIN, kernels.BRAKING, kernels.PERIOD]] = damping, gain, BRAKING, dt
    numbers[kernels.LIMITED], numbers[kernels.TURNING] = limited, turning
    tables, frame, n = model.tables, model.frame_index(None), model.nv
    arm = kernels.TrackedArm(tables.joints, tables.bodies, tables.frames, frame, tables.chains[frame])
    rows = (len(points) + 1, n)
    q, v, vdot = run_batch(
        model, kernels.track_batch,
        (arm, _limits(model, joints, vdot_max), numbers, kernels.TrackedPoints(points, speeds)),
        [configuration(model, start)], [rows, rows, rows],
        scratch=[(n,), (n,), (n,), (6, n), (6, 6), (6,), (n,), (n,), (len(tables.joints), kernels.TRACKING_SCRATCH)],
        groups=Groups(None, kernels.TrackOutput, kernels.TrackScratch),
    )  # fmt: skip
    return JointMotion(dt, q, v, vdot)


def _points(name: str, values: ArrayLike) -> Array:
    array = np.array(values, dtype=np.float64, order="C")
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise InputError(f"{name} must be finite points (periods, 3) [m]; got shape {array.shape}.")
    return array


def _limits(model: Model, joints: Sequence[str] | None, vdot_max: ArrayLike) -> Array:
    if model.nq != model.nv:
        raise InputError(f"tracking moves revolute and prismatic joints; '{model.name}' has a ball or free joint.")
    hardest = np.broadcast_to(np.asarray(vdot_max, dtype=np.float64), (model.nv,))
    if not (hardest > 0).all():
        raise InputError(f"vdot_max must be above zero for every joint; got {vdot_max!r:.60}.")
    allowed = np.ones(model.nv)
    if joints is not None:
        for joint in joints:
            if joint not in model.joint_names:
                raise unknown_name(f"moving joint of model '{model.name}'", joint, model.joint_names)
        allowed = np.array([float(joint in joints) for joint in model.joint_names])
    table = np.empty((model.nv, kernels.LIMIT_COLUMNS))
    table[:, kernels.LOWEST], table[:, kernels.HIGHEST] = model.q_min, model.q_max
    table[:, kernels.FASTEST], table[:, kernels.HARDEST], table[:, kernels.ALLOWED] = model.v_max, hardest, allowed
    return table
