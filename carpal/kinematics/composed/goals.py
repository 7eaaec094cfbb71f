"""Goals of a problem's targets as the kernels read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import real_array
from carpal.errors import InputError
from carpal.kinematics.composed.kernels.target_rows import GOAL_COLUMNS
from carpal.kinematics.composed.packed import Packed
from carpal.kinematics.composed.targets import PoseTarget, label_of, need_goal_names
from carpal.kinematics.inverse.ik_target import check_target, read_target
from carpal.kinematics.tied_chain import satisfied_home
from carpal.model import Model
from carpal.spatial import Array


class Goals:
    """The goals that targets were made with, and those of a call in their place.

    Args:
        model: the robot.
        packed: its targets in the kernels' order.
    """

    def __init__(self, model: Model, packed: Packed) -> None:
        self.model = model
        self.targets = {label_of(model, target): target for target in packed.targets}
        self.known = {
            name: target.goal_numbers(goal)
            for name, target in self.targets.items()
            if (goal := getattr(target, "goal", None)) is not None
        }
        posture = packed.posture
        self.posture_name = None if posture is None else posture.label
        self.home = satisfied_home(model) if model.is_constrained else np.array(model.q_home)
        self.posture = self.home if posture is None or posture.goal is None else self.posture_numbers(posture.goal)
        self.names = (*self.targets, *(() if posture is None else (posture.label,)))

    def rows(self, goals: Mapping[str, ArrayLike] | None) -> tuple[Array, Array]:
        """Goals (*batch, targets, 12) and postures (*batch, nq)."""
        known, posture = self.known, self.posture
        if goals is not None:
            need_goal_names(self.names, goals)
            known = known | {
                name: self.targets[name].goal_numbers(goal) for name, goal in goals.items() if name in self.targets
            }
            if self.posture_name is not None and self.posture_name in goals:
                posture = self.posture_numbers(goals[self.posture_name])
        if len(known) < len(self.targets):
            missing = [name for name in self.targets if name not in known]
            raise InputError(
                f"no goal is known for {', '.join(missing)}; give it to the target or in goals, by one of these names: "
                f"{', '.join(self.names)}."
            )
        rows = [known[name] for name in self.targets]
        if all(row.ndim == 1 for row in rows):
            return np.array(rows), posture
        try:
            batch = np.broadcast_shapes(*(row.shape[:-1] for row in rows))
        except ValueError:
            shapes = ", ".join(f"{name} {row.shape[:-1]}" for name, row in zip(self.targets, rows, strict=True))
            raise InputError(f"these batch shapes of goals do not fit together: {shapes}.") from None
        return np.stack([np.broadcast_to(row, (*batch, GOAL_COLUMNS)) for row in rows], axis=-2), posture

    def posture_numbers(self, goal: Any) -> Array:
        """(*batch, nq) finite numbers."""
        array = real_array("the goal of the posture", goal)
        if array.ndim < 1 or array.shape[-1] != self.model.nq or not np.isfinite(array).all():
            raise InputError(f"the goal of the posture needs {self.model.nq} finite numbers; got shape {array.shape}.")
        return array.astype(float)

    def explain(self, numbers: Array) -> None:
        """One clear sentence where goals are why a kernel refused."""
        for i, (name, target) in enumerate(self.targets.items()):
            row = numbers[..., i, :]
            checked: Any = row[..., :3] + row[..., 9:]  # a direction or a place
            if isinstance(target, PoseTarget):
                checked = np.zeros((*row.shape[:-1], 4, 4))
                checked[..., :3, :3] = row[..., :9].reshape(*row.shape[:-1], 3, 3)
                checked[..., :3, 3], checked[..., 3, 3] = row[..., 9:], 1.0
            try:
                check_target(read_target(checked))
            except InputError as problem:
                raise InputError(f"the goal of '{name}' cannot be used: {problem}") from None
