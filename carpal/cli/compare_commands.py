"""`carpal compare`: one scene in several engines, and the benchmark scenes.

Exit status 0 when every engine ran to the end and kept its own bounds, 1 when one did not, 2 for bad input. That engines agree
is not asked for: the table says where they part.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal.cli.options import OutOption, add_command, option
from carpal.cli.terminal import load_scene, print_result
from carpal.errors import InputError

DONE, NOT_DONE = 0, 1


@dataclass(frozen=True, kw_only=True)
class CompareOptions(OutOption):
    """Of `carpal compare`."""

    scene: str | None = dataclasses.field(
        default=None,
        metadata={
            "help": "A scene (.toml), a robot file, or the name of a benchmark scene.",
            "argument": True,
            "flag": "",
        },
    )
    engines: str | None = option(
        None, "Of modal, mujoco, penalty, rigid, with commas; the three with contact by default."
    )
    listed: bool = option(False, "List the benchmark scenes.", flag="--list")
    dt: float | None = option(None, "Longest step [s] of all engines; each one's own by default.")
    duration: float | None = option(None, "Simulated time [s]; 1, or the benchmark's, by default.")
    samples: int = option(200, "Intervals between the moments that are compared.")
    tolerance: float = option(1e-3, "Distance [m] of a body's points above which two trajectories have parted.")
    limit: float = option(60.0, "Wall time [s] of each engine, without compilation; then it is ended.")
    once: bool = option(False, "No runs at half and quarter steps.", flag="--once")
    accurate: bool = option(False, "The modal engine's accurate scheme.", flag="--accurate")


def compare_command(options: CompareOptions) -> int:
    """Run one scene in several engines: where they part, how each converges, energy, creep, penetration, cost.

    Example: carpal compare block_on_incline_slides --engines modal,mujoco --out out/compare

    Example: carpal compare --list
    """
    from carpal.engines import benchmark_scenes, compare

    if options.listed:
        return _list(options.as_json)
    if options.scene is None:
        raise InputError("give a scene, or --list for the names of the benchmark scenes.")
    path = Path(options.scene)
    by_file = path.suffix != "" or path.exists()
    what: Any = load_scene(path) if by_file and options.scene not in benchmark_scenes() else options.scene
    engines = None if options.engines is None else [name.strip() for name in options.engines.split(",")]
    result = compare(
        what, engines, duration=options.duration, dt=options.dt, samples=options.samples, tolerance=options.tolerance,
        limit=options.limit, accurate=options.accurate, refine=not options.once, progress=not options.as_json,
    )  # fmt: skip
    files: dict[str, str] = {}
    if options.out is not None:
        from carpal.report import write_comparison_report

        options.out.mkdir(parents=True, exist_ok=True)
        numbers = options.out / "comparison.json"
        numbers.write_text(json.dumps(result.to_dict(), allow_nan=False) + "\n")
        files = {
            "numbers": str(numbers),
            "report": str(write_comparison_report(result, options.out / "comparison.html")),
        }
    text = "\n".join([result.table(), *(f"{name}: {file}" for name, file in files.items())])
    print_result({**result.to_dict(), "files": files}, text, options.as_json)
    return DONE if result.ok else NOT_DONE


def _list(as_json: bool) -> int:
    from carpal.engines import benchmark_scenes

    known = benchmark_scenes()
    rows = [
        {"name": name, "about": each.about, "reference": each.source, "quantitative": each.quantitative,
         "duration_s": each.duration, "engines": list(each.engines), "extra": each.extra}
        for name, each in known.items()
    ]  # fmt: skip
    with_numbers = sum(each.quantitative for each in known.values())
    status = f"{len(known)} benchmark scenes, {with_numbers} with a reference in numbers."
    width = max(map(len, known))
    lines = [f"{name:<{width}}  {each.about} [{each.source}]" for name, each in known.items()]
    print_result({"ok": True, "status": status, "scenes": rows}, "\n".join([status, *lines]), as_json)
    return DONE


def add_compare_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "compare", compare_command)
