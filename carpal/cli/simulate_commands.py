"""`carpal simulate`: a robot, a scene, a linkage or a mechanism in motion, and the set-up aids for its controller.

Exit status 0 when the run came to its end within the bounds of its engine or the test passed, 1 when a test did not pass, a run
diverged or broke a bound, 2 for bad input, 130 after Ctrl-C; what ran until then is in the recording.
"""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal._core.progress import Bar
from carpal.cli.options import OutOption, add_command, argument, option
from carpal.cli.terminal import described, load_robot
from carpal.errors import DivergedError, InputError, unknown_name

TESTS = ("fall", "hold", "step")
DONE, NOT_DONE, INTERRUPTED = 0, 1, 130
LONGEST = 3600.0  # [s] of simulated time


@dataclass(frozen=True, kw_only=True)
class SimulateOptions(OutOption):
    """Of `carpal simulate`."""

    file: Path = argument("A robot (.urdf, .xml, .mjcf or a name), or a scene, linkage or mechanism (.toml).")
    engine: str | None = option(None, "penalty, rigid, modal or mujoco; by default penalty, for robots mujoco.")
    tool: str | None = option(None, "The frame that is the robot's tool; a TOML file names its own.")
    duration: float | None = option(None, "Simulated time [s]; 1 by default, 0.5 for fall, 0.1 for the study.")
    dt: float | None = option(None, "Step [s]; by default 2e-5 (penalty) or 1e-3.")
    record: Path | None = option(None, "Where to record: a .parquet file, or a folder for its parts.")
    report: Path | None = option(None, "Write the run's report with its 3-D replay to this .html file.")
    test: str | None = option(None, "fall (joint gaps), hold (drift under gravity) or step (overshoot).")
    step_study: bool = option(False, "Error against dt, and the step to take.", flag="--step-study")
    sag: float | None = option(None, "Tune all actuators for this sag under gravity [rad, m]; see --damping-ratio.")
    damping_ratio: float = option(1.0, "Damping ratio that --sag tunes for.")
    least_load: float | None = option(None, "Load [N m, N] that --sag counts at least; 5 % of the largest by default.")
    stiffness: float | None = option(None, "Of every point joint [N/m]; by default the most that the step follows.")
    massless: float | None = option(None, "Mass [kg] for bodies without mass; refused by default.")
    drive: float | None = option(None, "Where a linkage's drive goes [rad, m]; by default its stop.")
    size: float | None = option(None, "Of the jumps of --test step [rad, m]; 0.05 rad and 1 mm by default.")
    tolerance: float | None = option(None, "What passes [m]: gap (1e-4), drift (5e-3) or the study's error (1e-5).")
    rows: int = option(500, "Moments to record or to check.")
    gravity: tuple[float, ...] | None = option(
        None, "Three numbers [m/s^2] instead of the file's; linkages lie in xy and feel -z by default."
    )
    mu: float | None = option(None, "Friction where the file names no surface (modal, mujoco, penalty).")
    restitution: float | None = option(None, "Restitution there, 0 to 1.")
    tip: str | None = option(None, "frictionless, hard or soft there; hard by default.")
    torsion: float | None = option(None, "Radius [m] of a soft tip's patch (modal, mujoco).")
    mu_static: float | None = option(
        None, "Friction there while a contact holds, at least `mu` (modal); as `mu` by default."
    )
    rolling: float | None = option(None, "Rolling friction there [m], the lever of its torque (mujoco); 0 by default.")
    compliance: float | None = option(None, "Of one contact point there [m/N] (mujoco, penalty); rigid by default.")
    accurate: bool = option(False, "Fourth order between located events (modal).", flag="--accurate")
    device: str = option("cpu", "cpu or cuda (penalty, rigid, modal).")

    @property
    def aid(self) -> str | None:
        """The set-up aid that is asked for."""
        return "study" if self.step_study else self.test

    @property
    def engine_name(self) -> str:
        """The engine that moves it."""
        return self.engine or ("penalty" if described(self.file) or self.aid else "mujoco")

    def load(self) -> Any:
        """What is to be moved: a scene, a linkage, a mechanism or a model."""
        from carpal.model import read_description

        return read_description(self.file) if described(self.file) else load_robot(str(self.file), None, self.tool)

    def check(self) -> None:
        """Refuse options that do not fit together."""
        described(self.file, self.tool)
        if self.test is not None and self.test not in TESTS:
            raise unknown_name("test", self.test, TESTS)
        if self.test is not None and self.step_study:
            raise InputError("give --test or --step-study, not both.")
        if self.duration is not None and not 0 < self.duration <= LONGEST:
            raise InputError(f"--duration must be above zero and at most {LONGEST:g} s; got {self.duration}.")
        if not 2 <= self.rows <= 1_000_000:
            raise InputError(f"--rows must be from 2 to 1000000; got {self.rows}.")
        if self.tolerance is not None and self.aid not in ("fall", "hold", "study"):
            raise InputError("--tolerance is for --test fall, --test hold and --step-study.")
        if self.size is not None and self.test != "step":
            raise InputError("--size is for --test step.")
        if (self.record or self.report) and self.aid:
            raise InputError("--record and --report are for runs; tests write their pictures and numbers to --out.")
        if self.report is not None and self.report.suffix != ".html":
            raise InputError(f"--report takes a file that ends in .html; got '{self.report}'.")
        if self.record is not None and self.record.suffix == ".parquet" and not self.record.parent.is_dir():
            raise InputError(f"there is no folder '{self.record.parent}' for --record.")
        if self.aid and self.engine not in ("penalty", None):
            raise InputError(f"set-up aids check joints of the penalty engine; --engine is '{self.engine}'.")


