"""`carpal simulate`: a scene, a linkage or a mechanism from its TOML file in motion, and the set-up aids of thesis 1.

Exit status 0 when the run came to its end or the test passed, 1 when a test did not pass or a run diverged, 2 for bad input, 130
after Ctrl-C; what ran until then is in the recording.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli.terminal import AsJson, Out, numbers
from carpal.errors import DivergedError, InputError, unknown_name

TESTS = ("fall", "hold", "step")
DONE, NOT_DONE, INTERRUPTED = 0, 1, 130
LONGEST = 3600.0  # [s] of simulated time

File = Annotated[Path, typer.Argument(help="A scene, a linkage or a mechanism as TOML; see docs/engines.md.")]
Engine = Annotated[str, typer.Option(help="penalty, rigid, modal or mujoco; linkages and mechanisms need penalty.")]
Duration = Annotated[
    float | None, typer.Option(help="Simulated time [s]; 1 by default, 0.5 for fall, 0.1 for the study.")
]
Dt = Annotated[float | None, typer.Option(help="Step [s]; by default 2e-5 (penalty) or 1e-3.")]
Record = Annotated[
    Path | None, typer.Option(help="Where to record: a .parquet file, or a folder for its parts.")
]  # fmt: skip
Report = Annotated[Path | None, typer.Option(help="Write the run's report with its 3-D replay to this .html file.")]
Test = Annotated[str | None, typer.Option(help="fall (joint gaps), hold (drift under gravity) or step (overshoot).")]
Study = Annotated[bool, typer.Option("--step-study", help="Error against dt, and the step to take.")]
Sag = Annotated[
    float | None, typer.Option(help="Tune all actuators for this sag under gravity [rad, m]; see --damping-ratio.")
]  # fmt: skip
Zeta = Annotated[float, typer.Option(help="Damping ratio that --sag tunes for.")]
Least = Annotated[
    float | None, typer.Option(help="Load [N m, N] that --sag counts at least; 5 % of the largest by default.")
]
Stiffness = Annotated[
    float | None, typer.Option(help="Of every point joint [N/m]; by default the most that the step follows.")
]  # fmt: skip
Massless = Annotated[float | None, typer.Option(help="Mass [kg] for bodies without mass; refused by default.")]
Drive = Annotated[float | None, typer.Option(help="Where a linkage's drive goes [rad, m]; by default its stop.")]
Size = Annotated[float | None, typer.Option(help="Of the jumps of --test step [rad, m]; 0.05 rad and 1 mm by default.")]
Tolerance = Annotated[
    float | None, typer.Option(help="What passes [m]: gap (1e-4), drift (5e-3) or the study's error (1e-5).")
]
Rows = Annotated[int, typer.Option(help="Moments to record or to look at.")]
Gravity = Annotated[
    str | None, typer.Option(help="Three numbers [m/s^2] instead of the file's; linkages lie in xy and feel -z by default.")
]  # fmt: skip
Device = Annotated[str, typer.Option(help="cpu or cuda (penalty, rigid, modal).")]
Mu = Annotated[float | None, typer.Option(help="Friction where the file names no surface (modal); 0.6 by default.")]
Bounce = Annotated[float | None, typer.Option(help="Restitution there, 0 to 1 (modal); 0 by default.")]
Tip = Annotated[str | None, typer.Option(help="frictionless, hard or soft (modal); hard by default.")]
Torsion = Annotated[float | None, typer.Option(help="Radius [m] of a soft tip's patch (modal).")]
Accurate = Annotated[bool, typer.Option("--accurate", help="Fourth order between located events (modal).")]


def simulate_command(
    file: File,
    engine: Engine = "penalty",
    duration: Duration = None,
    dt: Dt = None,
    record: Record = None,
    report: Report = None,
    test: Test = None,
    step_study: Study = False,
    sag: Sag = None,
    damping_ratio: Zeta = 1.0,
    least_load: Least = None,
    stiffness: Stiffness = None,
    massless: Massless = None,
    drive: Drive = None,
    size: Size = None,
    tolerance: Tolerance = None,
    rows: Rows = 500,
    gravity: Gravity = None,
    mu: Mu = None,
    restitution: Bounce = None,
    tip: Tip = None,
    torsion: Torsion = None,
    accurate: Accurate = False,
    device: Device = "cpu",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Run a scene, a linkage or a mechanism; or test how it is set up before its controller is written.

    Example: carpal simulate examples/linkages/six_bar_finger.toml --duration 0.5 --record run.parquet --report run.html

    Example: carpal simulate scene.toml --test hold --sag 0.005 --damping-ratio 1 --out out/hold
    """
    from carpal.engines import engine_for
    from carpal.model import read_description

    _check(file, test, step_study, duration, rows, tolerance, size, record, report)
    aid = "study" if step_study else test
    if aid and engine != "penalty":
        raise InputError(f"set-up aids look at joints of the penalty engine; --engine is '{engine}'.")
    what = read_description(file)
    pull = None if gravity is None else numbers(gravity, "--gravity")
    given: dict[str, Any] = {"mu": mu, "restitution": restitution, "tip": tip, "torsion": torsion}
    touch = {name: value for name, value in given.items() if value is not None}
    ready = engine_for(
        what, engine, dt=dt, stiffness=stiffness, sag=sag, damping_ratio=damping_ratio, least_load=least_load,
        massless=massless, drive=drive, device=device, gravity=pull, drives=test in ("hold", "step"),
        surface=touch or None, accurate=accurate,
    )  # fmt: skip
    span = {"fall": 0.5, "study": 0.1}.get(aid or "", 1.0) if duration is None else duration
    command = {"file": str(file), "engine": engine, "duration": span, "dt": ready.engine.dt}
    if aid is None:
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            record, report = record or out / "recording.parquet", report or out / "report.html"
        raise typer.Exit(_run(ready, span, rows, record, report, command, as_json))
    raise typer.Exit(_aid(aid, ready, span, rows, tolerance, size, command, as_json, out))


