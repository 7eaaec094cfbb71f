"""Tendons and cables between joints: what they are, the kernels' table of them, their tensions and stored energy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from carpal.engines.rigid.kernels.tendons import PRETENSION, STIFFNESS, TENDON_COLUMNS, TENDON_DAMPING
from carpal.errors import InputError, unknown_name
from carpal.model import Model
from carpal.spatial import Array


@dataclass(frozen=True)
class Tendon:
    """A one-sided spring whose length changes with a weighted sum of joint positions; it pulls, and never pushes.

    Args:
        name: for messages and reports.
        joints: joint to coefficient [m/rad, or 1 for slides]: how much the tendon lengthens with the joint.
        stiffness: [N/m].
        damping: [N s/m].
        pretension: tension [N] where the weighted sum is zero.
    """

    name: str
    joints: Mapping[str, float]
    stiffness: float
    damping: float = 0.0
    pretension: float = 0.0

    def __post_init__(self) -> None:
        for what, value in (("stiffness", self.stiffness), ("damping", self.damping)):
            if not (isinstance(value, int | float) and 0 <= value < math.inf):
                raise InputError(
                    f"the {what} of tendon '{self.name}' must be finite, zero or above; got {value!r:.60}."
                )
        if not math.isfinite(self.pretension):
            raise InputError(f"the pretension of tendon '{self.name}' must be finite; got {self.pretension!r:.60}.")


def tendon_table(model: Model, tendons: Sequence[Tendon], prescribed: Sequence[str] = ()) -> Array:
    """The kernels' table (tendons, nq + nv + 3)."""
    table = np.zeros((len(tendons), model.nq + model.nv + TENDON_COLUMNS))
    kinds = {body.joint.name: body.joint.kind for body in model.bodies}
    for row, tendon in zip(table, tendons, strict=True):
        for joint, coefficient in tendon.joints.items():
            if joint not in model.joint_names:
                raise unknown_name(f"moving joint of model '{model.name}'", joint, model.joint_names)
            if kinds[joint] not in ("revolute", "prismatic") or joint in prescribed:
                what = "prescribed" if joint in prescribed else kinds[joint]
                raise InputError(
                    f"tendon '{tendon.name}' runs over joint '{joint}', which is {what}; tendons need "
                    "revolute or prismatic joints that are driven by forces."
                )
            if not math.isfinite(coefficient):
                raise InputError(f"the coefficient of '{joint}' in tendon '{tendon.name}' is {coefficient}.")
            row[model.q_index(joint)] = row[model.nq + model.v_index(joint)] = coefficient
        last = row[model.nq + model.nv :]
        last[STIFFNESS], last[TENDON_DAMPING], last[PRETENSION] = tendon.stiffness, tendon.damping, tendon.pretension
    return table


def tensions(model: Model, table: Array, q: Array, v: Array) -> Array:
    """Tension (*batch, tendons) [N] of every tendon; zero where it is slack."""
    nq, last = model.nq, table[:, model.nq + model.nv :]
    elastic = np.maximum(0.0, last[:, PRETENSION] + last[:, STIFFNESS] * _along(table[:, :nq], q))
    damper = last[:, TENDON_DAMPING] * _along(table[:, nq : nq + model.nv], v)
    return np.where(elastic > 0, np.maximum(0.0, elastic + damper), 0.0)


def tendon_energy(model: Model, table: Array, q: Array) -> Array:
    """Energy (*batch) [J] stored in all tendons: the square of the elastic tension over twice the stiffness."""
    last = table[:, model.nq + model.nv :]
    k = last[:, STIFFNESS]
    s = _along(table[:, : model.nq], q)
    elastic = np.maximum(0.0, last[:, PRETENSION] + k * s)
    stiff = np.where(k > 0, elastic**2 / (2 * np.where(k > 0, k, 1.0)), last[:, PRETENSION].clip(0) * s)
    return np.asarray(stiff.sum(axis=-1))


def _along(coefficients: Array, values: Array) -> Array:
    """Weighted sums (*batch, tendons); a matrix product's last digits would depend on the batch."""
    return np.asarray((coefficients * values[..., None, :]).sum(axis=-1))
