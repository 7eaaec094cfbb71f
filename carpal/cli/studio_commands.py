"""The commands `carpal studio` and `carpal report`."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from carpal.cli.terminal import AsJson, print_result
from carpal.errors import InputError, unknown_name
from carpal.tasks import labs, load_door

if TYPE_CHECKING:
    from carpal.viewer import ServedPage, Studio

OWN_PAGES = ("tasks", "shapes")
"""Pages of the viewer itself; labs register others."""


def add_studio_commands(app: typer.Typer) -> None:
    """Add them to the command line."""
    app.command("studio")(studio_command)
    app.command("report")(report_command)


def studio_command(
    port: Annotated[int, typer.Option(help="Port of the page; 0 takes a free one.")] = 8400,
    host: Annotated[
        str, typer.Option(help="Address to serve on; another one than 127.0.0.1 makes the page ask for a token.")
    ] = "127.0.0.1",
    out: Annotated[Path, typer.Option(help="The run folder: the page reads and writes files only there.")] = Path(
        "out/studio"
    ),
    page: Annotated[
        str,
        typer.Option(
            help="tasks; shapes: two of them, distance and curvatures; retrieve: a relay clicked and fetched; "
            "telephone: signer and robots."
        ),
    ] = "tasks",
    task: Annotated[str | None, typer.Option(help="The task that the page opens with; the first by default.")] = None,
) -> None:
    """Serve the studio, a page to run tasks, look at pairs of shapes, fetch a relay or telephone; Ctrl-C ends it.

    Example: carpal studio --task catch --port 8400 --out out/studio
    """
    from carpal.viewer import is_loopback

    pages = (*OWN_PAGES, *_lab_pages())
    if page not in pages:
        raise unknown_name("page", page, pages)
    if page != "tasks" and task is not None:
        raise InputError(f"--task is for the page of tasks; the page '{page}' has none.")
    with _page(page, out, host, port, task) as studio:
        lines = [f"studio: {studio.url}", *([f"run folder: {out}"] if page != "shapes" else [])]
        if studio.token is not None:
            lines.append(f"token: {studio.token}")
        if not is_loopback(host):
            lines.append("The connection is not encrypted: use it in a network that you trust.")
        try:
            print("\n".join([*lines, "Ctrl-C ends it."]), flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print("studio: ended.", flush=True)


def _page(page: str, out: Path, host: str, port: int, task: str | None) -> Studio | ServedPage:
    """The server of a page."""
    if page == "shapes":
        from carpal.viewer import ShapesPage

        return ShapesPage(host=host, port=port)
    if page == "tasks":
        from carpal.viewer import Studio

        return Studio(out, host=host, port=port, task=task)
    opened: ServedPage = load_door(_lab_pages()[page])(out, host=host, port=port)
    return opened


def _lab_pages() -> dict[str, str]:
    """Pages that labs registered, as "module:function"."""
    return {name: where for lab in labs().values() for name, where in lab.pages.items()}


def report_command(
    recording: Annotated[Path, typer.Argument(help="A recording: a .parquet file, or the folder of its parts.")],
    out: Annotated[Path | None, typer.Option(help="The HTML file; beside the recording by default.")] = None,
    replay: Annotated[bool, typer.Option(help="Embed the 3-D replay (0.9 MB).")] = True,
    as_json: AsJson = False,
) -> None:
    """Write the report of a recording: one HTML file that opens without a network.

    Example: carpal report out/reach/recording.parquet --out out/reach/report.html
    """
    from carpal.engines import Recording
    from carpal.report import write_report

    target = recording.with_suffix(".html") if out is None else out
    path = write_report(Recording.load(recording), target, replay=replay)
    status = f"the report is {path} ({path.stat().st_size / 1e6:.1f} MB)."
    print_result({"ok": True, "status": status, "report": str(path)}, status, as_json)
