"""`carpal plan`: a way from one configuration to another around everything in a scene, in time where limits are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli.terminal import AsJson, Out, numbers, print_result
from carpal.errors import InputError


def plan_command(
    scene: Annotated[Path, typer.Argument(help="A scene as TOML; see `Scene.from_toml`.")],
    goal: Annotated[str, typer.Option(help="Where to end: a number for each joint that moves [rad, m].")],
    start: Annotated[str | None, typer.Option(help="Where to begin; where the scene begins by default.")] = None,
    planner: Annotated[
        str | None, typer.Option(help="rrt_connect, sbl or est; by default the first, with a payload the second.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same way.")] = 0,
    joints: Annotated[
        list[str] | None, typer.Option(help="A joint, or a robot for all of its joints; may be repeated.")
    ] = None,
    margin: Annotated[float, typer.Option(help="Pairs at most this near [m] count as touching.")] = 0.0,
    resolution: Annotated[float, typer.Option(help="Largest joint step between two looks [rad, m].")] = 0.02,
    max_samples: Annotated[int, typer.Option(help="When to give up.")] = 20_000,
    forward: Annotated[bool, typer.Option(help="Grow only the start's tree (rrt_connect, est).")] = False,
    simplify: Annotated[bool, typer.Option(help="Shorten the way.")] = True,
    proof: Annotated[bool, typer.Option(help="Sweep every edge without gaps.")] = False,
    sheets: Annotated[bool, typer.Option(help="Meshes with holes are meant as sheets, such as terrain.")] = False,
    hold: Annotated[
        list[str] | None, typer.Option(help="OBJECT=BODY: the object is carried by the body; may be repeated.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="A,B: contact of these two does not count; may be repeated.")
    ] = None,
    v_max: Annotated[str | None, typer.Option(help="Speed limits for the motion: one number or one a joint.")] = None,
    vdot_max: Annotated[str | None, typer.Option(help="Acceleration limits: one number or one a joint.")] = None,
    period: Annotated[float, typer.Option(help="Time between the samples that --out writes [s].")] = 0.033,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Plan a way around obstacles; with --out also the path, the motion in time, and its picture.

    A table [payload] in the scene is something that the gripper holds and that may turn in it: the way is then free for every
    angle that it may have, and --out also writes payload.html, which shows these angles along the way.

    Example: carpal plan scene.toml --goal 0.5 0.4 0 -0.3 0 0.2 0 --vdot-max 5 --out out/plan
    """
    import numpy as np

    from carpal.cli.contact_commands import two_names
    from carpal.contact import collision_checker
    from carpal.model import Scene
    from carpal.planning import payload_from_dict, plan, prepare_payload

    if scene.suffix != ".toml":
        raise InputError(f"a scene file ends in .toml; got '{scene}'.")
    made = Scene.from_toml(scene)
    model = made.build()
    kinds = [kind for kind, _ in model.joint_slices()]
    plain = [name for name, kind in zip(model.joint_names, kinds, strict=True) if kind in ("revolute", "prismatic")]
    options: dict[str, Any] = {
        "joints": joints or (plain if len(plain) < len(kinds) else None), "margin": margin,
        "held": dict(two_names(text, "=", "--hold", "OBJECT=BODY") for text in hold or []),
        "exclude": [two_names(text, ",", "--exclude", "A,B") for text in exclude or []],
    }  # fmt: skip
    grasp: dict[str, Any] = {}
    checker: Any
    if made.payload is None:
        checker = collision_checker(made, **options)
    else:
        payload, angle, spread = payload_from_dict(made.payload)
        checker, grasp = prepare_payload(made, payload, **options), {"angle": angle, "spread": spread}
    begin = np.array(checker.model.q_home if start is None else numbers(start, "--start"))
    result = plan(
        checker, begin, np.array(numbers(goal, "--goal")), planner=planner, seed=seed, resolution=resolution,
        max_samples=max_samples, forward=forward, simplify=simplify, proof=proof, sheets=sheets, **grasp,
    )  # fmt: skip
    answer: dict[str, Any] = {
        "ok": result.ok, "status": result.status, "scene": made.name, "planner": result.planner, "seed": seed,
        "joints": list(checker.model.joint_names), "path": result.path.tolist(), "samples": result.samples,
        "checks": result.checks, "tree_sizes": list(result.tree_sizes), "seconds": result.seconds,
        "cost_found": result.cost_found, "cost": result.cost, "proven": result.proven, "files": {},
    }  # fmt: skip
    lines = [result.status]
    if result.ok and result.carried is not None:
        answer["payload"] = {
            "looks": len(result.angles), "settled_rad": result.angles.settled.intervals,
            "widest_rad": 2 * np.pi * float((result.angles.states > 0).mean(axis=1).max()),
        }  # fmt: skip
        lines.append(str(result.angles))
    if result.ok and len(result.path) > 1:
        limits = {"v_max": _limit(v_max, "--v-max"), "vdot_max": _limit(vdot_max, "--vdot-max")}
        known = limits["vdot_max"] is not None or bool(np.isfinite(checker.model.vdot_max).all())
        if known:
            motion = result.trajectory(**limits)
            answer["duration_s"] = motion.duration
            lines.append(motion.status)
        if out is not None:
            answer["files"] = _written(out, result, motion if known else None, period)
            lines += [f"{name}: {path}" for name, path in answer["files"].items()]
    print_result(answer, "\n".join(lines), as_json)
    if not result.ok:
        raise typer.Exit(1)


def _limit(text: str | None, what: str) -> Any:
    if text is None:
        return None
    given = numbers(text, what)
    return given[0] if len(given) == 1 else given


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
        files["picture"] = motion.plot(out / "trajectory.png", result.model)
    if result.carried is not None:
        from carpal.report import write_payload_replay

        files["payload"] = write_payload_replay(result, out / "payload.html")
    return {name: str(path) for name, path in files.items()}


def add_plan_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    app.command("plan")(plan_command)
