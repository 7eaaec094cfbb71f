"""`carpal excite` and `carpal identify`: a motion that shows what a robot weighs, and what it weighs from a recording."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer

from carpal.cli.options import REQUIRED, OutOption, RobotOptions, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError, UnreachableError


@dataclass(frozen=True, kw_only=True)
class IdentifyOptions(RobotOptions, OutOption):
    """Of `carpal identify`."""

    recording: Path = option(
        REQUIRED, "A .csv file with the columns time, q:JOINT and tau:JOINT for every joint [s, rad, m, N m, N]."
    )
    cutoff: float = option(10.0, "Of the filter [Hz], above the motion's own frequencies.")
    frictionless: bool = option(False, "Joints have no friction to be found.")


@dataclass(frozen=True, kw_only=True)
class ExciteOptions(RobotOptions, OutOption):
    """Of `carpal excite`."""

    duration: float = option(20.0, "Of the motion [s].")
    dt: float = option(0.005, "Time between two rows [s].")
    share: float = option(0.8, "Of the joints' ranges and speeds that it may use.")
    seed: int = option(0, "Of the random motions that are compared.")


def excite_command(options: ExciteOptions) -> None:
    """A motion for identification, with the joint forces that the given robot would need; a real robot's replace them.

    It knows nothing of collisions. Example: carpal excite ur5 --out out/ur5
    """
    from carpal.dynamics import exciting_motion, inverse_dynamics

    if options.out is None:
        raise InputError("excite needs --out: the folder for motion.csv.")
    model = options.load()
    motion = exciting_motion(model, options.duration, options.dt, share=options.share, seed=options.seed)
    tau = inverse_dynamics(model, motion.q, motion.v, motion.vdot)
    names = ["time"] + [f"{kind}:{joint}" for kind in ("q", "v", "tau") for joint in model.joint_names]
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "motion.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(np.column_stack([motion.time, motion.q, motion.v, tau]).tolist())
    status = f"{len(tau)} rows of {options.dt:g} s; replace the columns tau: by measured joint forces: {path}"
    print_result({"ok": True, "status": status, "file": str(path), "rows": len(tau)}, status, options.as_json)


def identify_command(options: IdentifyOptions) -> None:
    """Inertial parameters and friction of a robot from a recorded motion, with 95 % intervals.

    Example: carpal identify ur5 --recording out/ur5/motion.csv --out out/ur5
    """
    from carpal.dynamics import identify_inertia, smooth_motion

    model = options.load()
    time, q, tau = _read(options.recording, model.joint_names)
    seen = smooth_motion(time, q, tau, cutoff=options.cutoff)
    result = identify_inertia(
        model, seen.q, seen.v, seen.vdot, seen.tau, direction=seen.direction, friction=not options.frictionless
    )
    if not result:
        raise UnreachableError(result.status)
    rows = list(zip(result.base_names, result.base.tolist(), result.half_width.tolist(), strict=True))
    answer: dict[str, Any] = {
        "ok": True, "status": result.status, "robot": model.name, "samples": len(seen.time),
        "base_parameters": [{"name": name, "value": value, "half_width_95": half} for name, value, half in rows],
        "parameters": result.parameters.tolist(), "viscous": result.viscous.tolist(), "coulomb": result.coulomb.tolist(),
        "scatter": result.scatter.tolist(),
    }  # fmt: skip
    lines = [result.status, *(f"  {name:32s} {value:12.5g} +- {half:.2g}" for name, value, half in rows)]
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        path = options.out / f"{model.name}_identified.urdf"
        path.write_text(result.model.to_urdf())
        answer["urdf"] = str(path)
        lines.append(f"robot: {path}")
    print_result(answer, "\n".join(lines), options.as_json)


def _read(path: Path, joints: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time (rows), q and tau (rows, nv)."""
    try:
        with path.open(newline="") as file:
            reader = csv.reader(file)
            names = [name.strip() for name in next(reader, [])]
            text = [row for row in reader if row]
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}.") from None
    wanted = ["time", *(f"q:{joint}" for joint in joints), *(f"tau:{joint}" for joint in joints)]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise InputError(
            f"{path} has no column {', '.join(missing[:6])}; its columns: {', '.join(names[:20]) or 'none'}."
        )
    try:
        numbers = np.array([[float(row[names.index(name)]) for name in wanted] for row in text])
    except (ValueError, IndexError):
        raise InputError(f"{path} has a row that is not {len(names)} numbers.") from None
    if not len(numbers):
        raise InputError(f"{path} has no rows.")
    n = len(joints)
    return numbers[:, 0], numbers[:, 1 : 1 + n], numbers[:, 1 + n :]


def add_identify_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    add_command(app, "excite", excite_command)
    add_command(app, "identify", identify_command)
