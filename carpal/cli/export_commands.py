"""`carpal export`: a recording or a trajectory for another tool."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from carpal.cli.options import JsonOption, add_command, argument, option
from carpal.cli.terminal import load_robot, print_result
from carpal.errors import InputError


@dataclass(frozen=True, kw_only=True)
class ExportOptions(JsonOption):
    """Of `carpal export`."""

    source: Path = argument("A recording (.parquet, or a folder of parts) or a trajectory (.npz).")
    file: Path = argument("What to write: .csv, .mcap (Foxglove, ROS 2), .rrd (rerun), .usd, .usda or .usdc.")
    robot: str | None = option(None, "Whose joints a trajectory moves; without it no bodies are written.")
    dt: float = option(0.01, "Time between two samples of a trajectory [s].")


def export_command(options: ExportOptions) -> None:
    """Write a recording or a trajectory in the format of another tool.

    Example: carpal export run.parquet out/run.mcap
    """
    from carpal.engines import Recording
    from carpal.planning import Trajectory
    from carpal.report import export

    moving = options.source.suffix == ".npz"
    if options.robot is not None and not moving:
        raise InputError("--robot is for trajectories (.npz): a recording holds its own model.")
    thing = Trajectory.load(options.source) if moving else Recording.load(options.source)
    model = None if options.robot is None else load_robot(options.robot, None, None)
    done = export(thing, options.file, model=model, dt=options.dt)
    answer = {"ok": True, "status": done.status, "file": str(done.path), "rows": done.rows, "bytes": done.size,
              "left_out": list(done.left_out)}  # fmt: skip
    print_result(answer, done.status, options.as_json)


def add_export_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "export", export_command)
