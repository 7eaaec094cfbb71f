"""Joint control: PD, PD with gravity compensation, computed torque. Each is a policy: `law(time, state) -> u`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.control.kernels.joint import (
    ACTUATED,
    GAIN_COLUMNS,
    GRAVITY_SCRATCH,
    KD,
    KP,
    LARGEST,
    TORQUE_SCRATCH,
    computed_torque_batch,
    gravity_pd_batch,
    pd_batch,
)
from carpal.errors import InputError, unknown_name
from carpal.model import NV, Model, State, need_model
from carpal.spatial import Array

Target = ArrayLike | Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]


class _JointLaw(ABC):
    """What the three laws share: gains, targets, which joints have actuators.

    Args:
        model: the robot, or the whole scene.
        kp, kd: gains, one number for all joints or (nv), zero or above.
        q_target: a configuration (nq) to hold, or (*batch, nq), or a function `time -> (q, v, vdot)` to follow.
        v_target: a velocity (nv); with a function as `q_target` it is not used.
        actuated: joints that get forces; by default all but free ones. Others get zero.
        limited: whether forces stop at the joints' `tau_max`.
    """

    def __init__(
        self,
        model: Model,
        kp: ArrayLike,
        kd: ArrayLike,
        q_target: Target,
        v_target: ArrayLike = 0.0,
        *,
        actuated: Sequence[str] | None = None,
        limited: bool = False,
    ) -> None:
        need_model(model, type(self).__name__)
        self.model, self.q_target = model, q_target
        self.v_target = (
            np.broadcast_to(np.asarray(v_target, float), (model.nv,)).copy() if np.ndim(v_target) == 0 else v_target
        )
        self.gains = self._gains(kp, kd, actuated, limited)
        if not callable(q_target):
            self(0.0, State.home(model))  # a wrong target is reported now, not in the middle of a run

    @abstractmethod
    def __call__(self, time: float, state: State) -> Array:
        """Controls u (*batch, nv) [N m, N]."""

    def _gains(self, kp: ArrayLike, kd: ArrayLike, actuated: Sequence[str] | None, limited: bool) -> Array:
        model = self.model
        if actuated is not None:
            for joint in actuated:
                if joint not in model.joint_names:
                    raise unknown_name(f"moving joint of model '{model.name}'", joint, model.joint_names)
        table = np.zeros((model.nv, GAIN_COLUMNS))
        for column, name, gain in ((KP, "kp", kp), (KD, "kd", kd)):
            values = np.asarray(gain)
            if values.dtype.kind not in "fiu" or values.shape not in ((), (model.nv,)):
                raise InputError(f"{name} must be one number or {model.nv}, one for each of v; got {gain!r:.60}.")
            if not np.isfinite(values).all() or (values < 0).any():
                raise InputError(f"{name} must be finite, zero or above; got {gain!r:.60}.")
            table[:, column] = values
        joints = [body.joint for body in model.bodies if body.joint.kind != "fixed"]
        has = [joint.kind != "free" if actuated is None else joint.name in actuated for joint in joints]
        table[:, ACTUATED] = np.repeat(has, [NV[joint.kind] for joint in joints])
        table[:, LARGEST] = model.tau_max if limited else np.inf
        return table

    def _inputs(self, time: float, state: State) -> tuple[list[KernelInput], KernelInput]:
        """Target and state as the kernels take them, and the target's acceleration."""
        model = self.model
        if callable(self.q_target):
            q, v, vdot = self.q_target(float(np.max(time)))
        else:
            q, v, vdot = self.q_target, self.v_target, np.zeros(model.nv)
        given = [KernelInput("q_target", q, (model.nq,), model.joint_names), velocity(model, v, "v_target")]
        return [*given, configuration(model, state.q), velocity(model, state.v)], velocity(model, vdot, "vdot_target")


class JointPD(_JointLaw):
    """u = kp (q_target - q) + kd (v_target - v); arguments as below.

    Args:
        model: the robot, or the whole scene.
        kp: [N m/rad, N/m], one number or (nv).
        kd: [N m s/rad, N s/m], one number or (nv).
        q_target: (nq), or a function `time -> (q, v, vdot)`.
        v_target: (nv) [rad/s, m/s].
        actuated: joints that get forces; by default all but free ones.
        limited: whether forces stop at the joints' `tau_max`.
    """

    def __call__(self, time: float, state: State) -> Array:
        """Controls u (*batch, nv) [N m, N]."""
        inputs, _ = self._inputs(time, state)
        constants = (self.model.tables.joints, self.gains)
        return run_batch(self.model, pd_batch, constants, inputs, [(self.model.nv,)])[0]


class GravityPD(_JointLaw):
    """u = kp (q_target - q) + kd (v_target - v) + g(q): PD that need not hold the robot's weight; arguments as `JointPD`."""

    def __call__(self, time: float, state: State) -> Array:
        """Controls u (*batch, nv) [N m, N]."""
        model, tables = self.model, self.model.tables
        model.require_inertia()
        inputs, _ = self._inputs(time, state)
        constants = (tables.joints, tables.bodies, self.gains)
        return run_batch(
            model, gravity_pd_batch, constants, inputs, [(model.nv,), (model.nv,)], scratch=GRAVITY_SCRATCH
        )[0]


class ComputedTorque(_JointLaw):
    """u = M(q) (vdot_target + kp (q_target - q) + kd (v_target - v)) + C(q, v) v + g(q).

    Every joint then behaves as a unit mass on a spring kp [1/s^2] with a damper kd [1/s]; critically damped at
    kd = 2 sqrt(kp). Other arguments as `JointPD`.
    """

    def __call__(self, time: float, state: State) -> Array:
        """Controls u (*batch, nv) [N m, N]."""
        model, tables = self.model, self.model.tables
        model.require_inertia()
        (q_target, v_target, q, v), vdot_target = self._inputs(time, state)
        constants = (tables.joints, tables.bodies, self.gains)
        inputs = [q_target, v_target, vdot_target, q, v]
        return run_batch(
            model, computed_torque_batch, constants, inputs, [(model.nv,), (model.nv,)], scratch=TORQUE_SCRATCH
        )[0]
