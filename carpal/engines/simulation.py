"""`simulate`: an engine, a state, a policy, a duration, and the recording of what happened.

This is the convenient path: the policy is any Python callable, asked once a step. Batches and campaigns use a task's own
compiled run loop, which calls the same kernels; a test holds both to the same result.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time as clock
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines.engine import Engine, Staged
from carpal.engines.recording import Event, Recorder, Recording
from carpal.errors import DivergedError, InputError, PolicyError, RecordingError
from carpal.model import State
from carpal.spatial import Array

Policy = Callable[[float, State], ArrayLike | Staged]
Stop = Callable[[float, State], bool | str]
PATIENCE = 2.0
"""Runs shorter than this [s] show no progress bar."""


def simulate(
    engine: Engine,
    state: State,
    policy: Policy | None = None,
    duration: float = 1.0,
    *,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    every: int = 1,
    options: Mapping[str, Any] | None = None,
    progress: bool = False,
    stop: Stop | None = None,
) -> Recording:
    """Run one world and record it.

    Args:
        engine: what moves the state, and how long a step is.
        state: where it starts; one world (many at once: `engine.step`, or a task's compiled loop).
        policy: `policy(time, state) -> u` (nv), or `Staged` u, asked at the start of every step; None leaves every joint
            without drive.
        duration: [s]; rounded up to whole steps.
        seed: written into the recording; nothing here is random.
        out: a folder for the recording's parts while it runs; what is in it survives any crash.
        every: record every so many steps; the first and the last moment are always recorded.
        options: settings to write into the recording.
        progress: show a bar on stderr when the run takes over two seconds.
        stop: `stop(time, state)`, asked before every step; True, or a sentence that says why, ends the run.

    Returns:
        The recording. Its rows hold the control that follows each moment; the last row repeats the last control. After
        Ctrl-C it holds everything up to then and `interrupted` is True.

    Raises:
        PolicyError: the policy returned something that is no control.
        DivergedError: a step left the numbers that mean anything.

        Both carry `error.recording`, everything up to then, which is also in `out`.
    """
    steps, state = _checked(engine, state, duration, every)
    metadata = {
        "seed": seed,
        "engine": engine.name,
        "dt": engine.dt,
        "integrator": engine.integrator,
        "engine_options": engine.options,
        "options": dict(options or {}),
    }
    if names := getattr(engine, "certificate_names", ()):
        metadata["certificate"] = list(names)
    run = _Run(engine, state, Recorder(engine.model, metadata, out), every)
    try:
        with _bar(steps if progress else 0) as tick:
            for k in range(steps):
                why = stop(float(run.state.time), run.state) if stop is not None else False
                if why:
                    return run.finish(Event(float(run.state.time), "stopped", why if isinstance(why, str) else ""))
                run.step(k, _control(engine, policy, run.state))
                tick()
    except KeyboardInterrupt:
        return run.finish(interrupted=True)
    except RecordingError:
        raise  # the recorder has kept what there is
    except (PolicyError, DivergedError) as error:
        name = "policy error" if isinstance(error, PolicyError) else "diverged"
        error.recording = run.finish(Event(float(run.state.time), name, str(error)), status=str(error), ok=False)
        raise
    except Exception as error:  # the policy's own trouble: keep the record, then let it be seen
        run.finish(Event(float(run.state.time), "error", repr(error)), status=f"the policy raised {error!r}.", ok=False)
        raise
    return run.finish()


class _Run:
    """The loop's moving parts: the state, the ledger's running sums, and which moments are written."""

    def __init__(self, engine: Engine, state: State, recorder: Recorder, every: int) -> None:
        self.engine, self.state, self.recorder, self.every = engine, state, recorder, every
        self.start = float(state.time)
        self.u = np.zeros(engine.model.nv)
        self.work_in = self.dissipated = 0.0
        self.steps, self.written = 0, -1
        self.certificate: dict[str, float] = {}

    def step(self, k: int, u: Array | Staged) -> None:
        """Write the moment where it is due, then move on."""
        self.u = np.asarray(u.start) if isinstance(u, Staged) else u
        if k % self.every == 0:
            self._write(())
        ahead = self.engine.advance(self.state, u)
        self.work_in += float(ahead.work_in)
        self.dissipated += float(ahead.dissipated)
        for name, value in (ahead.certificate or {}).items():  # the worst since the last row; NaN is worst
            self.certificate[name] = float(np.maximum(self.certificate.get(name, 0.0), value))
        self.steps = k + 1
        # counted, not summed up: a million steps of 1e-3 s end at 1000 s
        self.state = ahead.state.replace(time=self.start + self.steps * self.engine.dt)

    def _write(self, events: tuple[Event, ...]) -> None:
        if self.written == self.steps and not events:
            return
        state = self.state
        kinetic, potential = self.engine.energies(state)
        ledger = {"kinetic": float(kinetic), "potential": float(potential)}
        ledger |= {"work_in": self.work_in, "dissipated": self.dissipated}
        contacts = self.engine.contacts(state, self.u)
        self.recorder.add(float(state.time), state.q, state.v, self.u, ledger, contacts, events, self.certificate)
        self.certificate = {}
        self.written = self.steps

    def finish(
        self, *events: Event, ok: bool = True, status: str | None = None, interrupted: bool = False
    ) -> Recording:
        """Write the last moment and the end."""
        if self.written != self.steps or events:
            self._write(events)
        return self.recorder.finish(ok=ok, status=status, interrupted=interrupted)


def _checked(engine: Engine, state: State, duration: float, every: int) -> tuple[int, State]:
    model = engine.model
    if state.q.shape != (model.nq,) or state.v.shape != (model.nv,):
        raise InputError(
            f"simulate() records one world of model '{model.name}', q ({model.nq},) and v ({model.nv},); got q "
            f"{state.q.shape} and v {state.v.shape}. Many worlds at once: engine.step()."
        )
    if not (np.isfinite(state.q).all() and np.isfinite(state.v).all() and math.isfinite(float(state.time))):
        raise InputError("the state to start from must be finite.")
    if isinstance(duration, bool) or not isinstance(duration, int | float | np.number) or not 0 <= duration < math.inf:
        raise InputError(f"duration must be a finite time [s], zero or above; got {duration!r:.60}.")
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise InputError(f"every must be a whole number, 1 or above; got {every!r:.60}.")
    return math.ceil(float(duration) / engine.dt * (1 - 1e-12) - 1e-9), state


def _control(engine: Engine, policy: Policy | None, state: State) -> Array | Staged:
    """The policy's answer as u (nv) or staged u, or one clear sentence."""
    if policy is None:
        return np.zeros(engine.model.nv)
    answer = policy(float(state.time), state)
    if isinstance(answer, Staged):
        return Staged(*(_checked_control(engine, part, state) for part in answer))
    return _checked_control(engine, answer, state)


def _checked_control(engine: Engine, answer: ArrayLike, state: State) -> Array:
    model = engine.model
    when = f"at t = {float(state.time):.9g} s"
    try:
        u = np.asarray(answer)
    except ValueError:
        raise PolicyError(f"the policy returned rows of different lengths {when}; u must be ({model.nv},).") from None
    if u.dtype.kind not in "fiu":
        raise PolicyError(f"the policy returned {answer!r:.60} {when}; u must be {model.nv} real numbers.")
    if u.shape != (model.nv,):
        joints = ", ".join(model.joint_names[:12])
        raise PolicyError(
            f"the policy returned shape {u.shape} {when}; u of model '{model.name}' must be ({model.nv},) ({joints})."
        )
    wrong = np.flatnonzero(~np.isfinite(u))
    if len(wrong):
        first = int(wrong[0])
        raise PolicyError(f"the policy returned u[{first}] = {u[first]} {when}; controls must be finite.")
    return u.astype(np.float64)


@contextlib.contextmanager
def _bar(steps: int) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr that appears after `PATIENCE` seconds; none for zero steps or where nobody looks."""
    if not steps or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("simulate", total=steps)
    begun, shown = clock.monotonic(), False

    def tick() -> None:
        nonlocal shown
        if not shown and clock.monotonic() - begun > PATIENCE:
            bar.start()
            shown = True
        bar.advance(task)

    try:
        yield tick
    finally:
        if shown:
            bar.stop()
