"""`simulate`: run an engine from a state with a policy, and record it.

This is the convenient path: the policy is any Python callable, called once a step. Batches and campaigns use a task's own
compiled run loop, which calls the same kernels; a test holds both to the same result.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.progress import Bar
from carpal.engines.engine import Engine, Staged
from carpal.engines.record_loop import record_run, recorder_for
from carpal.engines.recording import Recording
from carpal.errors import InputError, PolicyError
from carpal.model import State
from carpal.spatial import Array

Policy = Callable[[float, State], ArrayLike | Staged]
Stop = Callable[[float, State], bool | str]


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
    steps = _checked(engine, state, duration, every)
    recorder = recorder_for(engine, seed=seed, options=options, out=out)
    with Bar(steps, "simulate", shown=progress) as bar:
        return record_run(
            engine, state, steps, recorder, control=lambda now: _control(engine, policy, now), every=every, stop=stop,
            tick=bar.to if progress else None,
        )  # fmt: skip


def _checked(engine: Engine, state: State, duration: float, every: int) -> int:
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
    return math.ceil(float(duration) / engine.dt * (1 - 1e-12) - 1e-9)


def _control(engine: Engine, policy: Policy | None, state: State) -> Array | Staged:
    """The policy's u (nv) or staged u, checked."""
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
