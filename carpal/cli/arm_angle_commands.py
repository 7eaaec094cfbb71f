"""`carpal arm-angle`: where the elbow of a seven-joint arm may be, at a pose or along a path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal._core.progress import Bar
from carpal.cli.options import OutOption, RobotOptions, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError

NOT_DONE = 1
COLUMNS = ("time", "x", "y", "z", "roll", "pitch", "yaw")
POSE = "x y z roll pitch yaw"
Six = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class ArmAngleOptions(RobotOptions, OutOption):
    """Of `carpal arm-angle`."""

    pose: Six | None = option(None, "Where the tool is: x y z [m] roll pitch yaw [rad].", form=POSE)
    joints: tuple[float, ...] | None = option(None, "The same by a configuration: nq numbers [rad].")
    psi: float | None = option(None, "Also every configuration with this arm angle [rad].")
    line: Six | None = option(None, "Go straight to: x y z [m] roll pitch yaw [rad].", form=POSE)
    duration: float = option(1.0, "Of the straight line [s].")
    path: Path | None = option(None, "A CSV file with columns time,x,y,z,roll,pitch,yaw.")
    prefer: str = option("middle", "Along a path: middle (of the band) or speed (least).")
    elbow_above: float | None = option(None, "Along a path: least height of the elbow [m].")
    clearance: float = option(0.005, "Along a path: kept from every joint limit [rad].")


def arm_angle_command(options: ArmAngleOptions) -> int:
    """Feasible arm angles of a pose for each branch, or a continuous arm angle along a path.

    Example: carpal arm-angle sia5 --joints 0.3 0.6 -0.4 0.5 0.3 -0.6 0.2 --out out/elbow
    """
    model = options.load()
    if options.path is not None:
        if any(value is not None for value in (options.pose, options.joints, options.line, options.psi)):
            raise InputError("--path has all poses: give it without --pose, --joints, --line and --psi.")
        return _along(model, read_path(options.path), options)
    X = _start(model, options)
    if options.line is None:
        return _at_pose(model, X, options)
    if options.psi is not None:
        raise InputError("--psi is for one pose; along --line the arm angle is chosen.")
    from carpal.kinematics import PosePath

    return _along(model, PosePath.line(X, _pose(options.line), options.duration), options)


def _at_pose(model: Any, X: Any, options: ArmAngleOptions) -> int:
    import numpy as np

    from carpal.kinematics import arm_angle, arm_angle_intervals, ik_all

    psi, found = options.psi, arm_angle_intervals(model, X)
    rows = [{"branch": _branch(i), "low_rad": i.low, "high_rad": i.high, "margin_rad": i.margin} for i in found]
    answer: dict[str, Any] = {
        "ok": bool(found), "status": found.status, "robot": model.name, "X_WT": X.tolist(), "intervals": rows,
    }  # fmt: skip
    lines = [found.status]
    if options.joints is not None:
        answer["psi_rad"] = float(arm_angle(model, np.array(options.joints)))
        lines.append(f"the given configuration has arm angle {_degrees(answer['psi_rad'])} deg.")
    if rows:
        lines.append(f"  {'branch':<32}{'from [deg]':>11}{'to [deg]':>11}{'joint margin [deg]':>20}")
    for row in rows:
        lines.append(
            f"  {row['branch']:<32}{_degrees(row['low_rad']):>11}{_degrees(row['high_rad']):>11}"
            f"{_degrees(row['margin_rad']):>20}"
        )
    if psi is not None:
        solved = ik_all(model, X, arm_angle=psi)
        answer["solutions"] = {
            "psi_rad": psi, "status": solved.status, "q": solved.q[: len(solved)].tolist(),
            "in_limits": solved.in_limits[: len(solved)].tolist(),
        }  # fmt: skip
        lines.append(f"at {_degrees(psi)} deg: {solved.status}")
        for q, inside in zip(solved, solved.in_limits, strict=False):
            lines.append(f"  {'inside ' if inside else 'outside'} " + " ".join(f"{x: .6f}" for x in q))
    if options.out is not None:
        from carpal.report import save_intervals_picture

        answer["picture"] = str(save_intervals_picture(model, X, options.out / f"{model.name}_arm_angles.png", psi=psi))
        lines.append(f"picture: {answer['picture']}")
    print_result(_finite(answer), "\n".join(lines), options.as_json)
    return 0 if found and (psi is None or solved) else NOT_DONE


def _along(model: Any, path: Any, options: ArmAngleOptions) -> int:
    import numpy as np

    from carpal.kinematics import arm_angle_band

    with Bar(1, "cutting the band", shown=not options.as_json) as bar:
        band = arm_angle_band(
            model, path, prefer=options.prefer, elbow_above=options.elbow_above, clearance=options.clearance,
            progress=bar.to,
        )  # fmt: skip
    answer: dict[str, Any] = {
        "ok": band.ok, "status": band.status, "robot": model.name, "prefer": options.prefer,
        "time_s": band.time.tolist(), "psi_rad": band.psi.tolist(), "q": band.q.tolist(),
        "low_rad": band.low.tolist(), "high_rad": band.high.tolist(), "joint_margin_rad": band.joint_margin.tolist(),
        "largest_step_rad": band.largest_step,
    }  # fmt: skip
    lines = [band.status]
    if band.broken is not None:
        b = band.broken
        answer["broken"] = {"time_s": b.time, "fraction": b.fraction, "joints": list(b.joints), "cause": b.cause}
    if len(band.psi):
        lines.append(f"  {'time [s]':>9}{'psi [deg]':>11}{'band from':>11}{'to [deg]':>11}{'joint margin [deg]':>20}")
        for i in np.unique(np.linspace(0, len(band.psi) - 1, min(11, len(band.psi))).astype(int)):
            cells = (band.psi[i], band.low[i], band.high[i])
            lines.append(
                f"  {band.time[i]:>9.4g}" + "".join(f"{_degrees(x):>11}" for x in cells)
                + f"{_degrees(band.joint_margin[i]):>20}"
            )  # fmt: skip
    if options.out is not None:
        from carpal.report import save_band_picture

        answer["picture"] = str(save_band_picture(band, options.out / f"{model.name}_band.png"))
        lines.append(f"picture: {answer['picture']}")
    print_result(_finite(answer), "\n".join(lines), options.as_json)
    return 0 if band else NOT_DONE


def read_path(file: Path) -> Any:
    """A `PosePath` from a CSV file with a header line."""
    import csv

    from carpal.kinematics import PosePath
    from carpal.spatial import pose_from_xyz_rpy

    try:
        with file.open(newline="") as text:
            rows = list(csv.reader(text))
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the path '{file}' cannot be read: {problem}.") from None
    header = [cell.strip() for cell in rows[0]] if rows else []
    if tuple(header) != COLUMNS:
        raise InputError(f"the first line of '{file}' must be {','.join(COLUMNS)}; got '{','.join(header):.80}'.")
    poses, times = [], []
    for number, row in enumerate(rows[1:], start=2):
        try:
            values = [float(cell) for cell in row]
        except ValueError:
            raise InputError(
                f"line {number} of '{file}' has a cell that is no number: '{','.join(row):.80}'."
            ) from None
        if len(values) != len(COLUMNS):
            raise InputError(f"line {number} of '{file}' needs {len(COLUMNS)} numbers; got {len(values)}.")
        times.append(values[0])
        poses.append(pose_from_xyz_rpy(values[1:4], values[4:]))
    if len(poses) < 2:
        raise InputError(f"the path '{file}' needs two poses or more; got {len(poses)}.")
    return PosePath.of(poses, times)


def _start(model: Any, options: ArmAngleOptions) -> Any:
    import numpy as np

    from carpal.kinematics import fk

    if (options.pose is None) == (options.joints is None):
        raise InputError("give one of --pose and --joints (or a --path).")
    return fk(model, np.array(options.joints)) if options.pose is None else _pose(options.pose)


def _pose(values: Six) -> Any:
    from carpal.spatial import pose_from_xyz_rpy

    return pose_from_xyz_rpy(values[:3], values[3:])


def _branch(interval: Any) -> str:
    if len(interval.branch) == 2:
        return f"curve {interval.branch[0]}, arc {interval.branch[1]}"
    words = zip(("elbow", "shoulder", "wrist"), interval.branch, strict=True)
    return ", ".join(f"{name} {'+' if sign > 0 else '-'}" for name, sign in words)


def _degrees(radians: float) -> str:
    import math

    return f"{math.degrees(radians):.3f}" if math.isfinite(radians) else "none"


def _finite(value: Any) -> Any:
    """The same with infinite numbers as None, which JSON can hold."""
    import math

    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def add_arm_angle_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "arm-angle", arm_angle_command)
