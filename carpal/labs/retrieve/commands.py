"""`carpal mountings`: the K10 arm mounted sideways and upside down, compared in its work area."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli import AsJson, Out, print_result


def mountings_command(
    step: Annotated[float, typer.Option(help="Grid step of the slice [m].")] = 0.02,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Compare the K10's two mountings: reach, view of the camera, torque of the waist.

    Example: carpal mountings --out out/k10
    """
    from carpal.labs.retrieve.studies.mountings import compare_mountings, comparison_sentence, save_mountings_picture

    with Bar(1, "inverse kinematics", shown=not as_json) as bar:
        maps = compare_mountings(step=step, device=device, progress=bar.to)
    status = comparison_sentence(maps)
    answer: dict[str, Any] = {"ok": True, "status": status, "mountings": {m.mounting: m.numbers for m in maps}}
    lines = [status]
    for m in maps:
        lines.append(f"{m.mounting}: " + ", ".join(f"{name} {value:.3g}" for name, value in m.numbers.items()))
    if out is not None:
        answer["picture"] = str(save_mountings_picture(maps, out / "k10_mountings.png"))
        lines.append(f"picture: {answer['picture']}")
    print_result(answer, "\n".join(lines), as_json)


def add_commands(app: typer.Typer) -> None:
    """Add the lab's commands to the command line."""
    app.command("mountings")(mountings_command)
