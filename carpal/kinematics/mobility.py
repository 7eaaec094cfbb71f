"""How many freedoms a robot has for a task: the cases n, n', m of Prabhu (2018), section 3.1.2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.errors import unknown_name
from carpal.kinematics.configuration import random_configurations
from carpal.kinematics.constraints import reduced_jacobian
from carpal.model import Model, need_model
from carpal.spatial import Array

TASKS = {"pose": 6, "pointing": 5, "position": 3}


@dataclass(frozen=True)
class Redundancy(Result):
    """Freedoms of the joints (n), of the tool (n'), asked by the task (m), and available to it.

    Args:
        n: freedoms of the joints that move the frame; of the independent ones where couplings or loops tie some.
        tool: n', independent directions in which the frame moves at an ordinary configuration.
        task: m, what the task asks for.
        available: how many of those m the robot can give.
        case: 1 to 4 of Prabhu, 0 where n > n' > m or n > n' < m, which it leaves out.
        status: one sentence.
    """

    n: int
    tool: int
    task: int
    available: int
    case: int
    status: str

    @property
    def ok(self) -> bool:
        """Whether the robot can do the task at ordinary configurations."""
        return self.available == self.task

    @property
    def spare(self) -> int:
        """Freedoms left over while the task is held."""
        return self.n - self.available


def redundancy(model: Model, task: str = "pose", frame: str | None = None) -> Redundancy:
    """Redundancy of a robot for a task, as one of Prabhu's cases.

    Args:
        model: the robot.
        task: "pose" (m = 6), "pointing" (position and the direction of `model.tool_axis`, m = 5) or "position" (m = 3).
        frame: a name from `model.frames`; None is the tool.
    """
    need_model(model, "redundancy")
    if task not in TASKS:
        raise unknown_name("task", task, TASKS)
    m = TASKS[task]
    J = reduced_jacobian(model, random_configurations(model, 8, seed=1), frame)
    moving = np.abs(J).max(axis=(0, 1)) > 0
    n = int(moving.sum())
    tool = _rank(J)
    R = _tool_rotations(model, frame)
    available = _rank(_task_rows(J, task, R @ model.tool_axis))
    case = {(0, 0): 1, (0, -1): 2, (0, 1): 3, (1, 0): 4}.get((int(n > tool), int(np.sign(m - tool))), 0)
    words = {
        1: f"not redundant: n = n' = m = {m}",
        2: f"redundant: n = n' = {n} > m = {m}",
        3: f"not able to do this task: n = n' = {n} < m = {m}",
        4: f"redundant: n = {n} > n' = m = {m}",
        0: f"{'redundant' if available == m else 'not able to do this task'}: n = {n}, n' = {tool}, m = {m}",
    }[case]
    if case != 3 and available < m:
        words = f"not able to do this task: it asks for {m} freedoms and gets {available} (n = {n}, n' = {tool})"
    return Redundancy(
        n,
        tool,
        m,
        available,
        case,
        f"{model.name} is {words}, {n - available} freedom{'s' if n - available != 1 else ''} spare.",
    )


def _rank(J: Array) -> int:
    return int(np.linalg.matrix_rank(J, tol=1e-8).max())


def _tool_rotations(model: Model, frame: str | None) -> Array:
    from carpal.kinematics.forward import fk

    return fk(model, random_configurations(model, 8, seed=1), frame)[:, :3, :3]


def _task_rows(J: Array, task: str, direction: Array) -> Array:
    if task == "position":
        return J[:, :3]
    if task == "pose":
        return J
    across = np.eye(3) - direction[:, :, None] * direction[:, None, :]
    return np.concatenate([J[:, :3], across @ J[:, 3:]], axis=1)
