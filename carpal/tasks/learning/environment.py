"""Gymnasium environments of tasks: one world, or many on a batched engine; the same seed gives the same bits in both.

`gymnasium.make("carpal/Reach-v0")` and `gymnasium.make_vec("carpal/Reach-v0", num_envs=64)` find them once Carpal is installed;
keyword arguments are the task's options. Needs the extra "learning".
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from carpal.errors import DivergedError, InputError
from carpal.model import State
from carpal.spatial import Array
from carpal.tasks.learning.lesson import Lesson
from carpal.tasks.registry import make_task, tasks
from carpal.tasks.task import Task, whole_number

LARGEST = float(np.finfo(np.float64).max)
"""Bound of observations: they have none, and Gymnasium's checker warns of infinite ones."""


def lesson_of(task: str | Task, options: dict[str, Any]) -> Lesson:
    """The lesson of a task given by name with options, or as it is."""
    made = make_task(task, **options) if isinstance(task, str) else task
    made.check_once()
    lesson = made.lesson()
    if lesson is None:
        raise InputError(f"the task '{made.name}' has no environment yet; those with one: {', '.join(learnable())}.")
    return lesson


def learnable() -> tuple[str, ...]:
    """Names of the tasks that have an environment."""
    from carpal.tasks.registry import task_class

    return tuple(name for name in tasks() if task_class(name).lesson is not Task.lesson)


def register_environments() -> None:
    """Register `carpal/<Task>-v0` of every task that has an environment; Gymnasium calls it when it is imported."""
    for name in learnable():
        known = f"carpal/{name.capitalize()}-v0"
        if known not in gymnasium.registry:
            gymnasium.register(
                known, entry_point=f"{__name__}:TaskEnv", vector_entry_point=f"{__name__}:TaskVectorEnv", kwargs={"task": name},
            )  # fmt: skip


class _Worlds:
    """Worlds of a lesson in a row: their states, what was drawn for them, and how far their episodes are."""

    def __init__(self, lesson: Lesson, count: int) -> None:
        self.lesson, self.count = lesson, count
        self.rngs = [np.random.default_rng() for _ in range(count)]
        self.age = np.zeros(count, int)
        state, drawn = lesson.begin(np.random.default_rng(0))
        self.state = State(np.zeros(count), np.tile(state.q, (count, 1)), np.tile(state.v, (count, 1)))
        self.drawn = np.tile(drawn, (count, 1))
        self.size = lesson.observe(self.state, self.drawn).shape[-1]

    def begin(self, which: np.ndarray) -> None:
        """A new episode in the worlds `which`."""
        time, q, v = np.array(self.state.time), self.state.q.copy(), self.state.v.copy()
        for i in np.flatnonzero(which):
            state, self.drawn[i] = self.lesson.begin(self.rngs[i])
            time[i], q[i], v[i] = state.time, state.q, state.v
        self.age[which] = 0
        self.state = State(time, q, v)

    def observe(self) -> Array:
        """(count, size)."""
        return np.asarray(self.lesson.observe(self.state, self.drawn), float)

    def advance(self, action: Array, moving: np.ndarray) -> tuple[Array, np.ndarray, np.ndarray, np.ndarray]:
        """A period of the worlds that move: rewards, whether each diverged, whether it is at its end, whether it succeeded."""
        reward, lost = np.zeros(self.count), np.zeros(self.count, bool)
        action = np.clip(action, -1.0, 1.0)
        rows = np.flatnonzero(moving)
        try:
            self._put(rows, self._after(rows, action))
        except DivergedError:  # the other worlds go on
            for i in rows:
                try:
                    self._put(np.array([i]), self._after(np.array([i]), action))
                except DivergedError:
                    lost[i] = True
        going = moving & ~lost
        at = State(self.state.time, self.state.q, self.state.v)
        reward[going] = self.lesson.reward(at, self.drawn, action)[going]
        self.age[moving] += 1
        done = np.asarray(self.lesson.succeeded(at, self.drawn), bool) & going
        return reward, lost, moving & (self.age >= self.lesson.periods), done

    def _after(self, rows: np.ndarray, action: Array) -> State:
        time = np.asarray(self.state.time)[rows]
        return self.lesson.advance(State(time, self.state.q[rows], self.state.v[rows]), self.drawn[rows], action[rows])

    def _put(self, rows: np.ndarray, after: State) -> None:
        time, q, v = np.array(self.state.time), self.state.q.copy(), self.state.v.copy()
        time[rows], q[rows], v[rows] = after.time, after.q, after.v
        self.state = State(time, q, v)

    def checked(self, action: Any, shape: tuple[int, ...]) -> Array:
        """An action, or one clear sentence."""
        try:
            values = np.asarray(action, float)
        except (TypeError, ValueError):
            values = np.empty(0)
        if values.shape != shape or not np.isfinite(values).all():
            raise InputError(f"an action must be {shape} finite numbers from -1 to 1; got {action!r:.80}.")
        return values


