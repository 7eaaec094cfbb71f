"""`carpal arms`: Prabhu's comparison of manipulators (PARLOMA, 2018), filtered and ranked."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import typer

from carpal.cli.options import JsonOption, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError

NOT_DONE = 1


@dataclass(frozen=True, kw_only=True)
class ArmsOptions(JsonOption):
    """Of `carpal arms`."""

    dof: str | None = option(None, "Freedoms: 7, or a range 6..7.", metavar="RANGE")
    payload: str | None = option(None, "Largest payload [kg]: 3..10, or 3.. for 3 and more.", metavar="RANGE")
    max_mass: float | None = option(None, "Own mass at most [kg].")
    maker: str | None = option(None, "Only of this maker.")
    rank: str = option("dof", "What comes first: dof (then lightest), mass, payload or ratio.")


def arms_command(options: ArmsOptions) -> int:
    """Which manipulators meet a task's requirements (Prabhu 2018, Table 3.1; 18 arms).

    Example: carpal arms --dof 7 --payload 3..10 --max-mass 35
    """
    from carpal.model import arms

    found = arms(
        _range("--dof", options.dof), _range("--payload", options.payload), options.max_mass, maker=options.maker,
        rank=options.rank,
    )  # fmt: skip
    rows = [{**dataclasses.asdict(arm), "payload_ratio": arm.payload_ratio} for arm in found]
    answer: dict[str, Any] = {"ok": found.ok, "status": found.status, "arms": rows}
    lines = [found.status]
    if rows:
        lines.append(f"{'maker':<18}{'model':<10}{'dof':>4}{'payload [kg]':>14}{'mass [kg]':>11}{'payload/mass':>14}")
    for arm in found:
        lines.append(
            f"{arm.maker:<18}{arm.name:<10}{arm.dof:>4}{arm.payload:>14g}{arm.mass:>11g}{arm.payload_ratio:>14.3f}"
        )
    print_result(answer, "\n".join(lines), options.as_json)
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
    add_command(app, "arms", arms_command)
