"""Lesson: what a task lets a policy see and do, and how it is rewarded; the same for one world and for many."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from carpal.errors import InputError

if TYPE_CHECKING:
    from carpal.engines import Engine
    from carpal.model import State
    from carpal.spatial import Array


class Lesson(abc.ABC):
    """A task as a Markov decision process over periods; every method takes one world or a batch of them.

    Actions are numbers from -1 to 1; what they stand for, what is observed and what is rewarded each lesson says in its own
    docstring.
    """

    observed: ClassVar[tuple[str, ...]] = ()
    """What an observation consists of, in its order."""

    engine: Engine
    """That moves the worlds."""

    actions: int
    """Number of an action's components."""

    steps: int
    """The engine's steps in a period, over which an action is held."""

    duration: float
    """Length of an episode [s]."""

    @property
    def period(self) -> float:
        """Length of a period [s]."""
        return self.steps * self.engine.dt

    @property
    def periods(self) -> int:
        """Of an episode."""
        return max(1, round(self.duration / self.period))

    @abc.abstractmethod
    def begin(self, rng: np.random.Generator) -> tuple[State, Array]:
        """The state of one world at the start of an episode, and what else is drawn for it (n): a goal, masses, ..."""

    @abc.abstractmethod
    def observe(self, state: State, drawn: Array) -> Array:
        """Observations (*batch, n)."""

    @abc.abstractmethod
    def controls(self, state: State, drawn: Array, action: Array) -> Array:
        """What the engine gets for an action (*batch, actions): u (*batch, nv), held for a period."""

    @abc.abstractmethod
    def reward(self, state: State, drawn: Array, action: Array) -> Array:
        """Rewards (*batch) of the period that ended in a state."""

    @abc.abstractmethod
    def succeeded(self, state: State, drawn: Array) -> Array:
        """Whether each world (*batch) is where the task wants it."""

    def advance(self, state: State, drawn: Array, action: Array) -> State:
        """The state a period later."""
        run = getattr(self.engine, "run", None)
        if run is None:
            raise InputError(f"environments need an engine that runs batches; '{self.engine.name}' does not.")
        after: State = run(state, self.controls(state, drawn, action), self.steps).state
        return after


def checked_steps(period: float, dt: float) -> int:
    """The engine's steps in a period [s], a whole number above zero."""
    steps = round(period / dt)
    if steps < 1 or abs(steps * dt - period) > 1e-9 * period:
        raise InputError(f"a period must be a multiple of the engine's step {dt:g} s; got {period:g} s.")
    return steps
