"""`record_run`: the loop that advances a state and records it; `simulate`, `run_recorded` and some labs use it.

Each pass asks for the control, writes the row where it is due, then advances. The last moment is always written. After
Ctrl-C or an error the recording holds everything up to then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from carpal.engines.engine import Advance, Engine, Staged
from carpal.engines.moments import Event
from carpal.engines.recording import Recorder, Recording
from carpal.errors import DivergedError, PolicyError, RecordingError
from carpal.model import State
from carpal.spatial import Array

Control = Callable[[State], "Array | Staged"]
Step = Callable[[int, State, Any], Advance]


def recorder_for(
    engine: Engine,
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    part_rows: int = 1000,
    **more: Any,
) -> Recorder:
    """A recorder whose metadata describe the engine.

    Args:
        engine: what moves the state.
        seed, options: written into the metadata.
        out, part_rows: as of `Recorder`.
        more: other entries of the metadata.
    """
    metadata = {
        "seed": seed, "engine": engine.name, "dt": engine.dt, "integrator": engine.integrator,
        "engine_options": engine.options, "options": dict(options or {}), **more,
    }  # fmt: skip
    if names := getattr(engine, "certificate_names", ()):
        metadata["certificate"] = list(names)
    if bounds := getattr(engine, "bounds", {}):
        metadata["bounds"] = dict(bounds)
    if why := getattr(engine, "ledger_incomplete", ""):
        metadata["ledger_incomplete"] = why
    return Recorder(engine.model, metadata, out, part_rows)


def record_run(
    engine: Engine,
    state: State,
    steps: int,
    recorder: Recorder,
    *,
    control: Control | None = None,
    step: Step | None = None,
    stride: int = 1,
    every: int = 1,
    time_at: Callable[[int], float] | None = None,
    events_at: Callable[[int], Iterable[Event]] | None = None,
    stop: Callable[[float, State], bool | str] | None = None,
    tick: Callable[[int], None] | None = None,
) -> Recording:
    """Advance one world by `steps` steps and record it.

    Args:
        engine: its energies and contacts are recorded.
        state: where it starts.
        steps: how many.
        recorder: takes the rows; see `recorder_for`.
        control: `control(state)` gives u (nv), or `Staged` u; zero by default.
        step: `step(k, state, u)` is the state after the next `stride` steps, or fewer at the end; by default `engine.advance`.
        stride: steps of one pass.
        every: steps between two rows; a multiple of `stride`.
        time_at: time [s] after k steps; start + k dt by default.
        events_at: events of the row written after k steps.
        stop: `stop(time, state)`, asked before every pass; True, or a reason, ends the run.
        tick: called with the number of finished steps.

    Raises:
        PolicyError, DivergedError: with `error.recording`, everything up to then.
    """
    run = _Run(engine, state, recorder, time_at, events_at)
    idle = np.zeros(engine.model.nv)
    try:
        for k in range(0, steps, stride):
            why = stop(float(run.state.time), run.state) if stop is not None else False
            if why:
                return run.finish(Event(float(run.state.time), "stopped", why if isinstance(why, str) else ""))
            u = idle if control is None else control(run.state)
            run.u = np.asarray(u.start) if isinstance(u, Staged) else u
            if k % every == 0:
                run.write()
            ahead = engine.advance(run.state, u) if step is None else step(k, run.state, u)
            run.advance(ahead, min(k + stride, steps))
            if tick is not None:
                tick(run.steps)
    except KeyboardInterrupt:
        return run.finish(interrupted=True)
    except RecordingError:
        raise  # the recorder has kept what there is
    except (PolicyError, DivergedError) as error:
        name = "policy error" if isinstance(error, PolicyError) else "diverged"
        error.recording = run.finish(Event(float(run.state.time), name, str(error)), status=str(error), ok=False)
        raise
    except Exception as error:  # raised by the policy: finish the recording, then pass it on
        run.finish(Event(float(run.state.time), "error", repr(error)), status=f"the policy raised {error!r}.", ok=False)
        raise
    return run.finish()


class _Run:
    """The state, the sums of the energy ledger, and which moments are written."""

    def __init__(
        self,
        engine: Engine,
        state: State,
        recorder: Recorder,
        time_at: Callable[[int], float] | None,
        events_at: Callable[[int], Iterable[Event]] | None,
    ) -> None:
        self.engine, self.state, self.recorder = engine, state, recorder
        start = float(state.time)
        # counted, not summed up: a million steps of 1e-3 s end at 1000 s
        self._time_at = time_at or (lambda k: start + k * engine.dt)
        self._events_at = events_at or (lambda k: ())
        self.u = np.zeros(engine.model.nv)
        self.work_in = self.dissipated = 0.0
        self.steps, self.written = 0, -1
        self.certificate: dict[str, float] = {}

    def advance(self, ahead: Advance, steps: int) -> None:
        """Take over the state after so many steps."""
        self.work_in += float(ahead.work_in)
        self.dissipated += float(ahead.dissipated)
        for name, value in (ahead.certificate or {}).items():  # the worst since the last row; NaN is worst
            self.certificate[name] = float(np.maximum(self.certificate.get(name, 0.0), value))
        self.steps = steps
        self.state = ahead.state.replace(time=self._time_at(steps))

    def write(self, *events: Event) -> None:
        """Write the current moment, once unless there are events."""
        if self.written == self.steps and not events:
            return
        state = self.state
        kinetic, potential = self.engine.energies(state)
        ledger = {"kinetic": float(kinetic), "potential": float(potential)}
        ledger |= {"work_in": self.work_in, "dissipated": self.dissipated}
        contacts = self.engine.contacts(state, self.u)
        noted = () if self.written == self.steps else self._events_at(self.steps)
        measure = getattr(self.engine, "row_certificate", None)
        certificate = self.certificate if measure is None else self.certificate | measure(state)
        self.recorder.add(float(state.time), state.q, state.v, self.u, ledger, contacts, (*noted, *events), certificate)
        self.certificate = {}
        self.written = self.steps

    def finish(
        self, *events: Event, ok: bool = True, status: str | None = None, interrupted: bool = False
    ) -> Recording:
        """Write the last moment and the end."""
        self.write(*events)
        return self.recorder.finish(ok=ok, status=status, interrupted=interrupted)
