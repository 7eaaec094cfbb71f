"""`carpal ik` and `carpal workspace`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from carpal._core.progress import Bar
from carpal.cli.options import REQUIRED, OutOption, RobotOptions, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError, UnreachableError

Three = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class IkOptions(RobotOptions, OutOption):
    """Of `carpal ik`."""

    point: Three = option(REQUIRED, "Where the tool goes [m].")
    direction: Three | None = option(None, "Where the tool points. Example: --direction 0 0 -1, down.")
    rpy: Three | None = option(
        None, "Full attitude [rad]. Example: --rpy 3.14 0 0, the tool upside down.", form="roll pitch yaw"
    )
    q0: tuple[float, ...] | None = option(None, "Configuration to start from: nq numbers.")
    method: str = option("lm", "lm, newton, dls or ccd.")
    frame: str | None = option(None, "The frame that is to reach; the tool by default.")
    seed: int = option(0, "Of the sampled starts.")
    every: bool = option(False, "Every solution, for arms that have a closed form.", flag="--all")
    roll: float | None = option(None, "With --all, 5 joints: angle of a free roll joint [rad].")
    arm_angle: float | None = option(None, "With --all, 7 joints: where the elbow is [rad].")
    held: str | None = option(
        None, "With --all, 7 joints: hold one, JOINT=ANGLE [rad]. Example: --held panda_joint7=0.3."
    )
    prefer: str = option("position", "With --all: nearest answer by position or direction first.")


def ik_command(options: IkOptions) -> None:
    """Joint angles that bring the tool to a point, a point and a direction, or a pose.

    Example: carpal ik k10 --point 0.4 0.1 0.2 --direction 0 0 -1 --all
    """
    import numpy as np

    from carpal.kinematics import ik
    from carpal.spatial import pose_from_xyz_rpy

    model = options.load()
    target: Any = np.array(options.point)
    if options.direction is not None and options.rpy is not None:
        raise InputError("give --direction or --rpy, not both.")
    if options.direction is not None:
        target = (target, np.array(options.direction))
    elif options.rpy is not None:
        target = pose_from_xyz_rpy(options.point, options.rpy)
    q0 = None if options.q0 is None else np.array(options.q0)
    if options.every:
        print_result(*_every(model, target, q0, options), options.as_json)
        return
    for name, value in (("--roll", options.roll), ("--arm-angle", options.arm_angle), ("--held", options.held)):
        if value is not None:
            raise InputError(f"{name} needs --all: it chooses among every solution; got {value}.")
    result = ik(model, target, q0, frame=options.frame, method=options.method, seed=options.seed)
    if not result:
        raise UnreachableError(result.status)
    answer: dict[str, Any] = {
        "ok": True, "status": result.status, "robot": model.name, "frame": result.frame, "method": options.method,
        "q": result.q.tolist(), "position_error_m": float(result.position_error),
        "angle_error_rad": float(result.angle_error), "iterations": int(result.iterations),
        "attempts": int(result.attempts),
    }  # fmt: skip
    lines = [result.status, "q: " + " ".join(f"{x:.9g}" for x in result.q)]
    if options.out is not None:
        from carpal.report import save_robot_picture

        answer["picture"] = str(save_robot_picture(model, options.out / f"{model.name}_ik.png", result.q))
        lines.append(f"picture: {answer['picture']}")
    print_result(answer, "\n".join(lines), options.as_json)


def _every(model: Any, target: Any, q0: Any, options: IkOptions) -> tuple[dict[str, Any], str]:
    """Every solution as JSON and as lines; where there is none inside the limits, why and what comes nearest."""
    from carpal.kinematics import ik_all

    result = ik_all(
        model, target, q0=q0, roll=options.roll, arm_angle=options.arm_angle, locked=_held(options.held),
        prefer=options.prefer, frame=options.frame,
    )  # fmt: skip
    picture = None
    if options.out is not None:
        from carpal.report import save_solutions_picture

        picture = str(save_solutions_picture(result, options.out / f"{model.name}_solutions.png"))
    if not result:
        near = result.nearest
        advice = (
            "" if near is None else f" {str(near)[:1].upper()}{str(near)[1:]} q: {' '.join(f'{x:.9g}' for x in near.q)}"
        )
        raise UnreachableError(result.status + advice + (f" Picture: {picture}" if picture else ""))
    rows = [
        {"q": q.tolist(), "branch": result.branch_name(code), "in_limits": bool(inside)}
        for q, code, inside in zip(result, result.branch, result.in_limits, strict=False)
    ]
    free = result.free
    answer: dict[str, Any] = {
        "ok": True, "status": result.status, "robot": model.name, "frame": result.frame, "method": result.method,
        "free": None if free is None else {"name": free.name, "joint": free.joint, "value_rad": float(free.value)},
        "solutions": rows,
    }  # fmt: skip
    lines = [result.status]
    for row in rows:
        outside = "" if row["in_limits"] else ", outside the limits"
        lines.append("  " + " ".join(f"{x:11.6f}" for x in row["q"]) + f"   {row['branch']}{outside}")
    if picture:
        answer["picture"] = picture
        lines.append(f"picture: {picture}")
    return answer, "\n".join(lines)


def _held(words: str | None) -> dict[str, float] | None:
    """JOINT=ANGLE as `ik_all` takes it."""
    if words is None:
        return None
    name, _, angle = words.partition("=")
    try:
        return {name: float(angle)}
    except ValueError:
        raise InputError(f"--held needs JOINT=ANGLE [rad], such as q7=0.3; got {words!r:.60}.") from None


@dataclass(frozen=True, kw_only=True)
class WorkspaceOptions(RobotOptions, OutOption):
    """Of `carpal workspace`."""

    height: float | None = option(None, "Slice at this z [m], asked point by point.")
    direction: Three | None = option(None, "In a slice: where the tool must point.")
    half: float = option(1.0, "Half side of the slice [m].")
    step: float = option(0.02, "Grid step of the slice [m].")
    samples: int = option(200_000, "Configurations sampled for the volume.")
    seed: int = option(0, "Of the samples.")
    device: str = option("cpu", "cpu or cuda.")


def workspace_command(options: WorkspaceOptions) -> None:
    """Where a robot's tool can be: a sampled volume, or an exact slice.

    Example: carpal workspace k10 --height 0.2 --direction 0 0 -1 --out out/k10
    """
    model = options.load()
    with Bar(1, "inverse kinematics", shown=not options.as_json) as bar:
        answer, draw = _cloud(model, options) if options.height is None else _slice(model, options.height, options, bar)
    lines = [answer["status"]]
    if options.out is not None:
        answer["picture"] = str(draw(options.out))
        lines.append(f"picture: {answer['picture']}")
    print_result(answer, "\n".join(lines), options.as_json)


def _slice(model: Any, height: float, options: WorkspaceOptions, bar: Bar) -> tuple[dict[str, Any], Any]:
    from carpal.kinematics import workspace_slice

    half, pointing = options.half, options.direction
    made = workspace_slice(
        model, height, span=(-half, half, -half, half), step=options.step, direction=pointing, device=options.device,
        progress=bar.to,
    )  # fmt: skip
    how = "" if pointing is None else f" with the tool pointing along ({', '.join(f'{x:g}' for x in pointing)})"
    grid = f"{1000 * options.step:g} mm grid"
    status = f"{model.name} reaches {made.area:.4f} m^2 of the plane z = {height:g} m{how} ({grid})."
    answer: dict[str, Any] = {"ok": True, "status": status, "area_m2": made.area, "points": int(made.reachable.size)}

    def draw(out: Any) -> Any:
        from carpal.report import save_slice_picture

        return save_slice_picture(made, out / f"{model.name}_slice.png", title=f"{model.name}, z = {height:g} m{how}")

    return answer, draw


def _cloud(model: Any, options: WorkspaceOptions) -> tuple[dict[str, Any], Any]:
    from carpal.kinematics import workspace

    cloud = workspace(model, count=options.samples, seed=options.seed, device=options.device)
    answer: dict[str, Any] = {
        "ok": True, "status": f"{model.name}: {cloud.status}", "volume_m3": cloud.volume, "missed_share": cloud.missed,
        "low_m": cloud.points.min(0).tolist(), "high_m": cloud.points.max(0).tolist(),
    }  # fmt: skip

    def draw(out: Any) -> Any:
        from carpal.report import save_cloud_picture

        return save_cloud_picture(cloud, out / f"{model.name}_workspace.png", title=model.name)

    return answer, draw


def add_kinematics_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    add_command(app, "ik", ik_command)
    add_command(app, "workspace", workspace_command)