def simulate_command(options: SimulateOptions) -> int:
    """Run a robot, a scene, a linkage or a mechanism; or test how it is set up before its controller is written.

    Example: carpal simulate robot.urdf --duration 0.5 --report run.html

    Example: carpal simulate examples/linkages/six_bar_finger.toml --duration 0.5 --record run.parquet --report run.html

    Example: carpal simulate examples/scenes/cell.toml --test hold --sag 0.005 --damping-ratio 1 --out out/hold
    """
    from carpal.engines import engine_for

    options.check()
    aid = options.aid
    surface = {
        name: getattr(options, name)
        for name in ("mu", "mu_static", "rolling", "restitution", "tip", "torsion", "compliance")
    }
    surface = {name: value for name, value in surface.items() if value is not None}
    same = (
        "dt",
        "stiffness",
        "sag",
        "damping_ratio",
        "least_load",
        "massless",
        "drive",
        "device",
        "gravity",
        "accurate",
    )
    ready = engine_for(
        options.load(), options.engine_name, drives=options.test in ("hold", "step"), surface=surface or None,
        **{name: getattr(options, name) for name in same},
    )  # fmt: skip
    duration = {"fall": 0.5, "study": 0.1}.get(aid or "", 1.0) if options.duration is None else options.duration
    command = {"file": str(options.file), "engine": options.engine_name, "duration": duration, "dt": ready.engine.dt}
    return _run(ready, options, command) if aid is None else _aid(aid, ready, options, command)


def _run(ready: Any, options: SimulateOptions, command: dict[str, Any]) -> int:
    from carpal.engines import PenaltyEngine, RigidEngine, run_recorded, simulate

    record, report, shown = options.record, options.report, not options.as_json
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        record, report = record or options.out / "recording.parquet", report or options.out / "report.html"
    parts = None if record is None else record.with_suffix(".parts") if record.suffix == ".parquet" else record
    diverged, duration = None, command["duration"]
    done: Any
    try:
        if isinstance(ready.engine, PenaltyEngine | RigidEngine):
            with Bar(1, "simulate", shown=shown) as bar:
                done = run_recorded(
                    ready.engine, ready.state, duration, rows=options.rows, command=ready.command, out=parts,
                    options=command, tick=bar.to,
                )  # fmt: skip
        else:
            every = max(1, int(duration / ready.engine.dt / options.rows))
            done = simulate(
                ready.engine, ready.state, None, duration, out=parts, every=every, options=command, progress=shown
            )
    except DivergedError as error:
        if error.recording is None:
            raise
        done, diverged = error.recording, error
    files = {}
    if record is not None and parts is not None:
        files["recording"] = str(record)
        if parts != record:
            done.save(record)
            shutil.rmtree(parts)
    if report is not None and not done.interrupted:
        from carpal.report import write_report

        files["report"] = str(write_report(done, report))
    lines, summary = _summary(ready, done, command, files)
    broken = "" if done.ok or done.interrupted or diverged else done.check().status
    status = str(diverged) if diverged else f"{lines[0].rstrip('.')}, but {broken}" if broken else lines[0]
    _print({"ok": done.ok, "status": status, **summary}, [status, *lines[1:]], options.as_json)
    return INTERRUPTED if done.interrupted else DONE if done.ok else NOT_DONE


