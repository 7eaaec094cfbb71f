"""`carpal finger design`, `carpal finger identify`, `carpal finger simulate`: spring fingers from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli import AsJson, HelpPages, Out, numbers, print_result
from carpal.errors import InputError

FingerFile = Annotated[Path | None, typer.Option(help="A finger as TOML (docs/finger.md); the assumed one by default.")]
Gravity = Annotated[
    str | None, typer.Option(help="Gravity in the finger's axes: x y z [m/s^2]; the file's by default.")
]

finger_app = typer.Typer(
    cls=HelpPages,
    rich_markup_mode=None,
    help="Spring fingers: design, identify, simulate. Example: carpal finger design --rest 10 8 6",
)


@finger_app.command("design")
def design_command(
    rest: Annotated[str, typer.Option(help="Wanted joint angles at rest: three numbers [deg].")],
    order: Annotated[
        str | None, typer.Option(help="Joints in the order in which they shall close, such as 1 2 3.")
    ] = None,
    tension: Annotated[
        float | None, typer.Option(help="With --order: tension [N] at which the last joint closes.")
    ] = None,
    neutral: Annotated[
        str | None, typer.Option(help="Angles at which the springs are slack: three numbers [deg].")
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option(help="Standard springs as TOML; the assumed series by default.")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="Take the cheapest standard springs within this error [deg].")
    ] = None,
    finger: FingerFile = None,
    gravity: Gravity = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Spring constants for wanted rest angles and closing order, and the nearest standard springs; with --out also a picture.

    Example: carpal finger design --rest 5 3 2 --order 1 2 3 --tension 20 --out out/finger
    """
    import numpy as np

    from carpal.labs.finger.design import design_springs
    from carpal.labs.finger.files import finger_toml
    from carpal.labs.finger.spring_catalogue import read_springs
    from carpal.labs.finger.spring_choice import choose_springs

    made = _finger(finger, gravity)
    joints = None if order is None else [_whole(x, "--order") for x in numbers(order, "--order")]
    slack = None if neutral is None else np.radians(_several(neutral, "--neutral", 3))
    shop = read_springs(catalogue)
    design = design_springs(made, np.radians(_several(rest, "--rest", 3)), neutral=slack, order=joints, tension=tension)
    within = None if tolerance is None else float(np.radians(tolerance))
    if within is not None and not within > 0:
        raise InputError(f"--tolerance must be above zero [deg]; got {tolerance}.")
    choice, lacking = None, ""
    try:
        choice = choose_springs(design, shop, tolerance=within)
    except InputError as error:  # the design stands; only the shop has nothing for it
        lacking = str(error)
    answer: dict[str, Any] = {
        "ok": choice is not None,
        "status": f"{design.status} {lacking}".strip(),
        "finger": made.name,
        "rest_rad": design.rest.tolist(),
        "stiffness": design.finger.stiffness.tolist(),
        "neutral_rad": design.finger.neutral.tolist(),
        "angle_error_rad": design.angle_error.tolist(),
        "stiffness_margin": design.stiffness_margin,
        "frequency_hz": design.modes.frequency_hz.tolist(),
        "closing_tension_n": None if design.closing is None else design.closing.tolist(),
        "order": None if design.order is None else list(design.order),
        "standard": None if choice is None else _standard(choice, shop),
    }
    lines = [design.status, lacking if choice is None else choice.status, design.modes.status]
    if out is not None:
        from carpal.labs.finger.figures import save_finger_design

        picture = save_finger_design(design, choice, out / "finger_design.png")
        answer["files"] = {"picture": str(picture)} | _texts(out, {"designed.toml": finger_toml(design.finger)})
        lines += [f"{name}: {path}" for name, path in answer["files"].items()]
    print_result(answer, "\n".join(lines), as_json)
    if choice is None:
        raise typer.Exit(1)


def _standard(choice: Any, shop: Any) -> dict[str, Any]:
    return {
        "catalogue": shop.title,
        "springs": [spring.name for spring in choice.springs],
        "stiffness": choice.finger.stiffness.tolist(),
        "q_rad": choice.q.tolist(),
        "angle_error_rad": choice.angle_error,
        "stroke_error_rad": choice.stroke_error,
        "closing_tension_n": None if choice.closing is None else choice.closing.tolist(),
        "cost": choice.cost,
        "custom_cost": choice.custom_cost,
        "currency": choice.currency,
    }


