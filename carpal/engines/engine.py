"""Engine: the protocol of every engine, and what they share: checks of arguments and the error of a diverged step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines.recording import Contact
from carpal.errors import DivergedError, InputError
from carpal.model import NV, Model, State
from carpal.spatial import Array

LARGEST_TURN = math.pi
"""A joint that turns further in one step [rad] is not resolved by it."""
LARGEST_TRAVEL = 100.0
"""The same for a slide or a free body's position [m]."""


class Advance(NamedTuple):
    """A step's end, and its share of the energy ledger.

    Args:
        state: after the step.
        work_in: energy (*batch) [J] that the drives of actuated and prescribed joints put in.
        dissipated: energy (*batch) [J] that damping, friction and contacts took out.
        certificate: residuals that prove the step, by name, of one world; None where the engine gives none.
    """

    state: State
    work_in: Array
    dissipated: Array
    certificate: Mapping[str, float] | None = None


class Staged(NamedTuple):
    """Controls that change within a step: u (*batch, nv) at its start, its middle and its end.

    An integrator with these stages ("rk4" of the rigid engine) sees a force that is known ahead of time, such as a
    feed-forward, with its own order; held controls would cost it all but the first.
    """

    start: ArrayLike
    middle: ArrayLike
    end: ArrayLike


class Engine(Protocol):
    """What `simulate` needs. Controls u (*batch, nv) are generalised forces [N m, N], held for one step."""

    @property
    def name(self) -> str:
        """Short name, written into recordings."""

    @property
    def model(self) -> Model:
        """What moves."""

    @property
    def dt(self) -> float:
        """Length of a step [s]."""

    @property
    def integrator(self) -> str:
        """How a step is taken."""

    @property
    def options(self) -> dict[str, Any]:
        """Its other settings as plain data, written into recordings."""

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state after one step."""

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the energy ledger."""

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy (*batch) [J]."""

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches in one world; empty for engines without contact."""


def checked_dt(dt: float) -> float:
    """A step's length [s] as a float, checked."""
    if isinstance(dt, bool) or not isinstance(dt, int | float | np.number) or not 0 < dt < math.inf:
        raise InputError(f"dt must be a finite time above zero [s]; got {dt!r:.60}.")
    return float(dt)


def dof_labels(model: Model) -> list[tuple[str, bool]]:
    """(joint, whether it turns) of every component of v."""
    out: list[tuple[str, bool]] = []
    for (kind, _), joint in zip(model.joint_slices(), model.joint_names, strict=True):
        sliding = {"prismatic": 1, "free": 3}.get(kind, 0)
        out += [(joint, k >= sliding) for k in range(NV[kind])]
    return out


def fastest(model: Model, dt: float) -> Array:
    """Largest speed (nv) [rad/s, m/s] that a step of length dt resolves."""
    return np.array([(LARGEST_TURN if turns else LARGEST_TRAVEL) / dt for _, turns in dof_labels(model)])


def diverged(model: Model, time: float, dt: float, v: Array, world: tuple[int, ...] = ()) -> DivergedError:
    """The error of a diverged step: when, which joint, and what to try.

    Args:
        model: whose joints.
        time: at the start of the step that went wrong [s].
        dt: its length [s].
        v: velocities (nv) after it.
        world: batch index of the world, where there are many.
    """
    with np.errstate(all="ignore"):
        share = np.abs(v) / fastest(model, dt)
    worst = int(np.argmax(np.where(np.isnan(share), np.inf, share)))
    joint, turns = dof_labels(model)[worst]
    where = f" in world {world}" if world else ""
    speed = f"{v[worst]:.3g} {'rad/s' if turns else 'm/s'}"
    return DivergedError(
        f"the step at t = {time:.9g} s{where} diverged at joint '{joint}', whose speed became {speed}; "
        f"dt = {dt:g} s is too long for these forces: try dt = {dt / 10:g} s, or weaker gains."
    )
