"""`carpal so101`: a real SO-101 arm moves to a point, with a pointing direction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from carpal.cli.options import REQUIRED, JsonOption, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError


@dataclass(frozen=True, kw_only=True)
class So101Options(JsonOption):
    """Of `carpal so101`."""

    port: str = option(REQUIRED, "Serial device of the arm, such as /dev/ttyACM0.")
    point: tuple[float, ...] | None = option(
        None, "Where the tool goes [m], in the arm's base; without it the joints are read.", form="x y z"
    )
    direction: tuple[float, ...] | None = option(None, "Along which the tool points; down by default.", form="x y z")
    speed: float = option(1.0, "Largest speed of a joint [rad/s].")
    acceleration: float = option(4.0, "Largest acceleration of a joint [rad/s^2].")
    floor: float = option(0.0, "Height that no link may go below [m].")
    record: Path | None = option(None, "Folder for a LeRobot dataset of the move.")
    task: str = option("Move to a point.", "The task's words in the dataset.")
    release: bool = option(False, "Switch the motors off at the end: the arm falls.", flag="--release")


def so101_command(options: So101Options) -> int:
    """Move an SO-101 (Feetech servos 1 to 6 at 1,000,000 baud) from where it stands to a point; Ctrl-C stops it there.

    Example: carpal so101 --port /dev/ttyACM0 --point 0.25 0 0.1 --record out/dataset
    """
    from carpal.control import FeetechBus
    from carpal.model import load
    from carpal.tasks import ServoArm, write_lerobot

    for name in ("point", "direction"):
        if getattr(options, name) is not None and len(getattr(options, name)) != 3:
            raise InputError(f"--{name} needs three numbers; got {len(getattr(options, name))}.")
    if options.record is not None and (options.record / "meta").exists():
        raise InputError(f"'{options.record}' already holds a dataset; choose another folder.")
    model = load("so101")
    bus = FeetechBus(options.port)
    try:
        arm = ServoArm(bus, model, speed=options.speed, acceleration=options.acceleration, floor=options.floor)
        if options.point is None:
            q = arm.read()
            status = (
                ", ".join(f"{name} {value:.4f}" for name, value in zip(model.joint_names, q, strict=True)) + " rad."
            )
            print_result({"ok": True, "status": status, "q": q.tolist()}, status, options.as_json)
            return 0
        move = arm.move_to(options.point, options.direction or (0.0, 0.0, -1.0))
        if options.release:
            arm.power_off()
    finally:
        bus.close()
    answer = {
        "ok": move.ok, "status": move.status, "rows": len(move.time), "rate_hz": move.rate,
        "q": move.q[-1].tolist() if len(move.q) else None,
        "q_goal": None if move.q_goal is None else move.q_goal.tolist(), "dataset": None,
    }  # fmt: skip
    lines = [move.status]
    if options.record is not None and len(move.time) > 1:
        answer["dataset"] = str(write_lerobot(options.record, model, [(options.task, move)]))
        lines.append(f"dataset: {options.record}")
    print_result(answer, "\n".join(lines), options.as_json)
    return 0 if move.ok else 1


def add_so101_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "so101", so101_command)