@finger_app.command("identify")
def identify_command(
    file: Annotated[
        Path, typer.Argument(help="Recorded angles as CSV: time, q1, q2, q3 [rad] or q1_deg ..., and loads.")
    ],
    fit_neutral: Annotated[bool, typer.Option(help="Estimate the springs' neutral angles too.")] = False,
    level: Annotated[float, typer.Option(help="Confidence of the intervals, between 0 and 1.")] = 0.95,
    finger: FingerFile = None,
    gravity: Gravity = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Spring and damping constants with confidence intervals from recorded angles; with --out also a picture.

    Example: carpal finger identify out/finger/record.csv --out out/fit
    """
    from carpal.labs.finger.files import finger_toml
    from carpal.labs.finger.identification import identify_finger
    from carpal.labs.finger.record import read_record

    record = read_record(file)
    fit = identify_finger(_finger(finger, gravity), record, fit_neutral=fit_neutral, level=level)
    answer: dict[str, Any] = {
        "ok": fit.ok,
        "status": fit.status,
        "samples": len(record.time),
        "level": fit.level,
        "constants": {
            name: {"value": fit.value[i], "deviation": fit.deviation[i], "low": fit.low[i], "high": fit.high[i]}
            for i, name in enumerate(fit.names)
        },
        "noise_rad": fit.noise,
        "residual_correlation": fit.correlation.tolist(),
        "start": {"q_rad": fit.q0.tolist(), "v_rad_s": fit.v0.tolist()},
        "iterations": fit.iterations,
    }
    lines = [fit.status]
    for i, name in enumerate(fit.names):
        lines.append(f"  {name}  {fit.value[i]:.6g}  [{fit.low[i]:.6g}, {fit.high[i]:.6g}]")
    if out is not None:
        from carpal.labs.finger.figures import save_finger_fit

        picture = save_finger_fit(fit, record, out / "finger_fit.png")
        answer["files"] = {"picture": str(picture)} | _texts(out, {"identified.toml": finger_toml(fit.finger)})
        lines += [f"{name}: {path}" for name, path in answer["files"].items()]
    print_result(answer, "\n".join(lines), as_json)
    if not fit.ok:
        raise typer.Exit(1)


@finger_app.command("simulate")
def simulate_command(
    q0: Annotated[str, typer.Option(help="Joint angles at the start: three numbers [deg].")] = "20 10 10",
    v0: Annotated[str, typer.Option(help="Joint rates at the start: three numbers [deg/s].")] = "0 0 0",
    duration: Annotated[float, typer.Option(help="Length of the motion [s].")] = 2.0,
    step: Annotated[float, typer.Option(help="Step of the integration [s].")] = 5e-4,
    every: Annotated[int, typer.Option(help="Steps between samples of the record.")] = 4,
    tension: Annotated[float, typer.Option(help="Of the tendon [N].")] = 0.0,
    sweep: Annotated[
        str | None, typer.Option(help="Swing the tension from zero to --tension: two frequencies [Hz].")
    ] = None,
    torque: Annotated[str, typer.Option(help="At the joints: three numbers [N m].")] = "0 0 0",
    tip_force: Annotated[str, typer.Option(help="On the tip, standing still: x y [N].")] = "0 0",
    tip_across: Annotated[float, typer.Option(help="On the tip across the last phalanx [N].")] = 0.0,
    tip_moment: Annotated[float, typer.Option(help="On the last phalanx [N m].")] = 0.0,
    undamped: Annotated[bool, typer.Option("--undamped", help="Take the dampers out.")] = False,
    printed: Annotated[
        bool, typer.Option("--printed", help="Compare with the equations as printed in Prabhu (2018).")
    ] = False,
    noise: Annotated[float, typer.Option(help="Noise of the recorded angles, one standard deviation [deg].")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the noise.")] = 0,
    finger: FingerFile = None,
    gravity: Gravity = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Let a finger move, with its energy ledger; with --out also a picture and a record that `carpal finger identify` reads.

    Example: carpal finger simulate --tension 4 --sweep 0.5 20 --duration 1 --noise 0.1 --out out/finger
    """
    import numpy as np

    from carpal.labs.finger.as_printed import printed_motion
    from carpal.labs.finger.excitation import tendon_sweep
    from carpal.labs.finger.load import FingerLoad
    from carpal.labs.finger.modes import finger_modes
    from carpal.labs.finger.motion import simulate_finger
    from carpal.labs.finger.record import FingerRecord

    made = _finger(finger, gravity)
    made = made.replace(damping=0.0) if undamped else made
    if noise < 0 or not np.isfinite(noise):
        raise InputError(f"--noise must be zero or above [deg]; got {noise}.")
    if seed < 0:
        raise InputError(f"--seed must be zero or above; got {seed}.")
    if not (step > 0 and duration > 0 and every > 0):
        raise InputError(f"--step, --duration and --every must be above zero; got {step}, {duration}, {every}.")
    start, rate = np.radians(_several(q0, "--q0", 3)), np.radians(_several(v0, "--v0", 3))
    samples = int(np.ceil(duration / (step * every) - 1e-9))
    if samples > 1_000_000:
        raise InputError(f"{samples} samples are too many; at most a million: raise --step or --every.")
    time = np.arange(samples + 1) * (step * every)
    constant = FingerLoad(
        _several(torque, "--torque", 3), tension, _several(tip_force, "--tip-force", 2), tip_across, tip_moment
    )
    if printed and constant.rows().any():
        raise InputError("--printed compares free motions: leave out the loads.")
    load = constant
    if sweep is not None:
        low, high = _several(sweep, "--sweep", 2)
        pull = np.asarray(tendon_sweep(time, tension, low, high).tension)
        load = FingerLoad(constant.torque, pull, constant.tip_force, tip_across, tip_moment)
    motion = simulate_finger(made, start, rate, time=time, step=step, load=load)
    old = printed_motion(made, start, rate, duration=duration) if printed else None
    small = finger_modes(made, made.neutral)
    answer: dict[str, Any] = {
        "ok": True,
        "status": motion.status,
        "finger": made.name,
        "duration_s": float(motion.time[-1]),
        "step_s": motion.step,
        "samples": len(motion.time),
        "energy_error": float(motion.energy_error),
        "energy_j": [float(motion.energy[0]), float(motion.energy[-1])],
        "q_end_rad": motion.q[-1].tolist(),
        "q_largest_rad": motion.q.max(0).tolist(),
        "frequency_hz": [None if np.isnan(f) else float(f) for f in small.frequency_hz],
        "passed_stops": motion.passed_stops,
    }
    lines = [motion.status, f"at the springs' neutral angles, {small.status}"]
    if old is not None:
        answer["printed"] = {
            "energy_error": old.energy_error, "energy_gained_j": old.energy_gained, "wound_up": old.wound_up,
            "until_s": float(old.time[-1]),
        }  # fmt: skip
        end = f"; it wound itself up and was ended at {old.time[-1]:.3g} s" if old.wound_up else ""
        lines.append(
            f"as printed: the energy changes by {100 * old.energy_error:.3g} % of its largest value, "
            f"by {old.energy_gained:.3g} J upwards{end}."
        )
    if out is not None:
        from carpal.labs.finger.figures import save_finger_motion

        record = FingerRecord.of_motion(motion, float(np.radians(noise)), seed)
        picture = save_finger_motion(motion, out / "finger_motion.png", old)
        answer["files"] = {"picture": str(picture)} | _texts(out, {"record.csv": record.to_csv()})
        lines += [f"{name}: {path}" for name, path in answer["files"].items()]
    print_result(answer, "\n".join(lines), as_json)


def _finger(file: Path | None, gravity: str | None) -> Any:
    from carpal.labs.finger.files import assumed_finger, read_finger

    made = assumed_finger() if file is None else read_finger(file)
    return made if gravity is None else made.replace(gravity=_several(gravity, "--gravity", 3))


def _several(text: str, what: str, count: int) -> list[float]:
    values = numbers(text, what)
    if len(values) != count or not all(abs(x) < float("inf") for x in values):
        raise InputError(f"{what} needs {count} finite numbers; got '{text}'.")
    return values


def _whole(x: float, what: str) -> int:
    if x != int(x):
        raise InputError(f"{what} needs whole numbers; got {x:g}.")
    return int(x)


def _texts(out: Path, texts: dict[str, str]) -> dict[str, str]:
    """Write small text files; their names without suffix and where they are."""
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text)
    return {Path(name).stem: str(out / name) for name in texts}


def add_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    app.add_typer(finger_app, name="finger")
