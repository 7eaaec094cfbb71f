"""`carpal view`: a robot in the browser."""

from __future__ import annotations

from dataclasses import dataclass

import typer

from carpal.cli.options import RobotOptions, add_command, option
from carpal.viewer import view


@dataclass(frozen=True, kw_only=True)
class ViewOptions(RobotOptions):
    """Of `carpal view`."""

    q: tuple[float, ...] | None = option(None, "Configuration to begin with [rad, m]; the home one by default.")
    port: int = option(8402, "Port of the page; 0 takes a free one.")
    browser: bool = option(False, "Open the page in the system's browser.", flag="--browser")


def view_command(options: ViewOptions) -> None:
    """Serve a page that shows a robot, with sliders and a target to drag; Ctrl-C ends it.

    Example: carpal view panda --port 8402
    """
    view(options.load(), options.q, port=options.port, browser=options.browser, wait=True)


def add_view_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "view", view_command)
