"""Generalised forces of a model's own actuators: motors, servos and drives of tendons with their gears and ranges."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model, need_model, real_array
from carpal.spatial import Array


def actuator_forces(model: Model, q: ArrayLike, v: ArrayLike, ctrl: ArrayLike) -> Array:
    """Generalised forces (*batch, nv) [N m or N] of the actuators.

    Each actuator gives gain ctrl + bias . (1, length, speed), its control and its force held inside their ranges; gear times that
    acts on its joint, or on the joints of its tendon by their coefficients. No joint gets more than its `tau_max`.

    Args:
        model: with `actuators`; a tendon that one of them drives must be a fixed one.
        q: positions (*batch, nq).
        v: velocities (*batch, nv).
        ctrl: controls (*batch, nu), one for each of `model.actuators`.
    """
    need_model(model, "actuator_forces")
    q, v, ctrl = real_array(q, "q"), real_array(v, "v"), real_array(ctrl, "ctrl")
    for name, array, width in (("q", q, model.nq), ("v", v, model.nv), ("ctrl", ctrl, len(model.actuators))):
        if array.ndim == 0 or array.shape[-1] != width or not np.isfinite(array).all():
            names = f" ({', '.join(a.name for a in model.actuators[:8])})" if name == "ctrl" and width else ""
            raise InputError(
                f"{name} of model '{model.name}' needs {width} finite numbers{names} on its last axis; got shape {array.shape}."
            )
    along_q, along_v = _transmissions(model)
    numbers = [(a.gain, *a.bias, *a.ctrl_range, *a.force_range) for a in model.actuators]
    gain, constant, per_length, per_speed, least, most, weakest, strongest = np.reshape(numbers, (-1, 8)).T
    try:
        wanted = (
            gain * np.clip(ctrl, least, most) + constant + per_length * (q @ along_q.T) + per_speed * (v @ along_v.T)
        )
    except ValueError:
        raise InputError(
            f"q {q.shape}, v {v.shape} and ctrl {ctrl.shape} have batches that do not fit together."
        ) from None
    return np.asarray(np.clip(np.clip(wanted, weakest, strongest) @ along_v, -model.tau_max, model.tau_max))


def _transmissions(model: Model) -> tuple[Array, Array]:
    """Gear times the rate of each actuator's length: by q (nu, nq) and by v (nu, nv)."""
    tendons = {tendon.name: tendon for tendon in model.tendons}
    along_q, along_v = (np.zeros((len(model.actuators), width)) for width in (model.nq, model.nv))
    for row, actuator in enumerate(model.actuators):
        if actuator.joint is not None:
            parts = {actuator.joint: 1.0}
        else:
            tendon = tendons[str(actuator.tendon)]
            if tendon.path:
                raise InputError(
                    f"actuator '{actuator.name}' drives the spatial tendon '{tendon.name}'; actuator_forces takes joints and "
                    "fixed tendons: use the engine 'mujoco' with controls."
                )
            parts = dict(tendon.joints)
        for joint, coefficient in parts.items():
            along_q[row, model.q_index(joint)] += actuator.gear * coefficient
            along_v[row, model.v_index(joint)] += actuator.gear * coefficient
    return along_q, along_v
