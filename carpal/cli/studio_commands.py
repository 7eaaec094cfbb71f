"""The commands `carpal studio` and `carpal report`."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from carpal.cli.options import JsonOption, add_command, argument, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError, unknown_name
from carpal.tasks import labs, load_door

if TYPE_CHECKING:
    from carpal.viewer import ServedPage, Studio

OWN_PAGES = ("tasks", "shapes")
"""Pages of the viewer itself; labs register others."""


@dataclass(frozen=True, kw_only=True)
class StudioOptions:
    """Of `carpal studio`."""

    port: int = option(8400, "Port of the page; 0 takes a free one.")
    host: str = option("127.0.0.1", "Address to serve on; another one than 127.0.0.1 makes the page ask for a token.")
    out: Path = option(Path("out/studio"), "The run folder: the page reads and writes files only there.")
    page: str = option(
        "tasks",
        "tasks; shapes: two of them, distance and curvatures; retrieve: a relay clicked and fetched; telephone: signer "
        "and robots.",
    )
    task: str | None = option(None, "The task that the page opens with; the first by default.")


def studio_command(options: StudioOptions) -> None:
    """Serve the studio, a page to run tasks, look at pairs of shapes, fetch a relay or telephone; Ctrl-C ends it.

    Example: carpal studio --task catch --port 8400 --out out/studio
    """
    from carpal.viewer import is_loopback

    page = options.page
    pages = (*OWN_PAGES, *_lab_pages())
    if page not in pages:
        raise unknown_name("page", page, pages)
    if page != "tasks" and options.task is not None:
        raise InputError(f"--task is for the page of tasks; the page '{page}' has none.")
    with _page(options) as studio:
        lines = [f"studio: {studio.url}", *([f"run folder: {options.out}"] if page != "shapes" else [])]
        if studio.token is not None:
            lines.append(f"token: {studio.token}")
        if not is_loopback(options.host):
            lines.append("The connection is not encrypted: use it in a network that you trust.")
        try:
            print("\n".join([*lines, "Ctrl-C ends it."]), flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print("studio: ended.", flush=True)


def _page(options: StudioOptions) -> Studio | ServedPage:
    """The server of a page."""
    where: dict[str, Any] = {"host": options.host, "port": options.port}
    if options.page == "shapes":
        from carpal.viewer import ShapesPage

        return ShapesPage(**where)
    if options.page == "tasks":
        from carpal.viewer import Studio

        return Studio(options.out, task=options.task, **where)
    page: ServedPage = load_door(_lab_pages()[options.page])(options.out, **where)
    return page


def _lab_pages() -> dict[str, str]:
    """Pages that labs registered, as "module:function"."""
    return {name: where for lab in labs().values() for name, where in lab.pages.items()}


@dataclass(frozen=True, kw_only=True)
class ReportOptions(JsonOption):
    """Of `carpal report`."""

    recording: Path = argument("A recording: a .parquet file, or the folder of its parts.")
    out: Path | None = option(None, "The HTML file; beside the recording by default.")
    replay: bool = option(True, "Embed the 3-D replay (0.9 MB).")


def report_command(options: ReportOptions) -> None:
    """Write the report of a recording: one HTML file that opens without a network.

    Example: carpal report out/reach/recording.parquet --out out/reach/report.html
    """
    from carpal.engines import Recording
    from carpal.report import write_report

    target = options.recording.with_suffix(".html") if options.out is None else options.out
    path = write_report(Recording.load(options.recording), target, replay=options.replay)
    status = f"the report is {path} ({path.stat().st_size / 1e6:.1f} MB)."
    print_result({"ok": True, "status": status, "report": str(path)}, status, options.as_json)


def add_studio_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    add_command(app, "studio", studio_command)
    add_command(app, "report", report_command)
