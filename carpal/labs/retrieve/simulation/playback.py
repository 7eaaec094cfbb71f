"""Playback engine: steps through the recorded rows of a pick-up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import Advance, Contact, Staged
from carpal.labs.retrieve.simulation.true_scene import ARM, OPENING
from carpal.model import Model, State
from carpal.spatial import Array

ROW = 0.25
"""Time between the rows of a recording [s]."""


class Playback:
    """Plays rows in time; nothing is pushed, so there is neither energy nor contact.

    Args:
        model: whose coordinates the rows are.
        time: (n) rising from 0 [s].
        q: (n, 13).
        dt: length of a step [s].
    """

    name = "playback"
    integrator = "none"

    def __init__(self, model: Model, time: Array, q: Array, dt: float = ROW) -> None:
        self.model, self.dt = model, dt
        self._time, self._q = time, q
        self.options: dict[str, Any] = {}

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self._time[-1])

    def at(self, time: float) -> State:
        """The state at a time: the row before it, the joints in between."""
        t = min(max(time, 0.0), self.duration)
        row = int(np.clip(np.searchsorted(self._time, t, side="right") - 1, 0, len(self._time) - 1))
        after = min(row + 1, len(self._time) - 1)
        span = self._time[after] - self._time[row]
        share = (t - self._time[row]) / span if span > 0 else 0.0
        q, v = self._q[row].copy(), np.zeros(self.model.nv)
        step = self._q[after] - self._q[row]
        q[:6] += share * step[:6]
        if span > 0:
            v[ARM], v[OPENING] = step[ARM] / span, step[OPENING] / span
        return State(time, q, v)

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state one step later."""
        return self.at(float(state.time) + self.dt)

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """The same with an empty ledger."""
        return Advance(self.step(state, u), np.zeros(()), np.zeros(()))

    def energies(self, state: State) -> tuple[Array, Array]:
        """None are known."""
        return np.zeros(()), np.zeros(())

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """None."""
        return []
