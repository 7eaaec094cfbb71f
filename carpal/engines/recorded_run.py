"""`run_recorded`: many steps in one compiled call between two recorded moments, for runs without a Python policy.

`simulate` asks a policy at every step; with steps of 20 us most of its time would go into asking. Here the joints are
left alone, and the actuators of a mechanism follow a command that runs evenly from one value to another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from carpal.engines.moments import Event
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.sampling import planned_steps
from carpal.engines.recording import Recorder, Recording
from carpal.engines.rigid.engine import RigidEngine
from carpal.errors import DivergedError, InputError
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
        command: what the actuators of a mechanism want at the start and at the end; it runs evenly from one to the other.
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
    metadata = {
        "seed": 0, "engine": engine.name, "dt": engine.dt, "integrator": engine.integrator,
        "engine_options": engine.options, "options": dict(options or {}),
    }  # fmt: skip
    recorder = Recorder(engine.model, metadata, out, part_rows=100)
    books = {"work_in": 0.0, "dissipated": 0.0}
    start, done = float(state.time), 0
    idle = np.zeros(engine.model.nv)

    def write(*events: Event) -> None:
        kinetic, potential = engine.energies(state)
        ledger = {"kinetic": float(kinetic), "potential": float(potential)} | books
        recorder.add(float(state.time), state.q, state.v, idle, ledger, engine.contacts(state, idle), events)

    write()
    try:
        while done < steps:
            count = min(every, steps - done)
            if isinstance(engine, PenaltyEngine):
                value, rate = _wanted(command, done / steps, steps * engine.dt)
                ahead = engine.run(state, steps=count, command=value, rate=rate)
            else:
                ahead = engine.run(state, idle, count)
            done += count
            state = ahead.state.replace(time=start + done * engine.dt)
            books = {"work_in": books["work_in"] + float(ahead.work_in),
                     "dissipated": books["dissipated"] + float(ahead.dissipated)}  # fmt: skip
            write()
            if tick is not None:
                tick(done / steps)
    except KeyboardInterrupt:
        return recorder.finish(interrupted=True)
    except DivergedError as error:
        write(Event(float(state.time), "diverged", str(error)))
        error.recording = recorder.finish(ok=False, status=str(error))
        raise
    return recorder.finish()


def _wanted(command: tuple[Array, Array] | None, share: float, span: float) -> tuple[Array | None, Array | None]:
    if command is None:
        return None, None
    first, last = (np.asarray(end, float) for end in command)
    return first + share * (last - first), (last - first) / span
