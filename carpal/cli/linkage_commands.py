"""`carpal linkage`: a linkage's curve, toggles, ratios and force map from its TOML file, and pictures of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal.cli.options import OutOption, add_command, argument, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError


@dataclass(frozen=True, kw_only=True)
class LinkageOptions(OutOption):
    """Of `carpal linkage`."""

    file: Path = argument("A linkage as TOML; see docs/model.md and examples/linkages.")
    points: int = option(9, "Rows of the table, evenly over the stroke.")
    force: float | None = option(None, "Drive force [N m or N]; also prints the torque of each phalanx.")


def linkage_command(options: LinkageOptions) -> None:
    """How a linkage moves: angles and ratios against its drive, toggles and margins; with --out also pictures and files.

    Example: carpal linkage examples/linkages/six_bar_finger.toml --force -20 --out out/finger
    """
    import numpy as np

    from carpal.model import Linkage, output_torque

    points, force = options.points, options.force
    if not 2 <= points <= 100_000:
        raise InputError(f"--points must be from 2 to 100000; got {points}.")
    if force is not None and not np.isfinite(force):
        raise InputError(f"--force must be a finite number; got {force}.")
    linkage = Linkage.from_toml(options.file)
    curve = linkage.curve()
    drives = np.linspace(linkage.drive.start, linkage.drive.stop, points)
    poses, rates = curve.poses(drives), curve.rates(drives)
    least = curve.transmission_angle(curve.drives).min()
    answer: dict[str, Any] = {
        "ok": True,
        "status": str(curve),
        "linkage": linkage.name,
        "unit": linkage.unit,
        "steps": list(curve.steps),
        "drive": drives.tolist(),
        "angle_rad": {bar: poses[:, i, 2].tolist() for bar, i in linkage.index.items() if i},
        "ratio": {bar: rates[:, i, 2].tolist() for bar, i in linkage.index.items() if i},
        "travel_m": {slide.name: curve.travel(slide.name, drives).tolist() for slide in linkage.slides},
        "toggles": [{"drive": toggle.drive, "kind": toggle.kind} for toggle in curve.toggles],
        "margins": [None if np.isinf(margin) else margin for margin in curve.margins],
        "dead_points": {bar: curve.dead_points(bar) for bar in linkage.moving},
        "least_transmission_angle_rad": None if np.isnan(least) else float(least),
        "closure_error": float(curve.gap(drives).max()),
    }
    shown = linkage.phalanges or linkage.moving
    if force is not None:
        answer["force"] = force
        torques = {bar: output_torque(curve, bar, drives, force) for bar in shown}
        answer["torque"] = {
            bar: [float(x) if np.isfinite(x) else None for x in values] for bar, values in torques.items()
        }
    if options.out is not None:
        answer["files"] = _write(curve, answer, options.out)
    print_result(answer, _text(curve, answer, shown), options.as_json)


def _write(curve: Any, answer: dict[str, Any], out: Path) -> dict[str, str]:
    from carpal.report import save_curve_picture, save_linkage_picture

    linkage = curve.linkage
    files = {
        "picture": str(save_linkage_picture(curve, out / f"{linkage.name}.png")),
        "curve": str(save_curve_picture(curve, out / f"{linkage.name}_curve.png")),
    }
    texts = {"table": ("json", json.dumps(answer))}
    if all(bar.mass is not None for bar in linkage.bars[1:]):
        texts["mjcf"] = ("xml", linkage.mjcf())
    for name, (suffix, text) in texts.items():
        path = out / f"{linkage.name}.{suffix}"
        path.write_text(text + "\n")
        files[name] = str(path)
    return files


def _text(curve: Any, answer: dict[str, Any], shown: tuple[str, ...]) -> str:
    import numpy as np

    turns = curve.linkage.unit == "rad"
    scale, unit, per = (180 / np.pi, "deg", "deg/deg") if turns else (1000.0, "mm", "deg/mm")
    lines = [answer["status"], "steps: " + "; ".join(answer["steps"])]
    margins = ["none" if m is None else f"{scale * m:.4g} {unit}" for m in answer["margins"]]
    lines.append(f"margin to a toggle: {margins[0]} before the start, {margins[1]} beyond the stop")
    dead = [f"{bar} {', '.join(f'{scale * d:.4g}' for d in at)}" for bar, at in answer["dead_points"].items() if at]
    if dead:
        lines.append(f"dead points [{unit}]: {'; '.join(dead)}")
    least = answer["least_transmission_angle_rad"]
    text = (
        "no transmission angle (loops without closed form)"
        if least is None
        else (f"least transmission angle {np.degrees(least):.1f} deg")
    )
    lines.append(f"{text}, closure error {answer['closure_error']:.1g}")
    torque = answer.get("torque")
    head = f"{f'drive [{unit}]':>12}" + "".join(f"{f'{bar} [deg]':>18}{per:>9}" for bar in shown)
    head += "".join(f"{f'{slide} [mm]':>14}" for slide in answer["travel_m"])
    lines.append(head + ("".join(f"{f'{bar} [N m]':>18}" for bar in shown) if torque else ""))
    ratio_scale = 1.0 if turns else 180 / np.pi / 1000
    for row, drive in enumerate(answer["drive"]):
        line = f"{scale * drive:>12.4f}"
        for bar in shown:
            line += f"{np.degrees(answer['angle_rad'][bar][row]):>18.4f}{ratio_scale * answer['ratio'][bar][row]:>9.4f}"
        line += "".join(f"{1000 * travel[row]:>14.4f}" for travel in answer["travel_m"].values())
        if torque:
            line += "".join(
                f"{'inf' if torque[bar][row] is None else format(torque[bar][row], '.5g'):>18}" for bar in shown
            )
        lines.append(line)
    lines += [f"{name}: {path}" for name, path in answer.get("files", {}).items()]
    return "\n".join(lines)


def add_linkage_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "linkage", linkage_command)
