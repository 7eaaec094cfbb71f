"""Energy that springs, fixed tendons and compensated weight store; and what of a model the modal engine leaves out."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np

from carpal.dynamics import potential_energy
from carpal.engines.modal.constraint_tables import acts, fixed_tendons
from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array, Inertia

SCALAR = ("revolute", "prismatic")


class StoredEnergy:
    """Potential energy beside the weight of a model.

    Args:
        model: with springs, tendons or compensated weight, or without any.
    """

    def __init__(self, model: Model) -> None:
        joints = [body.joint for body in model.bodies]
        at = {joint.name: model.q_index(joint.name) for joint in joints if joint.kind in SCALAR}
        lines: list[tuple[dict[str, float], float, tuple[float, float]]] = [
            ({joint.name: 1.0}, joint.stiffness, (joint.q_spring, joint.q_spring))
            for joint in joints
            if joint.kind in SCALAR and joint.stiffness
        ]
        lines += [(dict(t.joints), t.stiffness, t.rest) for t in fixed_tendons(model) if t.stiffness]
        self._coefficients = np.zeros((len(lines), model.nq))
        for row, (named, _, _) in zip(self._coefficients, lines, strict=True):
            for joint, coefficient in named.items():
                row[at[joint]] = coefficient
        self._stiffness = np.array([stiffness for _, stiffness, _ in lines])
        self._rest = np.array([rest for _, _, rest in lines]).reshape(-1, 2)
        self._lifted = _lifted(model)

    def __call__(self, q: Array) -> Array | float:
        """The energy (*batch) [J] at configurations (*batch, nq)."""
        energy: Array | float = 0.0
        if len(self._stiffness):
            length = (self._coefficients * np.asarray(q, float)[..., None, :]).sum(axis=-1)
            beyond = length - np.clip(length, self._rest[:, 0], self._rest[:, 1])
            energy = (0.5 * self._stiffness * beyond**2).sum(axis=-1)
        if self._lifted is not None:
            energy = energy - potential_energy(self._lifted, q)
        return energy


def _lifted(model: Model) -> Model | None:
    """The masses that gravity compensation carries, as a model; None where there are none."""
    if not any(body.gravity_compensation for body in model.bodies):
        return None
    bodies = []
    for body in model.bodies:
        inertia, share = body.inertia, body.gravity_compensation
        if not 0 <= share < np.inf:
            raise InputError(f"gravity_compensation of body '{body.name}' must be finite, zero or above; got {share}.")
        if inertia is not None:
            inertia = Inertia(share * inertia.mass, inertia.com, share * inertia.about_com)
        bodies.append(dataclasses.replace(body, inertia=inertia))
    return model.replace(bodies=tuple(bodies), couplings=(), loops=())


def warn_of_what_is_left_out(model: Model) -> None:
    """One `UserWarning` that names what acts in the model and not in the modal engine."""
    left = [
        f"the spring of {body.joint.kind} joint '{body.joint.name}'"
        for body in model.bodies
        if body.joint.stiffness and body.joint.kind not in (*SCALAR, "fixed")
    ]
    left += [f"the spatial tendon '{tendon.name}'" for tendon in model.tendons if tendon.path and acts(tendon)]
    if left:
        warnings.warn(f"the modal engine leaves out of model '{model.name}': {', '.join(left)}.", stacklevel=3)
