"""`carpal arms`: thesis 4's comparison of manipulators, filtered and ranked."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

import typer

from carpal.cli.terminal import AsJson, print_result
from carpal.errors import InputError

NOT_DONE = 1


def arms_command(
    dof: Annotated[str | None, typer.Option(help="Freedoms: 7, or a range 6..7.", metavar="RANGE")] = None,
    payload: Annotated[
        str | None, typer.Option(help="Largest payload [kg]: 3..10, or 3.. for 3 and more.", metavar="RANGE")
    ] = None,
    max_mass: Annotated[float | None, typer.Option(help="Own mass at most [kg].")] = None,
    maker: Annotated[str | None, typer.Option(help="Only of this maker.")] = None,
    rank: Annotated[str, typer.Option(help="What comes first: dof (then lightest), mass, payload or ratio.")] = "dof",
    as_json: AsJson = False,
) -> int:
    """Which manipulators meet a task's requirements (thesis 4, Table 3.1; 18 arms).

    Example: carpal arms --dof 7 --payload 3..10 --max-mass 35
    """
    from carpal.model import arms

    found = arms(_range("--dof", dof), _range("--payload", payload), max_mass, maker=maker, rank=rank)
    rows = [{**dataclasses.asdict(arm), "payload_ratio": arm.payload_ratio} for arm in found]
    answer: dict[str, Any] = {"ok": found.ok, "status": found.status, "arms": rows}
    lines = [found.status]
    if rows:
        lines.append(f"{'maker':<18}{'model':<10}{'dof':>4}{'payload [kg]':>14}{'mass [kg]':>11}{'payload/mass':>14}")
    for arm in found:
        lines.append(
            f"{arm.maker:<18}{arm.name:<10}{arm.dof:>4}{arm.payload:>14g}{arm.mass:>11g}{arm.payload_ratio:>14.3f}"
        )
    print_result(answer, "\n".join(lines), as_json)
    return 0 if found else NOT_DONE


def _range(name: str, text: str | None) -> Any:
    """None, a number, or (least, most)."""
    if text is None:
        return None
    low, dots, high = text.partition("..")
    try:
        if not dots:
            return (float(low), float(low)) if name == "--dof" else float(low)
        return (float(low) if low else 0.0, float(high) if high else math.inf)
    except ValueError:
        raise InputError(f"{name} must be a number or a range such as 3..10; got '{text}'.") from None


def add_arms_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    app.command("arms")(arms_command)