def _summary(ready: Any, done: Any, command: dict[str, Any], files: dict[str, str]) -> tuple[list[str], dict[str, Any]]:
    """Lines for people, and numbers."""
    from carpal.engines import PenaltyEngine, joint_gaps

    span = float(done.time[-1] - done.time[0])
    residual = float(abs(done.energy["residual"]).max())
    summary: dict[str, Any] = {
        "time_s": float(done.time[-1]), "rows": len(done), "interrupted": done.interrupted,
        "energy_residual_J": residual, "notes": list(ready.notes), "files": files, **command,
    }  # fmt: skip
    summary["residuals"] = _residuals(done)
    ran = f"{'interrupted after' if done.interrupted else 'ran for'} {span:.6g} s"
    text = f"'{done.model.name}' {ran} in steps of {ready.engine.dt:g} s ({ready.engine.name})"
    lines = [f"note: {note}" for note in ready.notes]
    if ready.tuned is not None:
        from carpal.cli.setup_tables import tuning_table

        summary["tuning"] = ready.tuned.to_dict()
        lines += tuning_table(ready.tuned)
    if isinstance(ready.engine, PenaltyEngine):
        mechanism = ready.engine.mechanism
        summary |= {"stable_step_s": ready.engine.stable_step, "bodies": len(mechanism.bodies)}
        if mechanism.joints:
            gaps = joint_gaps(mechanism, done.q).max(0)
            worst = int(gaps.argmax())
            stiff = [joint.stiffness for joint in mechanism.joints]
            summary |= {"largest_gap_m": float(gaps[worst]), "joint": mechanism.joints[worst].name,
                        "stiffness_N_m": [min(stiff), max(stiff)]}  # fmt: skip
            text += f"; the largest joint gap was {gaps[worst]:.3g} m at '{mechanism.joints[worst].name}'"
            lines.append(f"joint stiffness {min(stiff):.3g} to {max(stiff):.3g} N/m; stable up to dt = "
                         f"{ready.engine.stable_step:.3g} s")  # fmt: skip
    lines.append(f"energy residual {residual:.3g} J")
    return [f"{text}.", *lines, *(f"{name}: {path}" for name, path in files.items())], summary


def _residuals(done: Any) -> dict[str, Any]:
    """Every residual with its bound: [worst, bound]; null where there is none."""
    from carpal.errors import RecordingError

    try:
        found = done.check()
    except RecordingError:
        return {}
    finite = {name: [found.worst[name], found.bounds[name]] for name in found.worst}
    return {name: [value if math.isfinite(value) else None for value in pair] for name, pair in finite.items()}


def _aid(aid: str, ready: Any, options: SimulateOptions, command: dict[str, Any]) -> int:
    from carpal.engines import fall_test, hold_test, step_study, step_test

    duration, rows, tolerance = command["duration"], options.rows, options.tolerance
    more: dict[str, Any] = (
        {} if tolerance is None else {{"fall": "allowed_gap", "hold": "allowed_drift"}.get(aid, "tolerance"): tolerance}
    )
    result: Any
    with Bar(1, f"{aid} {'' if aid == 'study' else 'test'}".strip(), shown=not options.as_json) as bar:
        try:
            if aid == "fall":
                result = fall_test(ready.engine, duration, samples=rows, tick=bar.to, **more)
            elif aid == "hold":
                result = hold_test(ready.engine, duration, samples=rows, tick=bar.to, **more)
            elif aid == "step":
                result = step_test(ready.engine, duration, size=options.size, samples=max(rows, 500), tick=bar.to)
            else:
                result = step_study(ready.engine, duration, tick=bar.to, **more)
        except DivergedError as error:
            _print(
                {"ok": False, "status": str(error), "notes": list(ready.notes), **command},
                [str(error)],
                options.as_json,
            )
            return NOT_DONE
    tuned = ready.tuned
    summary = {**result.to_dict(), "notes": list(ready.notes), "test": aid, **command}
    if tuned is not None:
        summary["tuning"] = tuned.to_dict()
    files = {}
    if options.out is not None:
        from carpal.report import save_setup_picture

        files["picture"] = str(save_setup_picture(result, options.out / f"{aid}.png"))
        path = options.out / f"{aid}.json"
        path.write_text(json.dumps(summary) + "\n")
        files["numbers"] = str(path)
    from carpal.cli.setup_tables import setup_table, tuning_table

    lines = [
        result.status,
        *setup_table(result),
        *(tuning_table(tuned) if tuned else ()),
        *(f"note: {note}" for note in ready.notes),
    ]
    _print({**summary, "files": files}, [*lines, *(f"{name}: {path}" for name, path in files.items())], options.as_json)
    return DONE if result.ok else NOT_DONE


def _print(summary: dict[str, Any], lines: list[str], as_json: bool) -> None:
    print(json.dumps(summary, allow_nan=False) if as_json else "\n".join(lines), flush=True)


def add_simulate_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "simulate", simulate_command)
