"""State: what moves. A time, a configuration and a velocity, of one world or of many."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.model.model import Model
from carpal.model.parts import real_array
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class State:
    """Where everything is and how fast it moves.

    Args:
        time: [s]; a number, or (*batch).
        q: configurations (*batch, nq), quaternions scalar first.
        v: velocities (*batch, nv) [rad/s, m/s]; of free joints linear, then angular, on the parent's side.
    """

    time: float | Array
    q: Array
    v: Array

    def __post_init__(self) -> None:
        time = real_array(self.time, "time")
        q, v = real_array(self.q, "q"), real_array(self.v, "v")
        if q.ndim == 0 or v.ndim == 0 or q.shape[:-1] != v.shape[:-1] or time.shape not in ((), q.shape[:-1]):
            raise InputError(
                f"a state needs q (*batch, nq), v (*batch, nv) and time () or (*batch); "
                f"got shapes {q.shape}, {v.shape} and {time.shape}."
            )
        object.__setattr__(self, "time", float(time) if time.ndim == 0 else time)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "v", v)

    @staticmethod
    def home(model: Model, *, batch: tuple[int, ...] = (), v: ArrayLike | None = None) -> State:
        """The model at rest at `q_home`, time zero.

        Args:
            model: the robot or the whole scene.
            batch: leading axes for many worlds.
            v: a velocity (nv) to begin with, instead of rest.
        """
        speed = np.zeros(model.nv) if v is None else real_array(v, "v")
        if speed.shape != (model.nv,):
            raise InputError(f"v of model '{model.name}' needs {model.nv} numbers; got shape {speed.shape}.")
        return State(
            0.0,
            np.broadcast_to(np.asarray(model.q_home), (*batch, model.nq)),
            np.broadcast_to(speed, (*batch, model.nv)),
        )

    @property
    def batch(self) -> tuple[int, ...]:
        """Leading axes; () for one world."""
        return self.q.shape[:-1]

    def replace(self, **changes: Any) -> Self:
        """A copy with some of its parts changed; an engine's own kind of state stays one."""
        names = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in names:
                raise unknown_name("part of a State", name, names)
        return dataclasses.replace(self, **changes)

    def __repr__(self) -> str:
        worlds = f", batch {self.batch}" if self.batch else ""
        return f"<State at {self.time} s: nq {self.q.shape[-1]}, nv {self.v.shape[-1]}{worlds}>"
