"""Runs of the penalty engine that keep evenly spaced moments: for the set-up aids."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carpal.engines.penalty.engine import PenaltyEngine
from carpal.errors import InputError
from carpal.model import Mechanism, State
from carpal.spatial import Array

Tick = Callable[[float], None]


class Samples(NamedTuple):
    """Moments of a run: time (rows) [s] and q (rows, *batch, nq)."""

    time: Array
    q: Array


def sampled_run(
    engine: PenaltyEngine,
    state: State,
    duration: float,
    *,
    samples: int = 200,
    command: Any = None,
    tick: Tick | None = None,
) -> Samples:
    """Run under a constant command and keep about `samples` evenly spaced moments, the first and the last among them.

    Args:
        engine, state: what moves, from where; one world or many.
        duration: [s], rounded up to whole steps.
        samples: moments to keep.
        command: (*batch, n) that the actuators follow.
        tick: called with the share that is done, now and then.
    """
    steps, every = planned_steps(engine.dt, duration, samples)
    kept, times, done = [state.q], [float(np.max(state.time))], 0
    while done < steps:
        count = min(every, steps - done)
        state = engine.run(state, steps=count, command=command).state
        done += count
        kept.append(state.q)
        times.append(times[0] + done * engine.dt)
        if tick is not None:
            tick(done / steps)
    return Samples(np.array(times), np.stack(kept))


def planned_steps(dt: float, duration: float, samples: int) -> tuple[int, int]:
    """Whole steps of a run, and how many of them between two moments that are kept."""
    if isinstance(duration, bool) or not isinstance(duration, int | float | np.number) or not 0 < duration < math.inf:
        raise InputError(f"duration must be a finite time above zero [s]; got {duration!r:.40}.")
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise InputError(f"samples must be a whole number, 2 or above; got {samples!r:.40}.")
    steps = math.ceil(float(duration) / dt * (1 - 1e-12) - 1e-9)
    return steps, max(1, steps // samples)


def remade(engine: PenaltyEngine, mechanism: Mechanism, dt: float | None = None) -> PenaltyEngine:
    """The same engine for another mechanism or step."""
    return PenaltyEngine(
        mechanism, dt=engine.dt if dt is None else dt, contact=engine.contact, device=engine.device, threads=engine.threads
    )  # fmt: skip


def without_drives(mechanism: Mechanism) -> Mechanism:
    """Without the actuators that follow a command; those with a constant target are springs and stay."""
    left = tuple(part for part in mechanism.actuators if part.command is None)
    return dataclasses.replace(mechanism, actuators=left)


def driven_actuators(mechanism: Mechanism, purpose: str) -> list[int]:
    """Places of the actuators that follow a command, all of them with gains; else one clear sentence."""
    found = [k for k, part in enumerate(mechanism.actuators) if part.command is not None]
    weak = [mechanism.actuators[k].name for k in found if mechanism.actuators[k].P == 0]
    if not found:
        raise InputError(f"mechanism '{mechanism.name}' has no actuator that follows a command, so {purpose}.")
    if weak:
        raise InputError(
            f"actuator '{weak[0]}' of mechanism '{mechanism.name}' has P = 0, so {purpose}; see tune(), or --sag."
        )
    return found


def command_of(mechanism: Mechanism, values: Array) -> Array:
    """The command vector (*batch, n) that asks every actuator for its value (*batch, actuators)."""
    out = np.zeros((*values.shape[:-1], mechanism.commands))
    for k, part in enumerate(mechanism.actuators):
        if part.command is not None:
            out[..., part.command] = values[..., k]
    return out
