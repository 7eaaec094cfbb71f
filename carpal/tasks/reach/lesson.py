"""reach as a lesson: joint speeds bring the tool to a point that changes with every episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.dynamics import inverse_dynamics
from carpal.kinematics import fk
from carpal.tasks.learning.lesson import Lesson, checked_steps

if TYPE_CHECKING:
    from carpal.model import State
    from carpal.spatial import Array
    from carpal.tasks.reach.task import Reach

PERIOD = 0.02
"""[s] between actions."""
SPEED = 1.0
"""Of a joint at an action of 1 [rad/s, m/s], if its limit is not lower."""
SPAN = 0.35
"""A drawn goal is where the tool is with every joint at most this far from home [rad, m], and inside its limits."""
NEAR = 0.02
"""A tool this near [m] has succeeded."""


class ReachLesson(Lesson):
    """Speeds of the joints bring the tool to a point.

    Observation: q (nq), v (nv), and from the tool to the goal (3) [m]. Action: speed of each joint over the smaller of its limit
    and 1 rad/s (m/s); torques follow by inverse dynamics, within the joints' largest efforts. Reward of a period: minus the
    tool's distance to the goal [m], minus 0.001 times the action's mean square. Success: within 2 cm of the goal.
    """

    observed = ("q", "v", "goal_from_tool")

    def __init__(self, task: Reach) -> None:
        self.task, self.model, self.engine = task, task.model, task.engine()
        self.duration, self.steps = task.duration, checked_steps(PERIOD, task.options.dt)
        self.actions = self.model.nv
        self._speed = np.minimum(self.model.v_max, SPEED)

    def begin(self, rng: np.random.Generator) -> tuple[State, Array]:
        """The arm near home; the goal is the task's own target, or drawn where it has none."""
        model = self.model
        state = self.task.reset(rng)
        if self.task.options.target:
            return state, np.array(self.task.target)
        home = np.asarray(model.q_home)
        q = rng.uniform(np.maximum(home - SPAN, model.q_min), np.minimum(home + SPAN, model.q_max))
        return state, fk(model, q)[:3, 3]

    def observe(self, state: State, drawn: Array) -> Array:
        """(*batch, nq + nv + 3)."""
        return np.concatenate([state.q, state.v, drawn - self._tool(state)], axis=-1)

    def controls(self, state: State, drawn: Array, action: Array) -> Array:
        """Torques that bring the joints to the asked speeds within two periods."""
        vdot = (action * self._speed - state.v) / (2.0 * self.period)
        u: Any = inverse_dynamics(self.model, state.q, state.v, vdot)
        return np.clip(u, -self.model.tau_max, self.model.tau_max)

    def reward(self, state: State, drawn: Array, action: Array) -> Array:
        """Minus the distance [m], and a little for each action."""
        return -np.linalg.norm(drawn - self._tool(state), axis=-1) - 1e-3 * np.mean(np.square(action), axis=-1)

    def succeeded(self, state: State, drawn: Array) -> Array:
        """Within `NEAR` of the goal."""
        return np.asarray(np.linalg.norm(drawn - self._tool(state), axis=-1) < NEAR)

    def _tool(self, state: State) -> Array:
        X: Array = fk(self.model, state.q)
        return X[..., :3, 3]