def _check(
    file: Path, test: str | None, study: bool, duration: float | None, rows: int, tolerance: float | None,
    size: float | None, record: Path | None, report: Path | None,
) -> None:  # fmt: skip
    if file.suffix != ".toml":
        raise InputError(f"a description file ends in .toml; got '{file}'.")
    if test is not None and test not in TESTS:
        raise unknown_name("test", test, TESTS)
    if test is not None and study:
        raise InputError("give --test or --step-study, not both.")
    if duration is not None and not 0 < duration <= LONGEST:
        raise InputError(f"--duration must be above zero and at most {LONGEST:g} s; got {duration}.")
    if not 2 <= rows <= 1_000_000:
        raise InputError(f"--rows must be from 2 to 1000000; got {rows}.")
    if tolerance is not None and not (test in ("fall", "hold") or study):
        raise InputError("--tolerance is for --test fall, --test hold and --step-study.")
    if size is not None and test != "step":
        raise InputError("--size is for --test step.")
    if (record or report) and (test or study):
        raise InputError("--record and --report are for runs; tests write their pictures and numbers to --out.")
    if report is not None and report.suffix != ".html":
        raise InputError(f"--report takes a file that ends in .html; got '{report}'.")
    if record is not None and record.suffix == ".parquet" and not record.parent.is_dir():
        raise InputError(f"there is no folder '{record.parent}' for --record.")


def _run(
    ready: Any, span: float, rows: int, record: Path | None, report: Path | None, command: dict[str, Any], as_json: bool
) -> int:  # fmt: skip
    from carpal.engines import PenaltyEngine, RigidEngine, run_recorded, simulate

    parts = None if record is None else record.with_suffix(".parts") if record.suffix == ".parquet" else record
    diverged = None
    done: Any
    try:
        if isinstance(ready.engine, PenaltyEngine | RigidEngine):
            with Bar(1, "simulate", shown=not as_json) as bar:
                done = run_recorded(
                    ready.engine, ready.state, span, rows=rows, command=ready.command, out=parts, options=command,
                    tick=bar.to,
                )  # fmt: skip
        else:
            every = max(1, int(span / ready.engine.dt / rows))
            done = simulate(
                ready.engine, ready.state, None, span, out=parts, every=every, options=command, progress=not as_json
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
    status = str(diverged) if diverged else lines[0]
    _print({"ok": done.ok, "status": status, **summary}, [status, *lines[1:]], as_json)
    return INTERRUPTED if done.interrupted else NOT_DONE if diverged else DONE


def _summary(ready: Any, done: Any, command: dict[str, Any], files: dict[str, str]) -> tuple[list[str], dict[str, Any]]:
    """Lines for people, and numbers."""
    from carpal.engines import PenaltyEngine, joint_gaps

    span = float(done.time[-1] - done.time[0])
    residual = float(abs(done.energy["residual"]).max())
    summary: dict[str, Any] = {
        "time_s": float(done.time[-1]), "rows": len(done), "interrupted": done.interrupted,
        "energy_residual_J": residual, "notes": list(ready.notes), "files": files, **command,
    }  # fmt: skip
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


def _aid(
    aid: str, ready: Any, span: float, rows: int, tolerance: float | None, size: float | None, command: dict[str, Any],
    as_json: bool, out: Path | None,
) -> int:  # fmt: skip
    from carpal.engines import fall_test, hold_test, step_study, step_test

    more: dict[str, Any] = (
        {} if tolerance is None else {{"fall": "allowed_gap", "hold": "allowed_drift"}.get(aid, "tolerance"): tolerance}
    )
    result: Any
    with Bar(1, f"{aid} {'' if aid == 'study' else 'test'}".strip(), shown=not as_json) as bar:
        try:
            if aid == "fall":
                result = fall_test(ready.engine, span, samples=rows, tick=bar.to, **more)
            elif aid == "hold":
                result = hold_test(ready.engine, span, samples=rows, tick=bar.to, **more)
            elif aid == "step":
                result = step_test(ready.engine, span, size=size, samples=max(rows, 500), tick=bar.to)
            else:
                result = step_study(ready.engine, span, tick=bar.to, **more)
        except DivergedError as error:
            _print({"ok": False, "status": str(error), "notes": list(ready.notes), **command}, [str(error)], as_json)
            return NOT_DONE
    tuned = ready.tuned
    summary = {**result.to_dict(), "notes": list(ready.notes), "test": aid, **command}
    if tuned is not None:
        summary["tuning"] = tuned.to_dict()
    files = {}
    if out is not None:
        from carpal.report import save_setup_picture

        files["picture"] = str(save_setup_picture(result, out / f"{aid}.png"))
        path = out / f"{aid}.json"
        path.write_text(json.dumps(summary) + "\n")
        files["numbers"] = str(path)
    from carpal.cli.setup_tables import setup_table, tuning_table

    lines = [
        result.status,
        *setup_table(result),
        *(tuning_table(tuned) if tuned else ()),
        *(f"note: {note}" for note in ready.notes),
    ]
    _print({**summary, "files": files}, [*lines, *(f"{name}: {path}" for name, path in files.items())], as_json)
    return DONE if result.ok else NOT_DONE


def _print(summary: dict[str, Any], lines: list[str], as_json: bool) -> None:
    print(json.dumps(summary, allow_nan=False) if as_json else "\n".join(lines), flush=True)


def add_simulate_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    app.command("simulate")(simulate_command)
