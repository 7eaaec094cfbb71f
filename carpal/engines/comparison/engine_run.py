"""One scene in one engine: at its step, at a half and at a quarter of it, on moments that all engines share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.engines.checking import BOUNDS
from carpal.engines.comparison.track import Track
from carpal.engines.engine import Advance
from carpal.engines.engine_choice import ENGINES, ReadyEngine, engine_for
from carpal.engines.mujoco.engine import MuJoCoEngine
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.record_loop import record_run, recorder_for
from carpal.engines.recording import Recording
from carpal.errors import CarpalError, DivergedError, InputError, unknown_name
from carpal.kinematics import fk
from carpal.model import Scene, State
from carpal.spatial import Array

REFINEMENTS = (1, 2, 4)
TIMED_OUT = "time limit"


@dataclass(frozen=True, eq=False)
class EngineRuns:
    """Tracks of one engine by refinement (1, 2, 4); why there are fewer, where there are.

    Args:
        dt: of the first [s].
        tracks: by refinement; the last may be short.
        outcome: "ran", "stopped", "refused" or "diverged".
        why: one sentence where it did not run.
        notes: what the engine leaves out of the scene.
    """

    dt: float
    tracks: dict[int, Track]
    outcome: str = "ran"
    why: str = ""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class RunPlan:
    """What an engine is asked for.

    Args:
        engine: its name.
        duration: [s].
        samples: intervals between the moments that are compared.
        dt: longest step [s]; None: the engine's own.
        limit: wall time of all its runs [s], without compilation.
        forces: of joints by name [N m, N], constant.
        accurate: the modal engine's accurate scheme.
        refinements: of the step.
    """

    engine: str
    duration: float
    samples: int = 200
    dt: float | None = None
    limit: float = 60.0
    forces: Mapping[str, float] = field(default_factory=dict)
    accurate: bool = False
    refinements: tuple[int, ...] = REFINEMENTS

    @property
    def steps(self) -> int:
        """Steps between two moments; the step divides their distance."""
        longest = ENGINES[self.engine] if self.dt is None else self.dt
        return max(1, math.ceil(self.duration / self.samples / longest * (1 - 1e-9)))

    def step(self, refinement: int = 1) -> float:
        """Length of a step [s]."""
        return self.duration / self.samples / (self.steps * refinement)


def run_engine(
    scene: Scene,
    plan: RunPlan,
    notify: Callable[[str, float], None] = lambda what, value: None,
    keep: Callable[[int, Track], None] = lambda refinement, track: None,
) -> EngineRuns:
    """Run a scene in one engine.

    Args:
        scene: what moves.
        plan: how.
        notify: called with "ready" when the limit's clock starts, "at" and the simulated time [s] as it goes on.
        keep: called with every track as soon as it is complete.
    """
    tracks: dict[int, Track] = {}
    notes: tuple[str, ...] = ()
    dt, since = plan.step(), math.nan
    try:
        for refinement in plan.refinements:
            ready = _ready(scene, plan, plan.step(refinement))
            u = _forces(ready, plan)
            if refinement == plan.refinements[0]:
                notes = ready.notes
                _stepper(ready, u)(0, ready.state, 1)  # compiles
                since = time.perf_counter()
                notify("ready", 0.0)
            track, why = _track(ready, plan, u, plan.steps * refinement, since, notify)
            tracks[refinement] = track
            keep(refinement, track)
            if why:
                return EngineRuns(dt, tracks, *_ended(why, refinement), notes)
    except DivergedError as error:
        return EngineRuns(dt, tracks, "diverged", str(error), notes)
    except CarpalError as error:
        return EngineRuns(dt, tracks, "ran" if 1 in tracks else "refused", str(error), notes)
    return EngineRuns(dt, tracks, notes=notes)


def _ended(why: str, refinement: int) -> tuple[str, str]:
    if refinement == 1:
        return ("stopped" if why == TIMED_OUT else "diverged"), why
    return "ran", f"steps of 1/{refinement}: {why}"


def _ready(scene: Scene, plan: RunPlan, dt: float) -> ReadyEngine:
    more: dict[str, Any] = {"accurate": plan.accurate} if plan.engine == "modal" else {}
    if plan.engine != "rigid" and not scene.surfaces:
        more["surface"] = {}
    return engine_for(scene, plan.engine, dt=dt, **more)


def _forces(ready: ReadyEngine, plan: RunPlan) -> Array:
    model = ready.engine.model
    u = np.zeros(model.nv)
    if plan.forces and isinstance(ready.engine, PenaltyEngine):
        raise InputError(
            "forces of joints cannot be given to the engine 'penalty': its bodies have no joint coordinates."
        )
    for name, value in plan.forces.items():
        if name not in model.joint_names:
            raise unknown_name("joint in forces", name, model.joint_names)
        u[model.v_index(name)] = value
    return u


Step = Callable[[int, State, int], Advance]


def _stepper(ready: ReadyEngine, u: Array) -> Step:
    engine = ready.engine
    if isinstance(engine, MuJoCoEngine):
        return lambda k, state, count: _one_by_one(engine, state, u, count)
    if isinstance(engine, PenaltyEngine):
        return lambda k, state, count: engine.run(state, steps=count)
    return lambda k, state, count: engine.run(state, u, count)


def _one_by_one(engine: MuJoCoEngine, state: State, u: Array, count: int) -> Advance:
    work = lost = 0.0
    for _ in range(count):
        ahead = engine.advance(state, u)
        state, work, lost = ahead.state, work + float(ahead.work_in), lost + float(ahead.dissipated)
    return Advance(state, np.asarray(work), np.asarray(lost))


def _track(
    ready: ReadyEngine, plan: RunPlan, u: Array, stride: int, since: float, notify: Callable[[str, float], None]
) -> tuple[Track, str]:
    """The track of one run, and why it is short."""
    step, wall, why = _stepper(ready, u), 0.0, ""

    def advance(k: int, state: State, control: Any) -> Advance:
        nonlocal wall
        begin = time.perf_counter()
        ahead = step(k, state, stride)
        wall += time.perf_counter() - begin
        return ahead

    def stop(now: float, state: State) -> bool | str:
        notify("at", now)
        return TIMED_OUT if time.perf_counter() - since > plan.limit else False

    try:
        done = record_run(
            ready.engine, ready.state, stride * plan.samples, recorder_for(ready.engine), control=lambda state: u,
            step=advance, stride=stride, every=stride, stop=stop,
        )  # fmt: skip
        if done.events and done.events[-1].name == "stopped":
            why = TIMED_OUT
    except DivergedError as error:
        if not isinstance(error.recording, Recording):
            raise
        done, why = error.recording, str(error)
    rows = len(done) if why in ("", TIMED_OUT) else max(1, len(done) - 1)  # a diverged step ends with the row before it
    return _from_recording(ready, done, rows, wall, stride * (rows - 1), why), why


def _from_recording(ready: ReadyEngine, done: Recording, rows: int, wall: float, steps: int, why: str) -> Track:
    q = done.q[:rows]
    if ready.tree is not None:
        moving = [body.name for body in ready.tree.model.bodies if _moves(ready, body.name)]
        poses = ready.tree.poses(q)
        stacked = [poses[name] for name in moving]
    else:
        model = ready.engine.model
        moving = [body.name for body in model.bodies if _moves(ready, body.name)]
        stacked = [np.asarray(fk(model, q, name)) for name in moving]
    depth = np.array([max((contact.depth for contact in row), default=0.0) for row in done.contacts[:rows]])
    return Track(
        done.time[:rows], tuple(moving), np.stack(stacked, axis=1), {k: v[:rows] for k, v in done.energy.items()}, depth,
        _certified(done), bool(done.ok) and not why, why or done.status, wall, steps,
    )  # fmt: skip


def _moves(ready: ReadyEngine, body: str) -> bool:
    """Whether a body has a moving joint between it and the world."""
    model = ready.tree.model if ready.tree is not None else ready.engine.model
    name: str | None = body
    while name is not None:
        part = model.body(name)
        if part.joint.kind != "fixed":
            return True
        name = part.parent
    return False


def _certified(done: Recording) -> float:
    known = [values <= BOUNDS[name] for name, values in done.certificates.items() if name in BOUNDS]
    return float(np.mean(np.all(known, axis=0)[1:])) if known and len(done) > 1 else math.nan
