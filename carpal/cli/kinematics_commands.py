"""`carpal ik` and `carpal workspace`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli.terminal import AsJson, Options, Out, Robot, load_robot, numbers, print_result
from carpal.errors import InputError, UnreachableError

Three = Annotated[str | None, typer.Option(help="Three numbers.")]


def ik_command(
    robot: Robot,
    point: Annotated[str, typer.Option(help="Where the tool goes: x y z [m].")],
    direction: Annotated[str | None, typer.Option(help="Where the tool points: x y z.")] = None,
    rpy: Annotated[str | None, typer.Option(help="Full attitude: roll pitch yaw [rad].")] = None,
    q0: Annotated[str | None, typer.Option(help="Configuration to start from: nq numbers.")] = None,
    method: Annotated[str, typer.Option(help="lm, newton, dls or ccd.")] = "lm",
    frame: Annotated[str | None, typer.Option(help="The frame that is to reach; the tool by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of the sampled starts.")] = 0,
    every: Annotated[bool, typer.Option("--all", help="Every solution, for arms that have a closed form.")] = False,
    roll: Annotated[float | None, typer.Option(help="With --all, 5 joints: angle of a free roll joint [rad].")] = None,
    arm_angle: Annotated[float | None, typer.Option(help="With --all, 7 joints: where the elbow is [rad].")] = None,
    prefer: Annotated[
        str, typer.Option(help="With --all: nearest answer by position or direction first.")
    ] = "position",
    option: Options = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Joint angles that bring the tool to a point, a point and a direction, or a pose.

    Example: carpal ik k10 --point 0.4 0.1 0.2 --direction 0 0 -1 --all
    """
    import numpy as np

    from carpal.kinematics import ik
    from carpal.spatial import pose_from_xyz_rpy

    model = load_robot(robot, option)
    p = _three("--point", point)
    target: Any = np.array(p)
    if direction is not None and rpy is not None:
        raise InputError("give --direction or --rpy, not both.")
    if direction is not None:
        target = (np.array(p), np.array(_three("--direction", direction)))
    elif rpy is not None:
        target = pose_from_xyz_rpy(p, _three("--rpy", rpy))
    start = None if q0 is None else np.array(numbers(q0, "--q0"))
    if every:
        print_result(*_every(model, target, start, frame, roll, arm_angle, prefer, out), as_json)
        return
    for name, value in (("--roll", roll), ("--arm-angle", arm_angle)):
        if value is not None:
            raise InputError(f"{name} needs --all: it chooses among every solution; got {value:g}.")
    result = ik(model, target, start, frame=frame, method=method, seed=seed)
    if not result:
        raise UnreachableError(result.status)
    answer: dict[str, Any] = {
        "ok": True, "status": result.status, "robot": model.name, "frame": result.frame, "method": method,
        "q": result.q.tolist(), "position_error_m": float(result.position_error),
        "angle_error_rad": float(result.angle_error), "iterations": int(result.iterations),
        "attempts": int(result.attempts),
    }  # fmt: skip
    lines = [result.status, "q: " + " ".join(f"{x:.9g}" for x in result.q)]
    if out is not None:
        from carpal.report import save_robot_picture

        answer["picture"] = str(save_robot_picture(model, out / f"{model.name}_ik.png", result.q))
        lines.append(f"picture: {answer['picture']}")
    print_result(answer, "\n".join(lines), as_json)


def _every(
    model: Any, target: Any, q0: Any, frame: str | None, roll: float | None, arm_angle: float | None, prefer: str,
    out: Path | None,
) -> tuple[dict[str, Any], str]:  # fmt: skip
    """Every solution as an answer and as lines; where there is none inside the limits, why and what comes nearest."""
    from carpal.kinematics import ik_all

    result = ik_all(model, target, q0=q0, roll=roll, arm_angle=arm_angle, prefer=prefer, frame=frame)
    picture = None
    if out is not None:
        from carpal.report import save_solutions_picture

        picture = str(save_solutions_picture(result, out / f"{model.name}_solutions.png"))
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


def workspace_command(
    robot: Robot,
    height: Annotated[float | None, typer.Option(help="Slice at this z [m], asked point by point.")] = None,
    direction: Annotated[str | None, typer.Option(help="In a slice: where the tool must point.")] = None,
    half: Annotated[float, typer.Option(help="Half side of the slice [m].")] = 1.0,
    step: Annotated[float, typer.Option(help="Grid step of the slice [m].")] = 0.02,
    samples: Annotated[int, typer.Option(help="Configurations sampled for the volume.")] = 200_000,
    seed: Annotated[int, typer.Option(help="Of the samples.")] = 0,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    option: Options = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Where a robot's tool can be: a sampled volume, or an exact slice.

    Example: carpal workspace k10 --height 0.2 --direction 0 0 -1 --out out/k10
    """
    with Bar(1, "inverse kinematics", shown=not as_json) as bar:
        if height is not None:
            answer, text = _slice(robot, option, height, direction, half, step, device, out, bar.to)
        else:
            answer, text = _cloud(robot, option, samples, seed, device, out)
    print_result(answer, text, as_json)


def _slice(
    robot: str, option: list[str] | None, height: float, direction: str | None, half: float, step: float, device: str,
    out: Path | None, progress: Any,
) -> tuple[dict[str, Any], str]:  # fmt: skip
    from carpal.kinematics import workspace_slice

    model = load_robot(robot, option)
    pointing = None if direction is None else _three("--direction", direction)
    span = (-half, half, -half, half)
    made = workspace_slice(model, height, span=span, step=step, direction=pointing, device=device, progress=progress)
    how = "" if pointing is None else f" with the tool pointing along ({', '.join(f'{x:g}' for x in pointing)})"
    status = f"{model.name} reaches {made.area:.4f} m^2 of the plane z = {height:g} m{how} ({1000 * step:g} mm grid)."
    answer: dict[str, Any] = {"ok": True, "status": status, "area_m2": made.area, "points": int(made.reachable.size)}
    lines = [status]
    if out is not None:
        from carpal.report import save_slice_picture

        title = f"{model.name}, z = {height:g} m{how}"
        answer["picture"] = str(save_slice_picture(made, out / f"{model.name}_slice.png", title=title))
        lines.append(f"picture: {answer['picture']}")
    return answer, "\n".join(lines)


def _cloud(
    robot: str, option: list[str] | None, samples: int, seed: int, device: str, out: Path | None
) -> tuple[dict[str, Any], str]:
    from carpal.kinematics import workspace

    model = load_robot(robot, option)
    cloud = workspace(model, count=samples, seed=seed, device=device)
    status = f"{model.name}: {cloud.status}"
    answer: dict[str, Any] = {
        "ok": True, "status": status, "volume_m3": cloud.volume, "missed_share": cloud.missed,
        "low_m": cloud.points.min(0).tolist(), "high_m": cloud.points.max(0).tolist(),
    }  # fmt: skip
    lines = [status]
    if out is not None:
        from carpal.report import save_cloud_picture

        answer["picture"] = str(save_cloud_picture(cloud, out / f"{model.name}_workspace.png", title=model.name))
        lines.append(f"picture: {answer['picture']}")
    return answer, "\n".join(lines)


def _three(name: str, text: str) -> list[float]:
    values = numbers(text, name)
    if len(values) != 3:
        raise InputError(f"{name} needs 3 numbers; got {len(values)}: '{text}'.")
    return values


def add_kinematics_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    app.command("ik")(ik_command)
    app.command("workspace")(workspace_command)
