"""`carpal plan`: a collision-free path between two configurations in a scene, timed where limits are known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal.cli.contact_commands import SceneOptions
from carpal.cli.options import OutOption, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError

Three = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class PlanCommandOptions(SceneOptions, OutOption):
    """Of `carpal plan`."""

    goal: tuple[float, ...] | None = option(
        None,
        "Where to end: a number for each joint that moves [rad, m]; the numbers of several, to end at any of them.",
    )
    point: Three | None = option(None, "Instead of --goal: where the tool ends [m].")
    direction: Three | None = option(None, "With --point: where the tool points.")
    rpy: Three | None = option(None, "With --point: full attitude [rad].", form="roll pitch yaw")
    frame: str | None = option(None, "The frame of --point and --keep-...; the tool by default.")
    within: tuple[float, ...] | None = option(
        None, "With --point: how far from it along the goal's axes is allowed: one number or three [m]."
    )
    within_angle: tuple[float, ...] | None = option(
        None, "With --rpy: how far roll, pitch and yaw may be from it: one number or three [rad]; with --direction one."
    )
    keep_direction: Three | None = option(
        None,
        "Keep the frame's axis that points there at the start along this direction. Example: --keep-direction 0 0 1.",
    )
    keep_angle: float = option(0.1, "With --keep-direction: within this angle [rad].")
    keep_plane: Three | None = option(None, "Keep the frame on the plane with this normal through where it starts.")
    keep_line: Three | None = option(None, "Keep the frame on the line in this direction through where it starts.")
    keep_within: float = option(0.005, "With --keep-plane and --keep-line: within this distance [m].")
    start: tuple[float, ...] | None = option(None, "Where to begin; where the scene begins by default.")
    planner: str | None = option(
        None,
        "portfolio (default), spheres, prm_star (cheaper until time_limit), rrt_connect, sbl (default with a payload), est.",
    )
    seed: int = option(0, "Same seed, same path.")
    joints: list[str] | None = option(None, "A joint, or a robot for all of its joints; may be repeated.")
    resolution: float = option(0.02, "Largest joint step between two collision checks [rad, m].")
    time_limit: float | None = option(None, "When to give up [s]; 5 s without max_samples.")
    max_samples: int | None = option(None, "When to give up, exactly.")
    forward: bool = option(False, "Grow only the start's tree (rrt_connect, est).")
    simplify: bool = option(True, "Shorten the path.")
    proof: bool = option(True, "Sweep every edge without gaps.")
    sheets: bool = option(False, "Meshes with holes are meant as sheets, such as terrain.")
    v_max: tuple[float, ...] | None = option(None, "Speed limits for the motion: one number or one a joint.")
    vdot_max: tuple[float, ...] | None = option(None, "Acceleration limits: one number or one a joint.")
    jerk_max: tuple[float, ...] | None = option(None, "Jerk limits: one number or one a joint; none by default.")
    period: float = option(0.033, "Time between the samples that --out writes [s].")


def plan_command(options: PlanCommandOptions) -> int:
    """Plan a collision-free path; with --out also the path, the motion in time, and its picture.

    A table [payload] in the scene is something that the gripper holds and that may turn in it: the path is then free for every
    angle that it may have, and --out also writes payload.html, which shows these angles along the path.

    The goal is joint positions, or with --point a place, direction or attitude of the tool, reached in any posture.

    Example: carpal plan examples/scenes/cell.toml --goal 0.9 0.9 0 0 0 0 0 --vdot-max 5 --out out/plan
    """
    import numpy as np

    from carpal.contact import collision_checker
    from carpal.planning import payload_from_dict, plan, prepare_payload

    made = options.load()
    model = made.build()
    kinds = [kind for kind, _ in model.joint_slices()]
    plain = [name for name, kind in zip(model.joint_names, kinds, strict=True) if kind in ("revolute", "prismatic")]
    joints = options.joints or (plain if len(plain) < len(kinds) else None)
    more = {"joints": joints, "margin": options.margin, **options.collision_options}
    grasp: dict[str, Any] = {}
    checker: Any
    if made.payload is None:
        checker = collision_checker(made, **more)
    else:
        payload, angle, spread = payload_from_dict(made.payload)
        checker, grasp = prepare_payload(made, payload, **more), {"angle": angle, "spread": spread}
    begin = np.array(checker.model.q_home if options.start is None else options.start)
    constraints = _constraints(options, checker.model, begin)
    same = ("planner", "seed", "resolution", "time_limit", "max_samples", "forward", "simplify", "proof", "sheets")
    chosen: dict[str, Any] = {name: getattr(options, name) for name in same}
    chosen["constraints"] = constraints
    result = plan(checker, begin, _goal(options, checker.model.nq), **chosen, **grasp)
    answer: dict[str, Any] = {
        "ok": result.ok, "status": result.status, "scene": made.name, "planner": result.planner, "seed": options.seed,
        "joints": list(checker.model.joint_names), "path": result.path.tolist(), "samples": result.samples,
        "checks": result.checks, "tree_sizes": list(result.tree_sizes), "seconds": result.seconds,
        "cost_found": result.cost_found, "cost": result.cost, "proven": result.proven, "ended_by": result.ended_by,
        "goal_index": result.goal_index, "kept": list(result.kept),
        "clearance": result.clearance if result.ok and result.carried is None else None, "files": {},
    }  # fmt: skip
    lines = [result.status]
    if result.ok and result.carried is not None:
        answer["payload"] = {
            "samples": len(result.angles), "settled_rad": result.angles.settled.intervals,
            "widest_rad": 2 * np.pi * float((result.angles.states > 0).mean(axis=1).max()),
        }  # fmt: skip
        lines.append(str(result.angles))
    if result.ok and result.cost > 0:
        limits = {"v_max": _limit(options.v_max), "vdot_max": _limit(options.vdot_max)}
        limits["jerk_max"] = _limit(options.jerk_max)
        known = limits["vdot_max"] is not None or bool(np.isfinite(checker.model.vdot_max).all())
        if known:
            motion = result.trajectory(**limits)
            answer["duration_s"] = motion.duration
            lines.append(motion.status)
        if options.out is not None:
            answer["files"] = _written(options.out, result, motion if known else None, options.period)
            lines += [f"{name}: {path}" for name, path in answer["files"].items()]
    print_result(answer, "\n".join(lines), options.as_json)
    return 0 if result.ok else 1


def _constraints(options: PlanCommandOptions, model: Any, start: Any) -> list[Any]:
    """What the path keeps, from where the frame is at the start."""
    import numpy as np

    from carpal.kinematics import fk
    from carpal.planning import keep_direction, keep_on_line, keep_on_plane

    kept: list[Any] = []
    if options.keep_direction is None and options.keep_plane is None and options.keep_line is None:
        return kept
    if len(start) != model.nq:
        raise InputError(f"the start needs {model.nq} numbers; got {len(start)}.")
    X = fk(model, np.asarray(start, float), options.frame)
    if options.keep_direction is not None:
        axis = X[:3, :3].T @ np.array(options.keep_direction)
        kept.append(keep_direction(options.keep_direction, options.keep_angle, axis=axis, frame=options.frame))
    if options.keep_plane is not None:
        kept.append(keep_on_plane(X[:3, 3], options.keep_plane, options.keep_within, frame=options.frame))
    if options.keep_line is not None:
        kept.append(keep_on_line(X[:3, 3], options.keep_line, options.keep_within, frame=options.frame))
    return kept


def _goal(options: PlanCommandOptions, nq: int) -> Any:
    """Configurations, or a pose goal."""
    import numpy as np

    from carpal.planning import PoseGoal
    from carpal.spatial import pose_from_xyz_rpy

    if (options.goal is None) == (options.point is None):
        raise InputError("give --goal (joint positions) or --point (where the tool ends), one of them.")
    if options.point is None:
        for name in ("direction", "rpy", "within", "within_angle"):
            if getattr(options, name) is not None:
                raise InputError(f"--{name.replace('_', '-')} belongs to --point; --goal gives joint positions.")
        numbers = np.array(options.goal)
        several = len(numbers) > nq and len(numbers) % nq == 0
        return numbers.reshape(-1, nq) if several else numbers
    if options.direction is not None and options.rpy is not None:
        raise InputError("give --direction or --rpy, not both.")
    target: Any = np.array(options.point)
    if options.direction is not None:
        target = (target, np.array(options.direction))
    elif options.rpy is not None:
        target = pose_from_xyz_rpy(options.point, options.rpy)
    ranges = {"position": _limit(options.within), "angle": _limit(options.within_angle)}
    return PoseGoal(target, options.frame, **{name: x for name, x in ranges.items() if x is not None})


def _limit(values: tuple[float, ...] | None) -> Any:
    return values[0] if values is not None and len(values) == 1 else values


def _written(out: Path, result: Any, motion: Any, period: float) -> dict[str, str]:
    """The path and, where it is timed, the samples, the trajectory and its picture."""
    import numpy as np

    out.mkdir(parents=True, exist_ok=True)
    names = ",".join(result.model.joint_names)
    files = {"path": out / "path.csv"}
    np.savetxt(files["path"], result.path, delimiter=",", header=names, comments="", fmt="%.17g")
    if motion is not None:
        q, v, _ = motion.sample(period)
        times = period * np.arange(len(q))[:, None]
        files["samples"] = out / "samples.csv"
        header = "time," + names + "," + ",".join(f"v_{name}" for name in result.model.joint_names)
        np.savetxt(files["samples"], np.hstack([times, q, v]), delimiter=",", header=header, comments="", fmt="%.9g")
        files["trajectory"] = motion.save(out / "trajectory.npz")
        files["picture"] = out / "trajectory.png"
        motion.plot(files["picture"], result.model)
    if result.carried is not None:
        from carpal.report import write_payload_replay

        files["payload"] = write_payload_replay(result, out / "payload.html")
    return {name: str(path) for name, path in files.items()}


def add_plan_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    add_command(app, "plan", plan_command)