def _space(size: int) -> spaces.Box:
    return spaces.Box(-LARGEST, LARGEST, (size,), np.float64)


class TaskEnv(gymnasium.Env[Array, Array]):
    """One world of a task.

    Args:
        task: a task's name, or a Task.
        render_mode: None; recordings and the viewer show runs of a task.
        options: of the task.

    Example:
        >>> env = gymnasium.make("carpal/Reach-v0", robot="sawyer")
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(self, task: str | Task = "reach", render_mode: str | None = None, **options: Any) -> None:
        if render_mode is not None:
            raise InputError(f"environments are not rendered; got render_mode={render_mode!r}; choices: None.")
        self.lesson = lesson_of(task, options)
        self.worlds = _Worlds(self.lesson, 1)
        self.observation_space = _space(self.worlds.size)
        self.action_space = spaces.Box(-1.0, 1.0, (self.lesson.actions,), np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """A new episode; a seed begins a new series of them."""
        super().reset(seed=seed)
        if seed is not None:
            self.worlds.rngs = [np.random.default_rng(whole_number("seed", seed))]
        self.worlds.begin(np.array([True]))
        return self.worlds.observe()[0], {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """A period: observation, reward, whether it diverged, whether the episode is over, and `is_success`."""
        values = self.worlds.checked(action, self.action_space.shape)
        reward, lost, over, done = self.worlds.advance(values[None], np.array([True]))
        return self.worlds.observe()[0], float(reward[0]), bool(lost[0]), bool(over[0]), {"is_success": bool(done[0])}


class TaskVectorEnv(VectorEnv[Array, Array, Array]):
    """Many worlds of a task on its batched engine; world i is `TaskEnv` with the seed + i.

    Args:
        task: a task's name, or a Task.
        num_envs: number of worlds.
        render_mode: None.
        options: of the task.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, task: str | Task = "reach", num_envs: int = 1, render_mode: str | None = None, **options: Any
    ) -> None:
        if render_mode is not None:
            raise InputError(f"environments are not rendered; got render_mode={render_mode!r}; choices: None.")
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self.lesson = lesson_of(task, options)
        self.worlds = _Worlds(self.lesson, self.num_envs)
        self.single_observation_space = _space(self.worlds.size)
        self.single_action_space = spaces.Box(-1.0, 1.0, (self.lesson.actions,), np.float64)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """New episodes in all worlds."""
        if seed is not None:
            seeds = seed if isinstance(seed, list) else [whole_number("seed", seed) + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise InputError(f"seed needs one number, or {self.num_envs} of them; got {len(seeds)}.")
            for i, one in enumerate(seeds):
                if one is not None:
                    self.worlds.rngs[i] = np.random.default_rng(whole_number("seed", one))
        self._ended[:] = False
        self.worlds.begin(np.ones(self.num_envs, bool))
        return self.worlds.observe(), {}

    def step(self, actions: Array) -> tuple[Array, Array, np.ndarray, np.ndarray, dict[str, Any]]:
        """A period of all worlds; one whose episode was over begins a new one instead (autoreset in the next step)."""
        values = self.worlds.checked(actions, self.action_space.shape or ())
        fresh = self._ended
        reward, lost, over, done = self.worlds.advance(values, ~fresh)
        if fresh.any():
            self.worlds.begin(fresh)
        self._ended = lost | over
        return self.worlds.observe(), reward, lost, over, {"is_success": done, "_is_success": ~fresh}
