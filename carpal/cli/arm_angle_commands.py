"""`carpal arm-angle`: where the elbow of a seven-joint arm may be, at a pose or along a path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli.terminal import AsJson, Options, Out, Robot, load_robot, numbers, print_result
from carpal.errors import InputError

NOT_DONE = 1
COLUMNS = ("time", "x", "y", "z", "roll", "pitch", "yaw")


def arm_angle_command(
    robot: Robot,
    pose: Annotated[str | None, typer.Option(help="Where the tool is: x y z [m] roll pitch yaw [rad].")] = None,
    joints: Annotated[str | None, typer.Option(help="The same by a configuration: nq numbers [rad].")] = None,
    psi: Annotated[float | None, typer.Option(help="Also every configuration with this arm angle [rad].")] = None,
    line: Annotated[str | None, typer.Option(help="Go straight to: x y z [m] roll pitch yaw [rad].")] = None,
    duration: Annotated[float, typer.Option(help="Of the straight line [s].")] = 1.0,
    path: Annotated[Path | None, typer.Option(help="A CSV file with columns time,x,y,z,roll,pitch,yaw.")] = None,
    prefer: Annotated[str, typer.Option(help="Along a path: middle (of the band) or speed (least).")] = "middle",
    elbow_above: Annotated[float | None, typer.Option(help="Along a path: least height of the elbow [m].")] = None,
    clearance: Annotated[float, typer.Option(help="Along a path: kept from every joint limit [rad].")] = 0.005,
    option: Options = None,
    as_json: AsJson = False,
    out: Out = None,
) -> int:
    """Feasible arm angles of a pose for each branch, or a continuous arm angle along a path.

    Example: carpal arm-angle sia5 --joints 0.3 0.6 -0.4 0.5 0.3 -0.6 0.2 --out out/elbow
    """
    model = load_robot(robot, option)
    if path is not None:
        if pose is not None or joints is not None or line is not None or psi is not None:
            raise InputError("--path has all poses: give it without --pose, --joints, --line and --psi.")
        return _along(model, read_path(path), prefer, elbow_above, clearance, as_json, out)
    X = _start(model, pose, joints)
    if line is not None:
        if psi is not None:
            raise InputError("--psi is for one pose; along --line the arm angle is chosen.")
        from carpal.kinematics import PosePath

        return _along(
            model, PosePath.line(X, _pose("--line", line), duration), prefer, elbow_above, clearance, as_json, out
        )
    return _at_pose(model, X, psi, joints, as_json, out)


def _at_pose(model: Any, X: Any, psi: float | None, joints: str | None, as_json: bool, out: Path | None) -> int:
    import numpy as np

    from carpal.kinematics import arm_angle, arm_angle_intervals, ik_all

    found = arm_angle_intervals(model, X)
    rows = [{"branch": _branch(i), "low_rad": i.low, "high_rad": i.high, "margin_rad": i.margin} for i in found]
    answer: dict[str, Any] = {
        "ok": bool(found), "status": found.status, "robot": model.name, "X_WT": X.tolist(), "intervals": rows,
    }  # fmt: skip
    lines = [found.status]
    if joints is not None:
        answer["psi_rad"] = float(arm_angle(model, np.array(numbers(joints, "--joints"))))
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
    if out is not None:
        from carpal.report import save_intervals_picture

        answer["picture"] = str(save_intervals_picture(model, X, out / f"{model.name}_arm_angles.png", psi=psi))
        lines.append(f"picture: {answer['picture']}")
    print_result(_finite(answer), "\n".join(lines), as_json)
    return 0 if found and (psi is None or solved) else NOT_DONE


def _along(
    model: Any, path: Any, prefer: str, elbow_above: float | None, clearance: float, as_json: bool, out: Path | None
) -> int:
    import numpy as np

    from carpal.kinematics import arm_angle_band

    with Bar(1, "cutting the band", shown=not as_json) as bar:
        band = arm_angle_band(model, path, prefer=prefer, elbow_above=elbow_above, clearance=clearance, progress=bar.to)
    answer: dict[str, Any] = {
        "ok": band.ok, "status": band.status, "robot": model.name, "prefer": prefer,
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
    if out is not None:
        from carpal.report import save_band_picture

        answer["picture"] = str(save_band_picture(band, out / f"{model.name}_band.png"))
        lines.append(f"picture: {answer['picture']}")
    print_result(_finite(answer), "\n".join(lines), as_json)
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


def _start(model: Any, pose: str | None, joints: str | None) -> Any:
    if (pose is None) == (joints is None):
        raise InputError("give one of --pose and --joints (or a --path).")
    if pose is not None:
        return _pose("--pose", pose)
    import numpy as np

    from carpal.kinematics import fk

    assert joints is not None
    return fk(model, np.array(numbers(joints, "--joints")))


def _pose(name: str, text: str) -> Any:
    from carpal.spatial import pose_from_xyz_rpy

    values = numbers(text, name)
    if len(values) != 6:
        raise InputError(f"{name} needs 6 numbers, x y z roll pitch yaw; got {len(values)}: '{text}'.")
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
    app.command("arm-angle")(arm_angle_command)
