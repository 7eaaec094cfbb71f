"""`run_recorded`: many steps in one compiled call between two recorded moments, for runs without a Python policy.

`simulate` calls a policy at every step; with steps of 20 us most of its time would go into these calls. Here the joints are
not driven, and the actuators of a mechanism follow a command that changes linearly from one value to another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from carpal.engines.engine import Advance
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.sampling import planned_steps
from carpal.engines.record_loop import record_run, recorder_for
from carpal.engines.recording import Recording
from carpal.engines.rigid.engine import RigidEngine
from carpal.errors import InputError
from carpal.model import State
from carpal.spatial import Array


def run_recorded(
    engine: PenaltyEngine | RigidEngine,
    state: State,
    duration: float,
    *,
    rows: int = 500,
    command: tuple[Array, Array] | None = None,
    out: str | os.PathLike[str] | None = None,
    options: Mapping[str, Any] | None = None,
    tick: Callable[[float], None] | None = None,
) -> Recording:
    """Run one world without a policy and record it.

    Args:
        engine: with many steps in one call.
        state: where it starts; one world.
        duration: [s], rounded up to whole steps.
        rows: about so many moments are recorded, evenly, the first and the last among them.
        command: of the actuators of a mechanism at the start and at the end; linear in between.
        out: a folder for the recording's parts while it runs; what is in it survives any crash.
        options: settings to write into the recording.
        tick: called with the finished share.

    Returns:
        The recording; after Ctrl-C everything up to then, with `interrupted` True.

    Raises:
        DivergedError: with `error.recording`, everything up to then.
    """
    if not isinstance(engine, PenaltyEngine | RigidEngine):
        raise InputError(
            f"run_recorded() moves penalty and rigid engines; got {type(engine).__name__}; see simulate()."
        )
    steps, every = planned_steps(engine.dt, duration, max(2, rows))

    def advance(k: int, now: State, u: Array) -> Advance:
        count = min(every, steps - k)
        if isinstance(engine, PenaltyEngine):
            value, rate = _command_at(command, k / steps, steps * engine.dt)
            return engine.run(now, steps=count, command=value, rate=rate)
        return engine.run(now, u, count)

    return record_run(
        engine, state, steps, recorder_for(engine, options=options, out=out, part_rows=100), step=advance, stride=every,
        every=every, tick=None if tick is None else lambda done: tick(done / steps),
    )  # fmt: skip


def _command_at(command: tuple[Array, Array] | None, share: float, span: float) -> tuple[Array | None, Array | None]:
    if command is None:
        return None, None
    first, last = (np.asarray(end, float) for end in command)
    return first + share * (last - first), (last - first) / span
