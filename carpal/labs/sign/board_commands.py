"""`carpal sign calibrate`: where the servos of a hand stand at both ends of every motor, into a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli import AsJson, print_result
from carpal.errors import InputError, unknown_name
from carpal.labs.sign.option_groups import RobotName

WAYS = ("hand", "load")


def numbered(motors: tuple[str, ...], given: str) -> dict[str, int]:
    """Motor to servo id from "3,4,..." in the motors' order, or "index=3,thumb=4,..."; by default 1, 2, ..."""
    words = [word.strip() for word in given.split(",") if word.strip()] or [str(k + 1) for k in range(len(motors))]
    named = [word.partition("=") for word in words]
    if all(sign for _, sign, _ in named):
        for name, _, _ in named:
            if name not in motors:
                raise unknown_name("motor", name, motors)
        pairs = {name: one for name, _, one in named}
        missing = [name for name in motors if name not in pairs]
    else:
        pairs = dict(zip(motors, words, strict=False))
        missing = list(motors[len(words) :]) or ([] if len(words) == len(motors) else ["fewer servos"])
    if missing:
        raise InputError(f"--ids names {len(words)} servos; the robot has {len(motors)} motors: {', '.join(motors)}.")
    if not all(one.isdigit() for one in pairs.values()):
        raise InputError(f"--ids must be whole numbers; got '{given}'.")
    return {name: int(one) for name, one in pairs.items()}


def calibrate_command(
    file: Annotated[Path, typer.Argument(help="File to write, .toml.")],
    port: Annotated[str, typer.Option(help="Serial device of the bus.")],
    robot: RobotName = "parloma",
    arm: Annotated[str, typer.Option(help="An arm whose joints are on the bus too; none: the hand alone.")] = "none",
    series: Annotated[str, typer.Option(help="sts or scs (Feetech), x (Dynamixel).")] = "sts",
    baud: Annotated[int, typer.Option(help="Of the bus.")] = 1_000_000,
    ids: Annotated[str, typer.Option(help="Ids in the motors' order, or motor=id pairs; 1, 2, ... by default.")] = "",
    by: Annotated[
        str, typer.Option(help="hand: you move each motor to both ends; load: servos drive gently to their stops.")
    ] = "hand",
    reverse: Annotated[
        str, typer.Option(help="Motors whose low end is at the servo's large angle, with --by load.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Find zero, direction, gear and range of every servo of a hand, and write them to a file for `receive --board`.

    Example: carpal sign calibrate mine.toml --robot parloma --port /dev/ttyUSB0
    """
    from carpal.labs.sign.board.calibrating import calibrated, ends_by_hand, ends_by_load
    from carpal.labs.sign.board.simulated_board import PERIOD
    from carpal.labs.sign.files.calibration import Calibration, open_bus
    from carpal.labs.sign.hand.sign_hand import sign_hand
    from carpal.labs.sign.motor_table import motors_of
    from carpal.labs.sign.robot import mount_hand

    if by not in WAYS:
        raise unknown_name("way to calibrate", by, WAYS)
    if file.suffix != ".toml":
        raise InputError(f"a calibration is a file that ends in .toml; got '{file.name}'.")
    motors = motors_of(mount_hand(sign_hand(robot), arm))
    servos = numbered(motors.names, ids)
    bus = open_bus(series, port, baud)
    try:
        bus.check_rate(len(servos), PERIOD)
        bus.ping(list(servos.values()))
        if by == "hand":
            ends = ends_by_hand(bus, servos, _wait)
        else:
            ends = ends_by_load(bus, servos, reverse=[name.strip() for name in reverse.split(",") if name.strip()])
    finally:
        bus.close()
    found = calibrated(motors.names, servos, ends, motors.low.tolist(), motors.high.tolist(), motors.speed.tolist())
    Calibration(series, port, baud, found).save(file)
    status = f"{len(found)} motors of '{robot}' calibrated on '{port}'; written to {file}."
    result: dict[str, Any] = {
        "ok": True, "status": status, "file": str(file),
        "motors": [
            {"name": s.name, "id": s.id, "zero_rad": s.zero, "scale": s.scale, "low": s.low, "high": s.high} for s in found
        ],
    }  # fmt: skip
    lines = [status, *(f"{s.name:<20} servo {s.id:>3}  zero {s.zero:7.3f} rad  scale {s.scale:8.4f}" for s in found)]
    print_result(result, "\n".join(lines), as_json)


def _wait(what: str) -> None:
    typer.prompt(f"{what}, then press Enter", default="", show_default=False, prompt_suffix="", err=True)


def add_board_commands(group: typer.Typer) -> None:
    """`calibrate` of `carpal sign`."""
    group.command("calibrate")(calibrate_command)
