"""`compare`: one scene in several engines: where they part, how each converges, energy, creep, penetration, cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal._core.progress import Bar
from carpal._core.result import Result
from carpal.engines.comparison import measures
from carpal.engines.comparison.engine_run import EngineRuns, RunPlan, run_engine
from carpal.engines.comparison.library import benchmark_scene
from carpal.engines.comparison.measures import Convergence, Parting
from carpal.engines.comparison.reference import Agreement, Reference, agreement, plain
from carpal.engines.comparison.supervision import supervised
from carpal.engines.comparison.track import Track, distances, radii
from carpal.engines.engine import checked_dt
from carpal.engines.engine_choice import ENGINES
from carpal.errors import InputError, unknown_name
from carpal.model import Scene
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class EngineOutcome:
    """One engine in a comparison.

    Args:
        name: of the engine.
        runs: its tracks, outcome and notes.
        convergence: in its own step; None where a refinement is missing.
        agreement: beside the reference; None where there is none, or nothing ran.
    """

    name: str
    runs: EngineRuns
    convergence: Convergence | None = None
    agreement: Agreement | None = None

    @property
    def track(self) -> Track | None:
        """At the step asked for."""
        return self.runs.tracks.get(1)

    @property
    def ok(self) -> bool:
        """Whether it ran to the end and kept the bounds of its engine."""
        return self.runs.outcome == "ran" and self.track is not None and self.track.ok

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what is unknown is None."""
        track, out = self.track, {"ok": self.ok, "outcome": self.runs.outcome, "why": self.runs.why}
        out |= {"dt_s": self.runs.dt, "notes": list(self.runs.notes)}
        if track is not None and len(track.time) > 1:
            out |= {
                "status": track.status, "time_s": float(track.time[-1]), "certified_share": track.certified,
                "energy_gain_J": measures.energy_gain(track), "ledger_residual_J": measures.ledger_residual(track),
                "creep_m_s": measures.creep(track), "penetration_m": float(track.depth.max(initial=0.0)),
                "cost_s_per_s": measures.cost(track),
            }  # fmt: skip
        if self.convergence is not None:
            out |= {"order": self.convergence.order, "error_at_dt_m": self.convergence.error}
        if self.agreement is not None:
            out |= {"reference": plain(self.agreement)}
        return _without_nan(out)


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """What several engines make of one scene.

    Args:
        ok: whether every engine ran to the end and kept its own bounds; it does not say that they agree.
        status: one sentence.
        scene: the scene.
        duration, tolerance: [s], [m].
        engines: by name.
        partings: of every pair that ran, the reference first.
        reference: its source, or "" where there is none.
    """

    ok: bool
    status: str
    scene: Scene
    duration: float
    tolerance: float
    engines: dict[str, EngineOutcome]
    partings: tuple[Parting, ...]
    reference: str = ""
    distances: dict[tuple[str, str], tuple[Array, Array]] = field(default_factory=dict, repr=False)
    """(time, largest distance [m]) of every pair."""

    def table(self) -> str:
        """As lines of text."""
        from carpal.engines.comparison.table import comparison_lines

        return "\n".join(comparison_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without the trajectories."""
        partings = [vars(each) for each in self.partings]
        return {
            "ok": self.ok, "status": self.status, "scene": self.scene.name, "duration_s": self.duration,
            "tolerance_m": self.tolerance, "reference": self.reference, "partings": partings,
            "engines": {name: outcome.to_dict() for name, outcome in self.engines.items()},
        }  # fmt: skip


def compare(
    scene: Scene | str,
    engines: Sequence[str] | None = None,
    *,
    duration: float | None = None,
    dt: float | Mapping[str, float] | None = None,
    samples: int = 200,
    tolerance: float = 1e-3,
    limit: float = 60.0,
    forces: Mapping[str, float] | None = None,
    accurate: bool = False,
    refine: bool = True,
    isolated: bool = True,
    progress: bool = False,
) -> Comparison:
    """Run one scene in several engines.

    Args:
        scene: a scene, or the name of a benchmark scene (`benchmark_scenes()`), which has a duration, forces and a reference.
        engines: of modal, mujoco, penalty, rigid; by default those that the benchmark names, else the three with contact.
        duration: [s]; 1 by default.
        dt: longest step [s] of all engines or of each by name; by default each engine's own. Shortened to divide the samples.
        samples: intervals between the moments that are compared.
        tolerance: distance of points of a body [m] above which two trajectories have parted.
        limit: wall time [s] of each engine's runs, without compilation; what takes longer is ended and says so.
        forces: constant forces of joints by name [N m, N].
        accurate: the modal engine's accurate scheme.
        refine: run at dt/2 and dt/4 too.
        isolated: each engine in a process of its own. Without, a step that never returns is not ended.
        progress: show a bar on stderr.

    Example:
        >>> print(compare("block_on_incline_slides", ["modal", "mujoco"]).table())
    """
    known = benchmark_scene(scene) if isinstance(scene, str) else None
    made = known.scene() if known is not None else scene
    if not isinstance(made, Scene):
        raise InputError(f"compare() takes a Scene or the name of a benchmark scene; got {type(scene).__name__}.")
    if isinstance(engines, str):
        raise InputError(f"engines must be a list of names; got '{engines}'.")
    names = list(engines if engines is not None else known.engines if known else ("modal", "mujoco", "penalty"))
    span = duration if duration is not None else known.duration if known else 1.0
    pushed = dict(forces if forces is not None else known.forces if known else {})
    _check(names, span, samples, tolerance, limit, pushed)
    steps = dt if isinstance(dt, Mapping) else dict.fromkeys(names, dt)
    for name in steps:
        if name not in names:
            raise unknown_name("engine in dt", name, names)
        if steps[name] is not None:
            checked_dt(steps[name])  # type: ignore[arg-type] # it is not None
    runs: dict[str, EngineRuns] = {}
    with Bar(len(names), "compare", shown=progress) as bar:
        for done, name in enumerate(names):
            plan = RunPlan(
                name,
                float(span),
                samples,
                steps.get(name),
                float(limit),
                pushed,
                accurate,
                (1, 2, 4) if refine else (1,),
            )
            runs[name] = supervised(made, plan) if isolated else run_engine(made, plan)
            bar.to(done + 1)
    times = np.linspace(0.0, span, samples + 1)
    reference = known.reference(times) if known is not None else None
    return _compared(made, float(span), float(tolerance), runs, reference)


def _check(
    names: Sequence[str], duration: float, samples: int, tolerance: float, limit: float, forces: Mapping[str, float]
) -> None:
    for name, value in forces.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise InputError(f"the force of joint '{name}' must be a finite number; got {value!r:.40}.")
    if not names or len(set(names)) != len(names):
        raise InputError(f"engines must be one or more names, each once; got {', '.join(names) or 'none'}.")
    for name in names:
        if name not in ENGINES:
            raise unknown_name("engine", name, ENGINES)
    for what, value, most in (
        ("duration", duration, 3600.0),
        ("tolerance", tolerance, math.inf),
        ("limit", limit, math.inf),
    ):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= most:
            raise InputError(
                f"{what} must be a number above zero{f' and at most {most:g}' if most < math.inf else ''}; got {value!r:.40}."
            )
    if isinstance(samples, bool) or not isinstance(samples, int) or not 2 <= samples <= 100_000:
        raise InputError(f"samples must be a whole number from 2 to 100000; got {samples!r:.40}.")


def _compared(
    scene: Scene, duration: float, tolerance: float, runs: Mapping[str, EngineRuns], reference: Reference | None
) -> Comparison:
    ran = {name: each.tracks[1] for name, each in runs.items() if 1 in each.tracks and len(each.tracks[1].time) > 1}
    bodies = next(iter(ran.values())).bodies if ran else ()
    reach = radii(scene.build(), bodies)
    outcomes, partings, apart = {}, [], {}
    for name, each in runs.items():
        track = ran.get(name)
        found = agreement(track, reference, tolerance) if reference is not None and track is not None else None
        outcomes[name] = EngineOutcome(name, each, measures.convergence(each.tracks, reach) if track else None, found)
        if found is not None and reference is not None and reference.paths and track is not None:
            partings.append(Parting("reference", name, found.time, found.body, found.distance))
            gaps = [reference.apart(track, body) for body in reference.paths]
            apart["reference", name] = (track.time, np.max(gaps, axis=0))
    for a, b in itertools.combinations(ran, 2):
        gap = distances(ran[a], ran[b], reach)
        partings.append(measures.parting(a, b, gap, ran[a].time, bodies, tolerance))
        apart[a, b] = (ran[a].time[: len(gap)], gap.max(axis=1))
    bad = [name for name, outcome in outcomes.items() if not outcome.ok]
    status = _status(scene, duration, outcomes, bad, partings)
    source = "" if reference is None else reference.source
    return Comparison(not bad, status, scene, duration, tolerance, outcomes, tuple(partings), source, apart)


def _status(
    scene: Scene,
    duration: float,
    outcomes: Mapping[str, EngineOutcome],
    bad: Sequence[str],
    partings: Sequence[Parting],
) -> str:
    if bad:
        first = outcomes[bad[0]]
        why = first.track.status if first.runs.outcome == "ran" and first.track is not None else first.runs.why
        others = f" (and {', '.join(bad[1:])})" if len(bad) > 1 else ""
        return f"'{scene.name}': {bad[0]}{others} {'broke a bound' if first.runs.outcome == 'ran' else first.runs.outcome}: {why}"
    apart = sorted((p for p in partings if p.time is not None), key=lambda p: p.time or 0.0)
    if not apart:
        return f"'{scene.name}': {', '.join(outcomes)} stay together for {duration:g} s."
    p = apart[0]
    return f"'{scene.name}': {p.a} and {p.b} part first, at {p.time:.4g} s at '{p.body}'."


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
