"""`carpal study run | show | compare | report`: campaigns from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from carpal.cli.help_pages import HelpPages
from carpal.cli.options import JsonOption, add_command, argument, option
from carpal.cli.terminal import print_result

if TYPE_CHECKING:
    from carpal.tasks import CampaignResult

DONE, NOT_DONE, INTERRUPTED = 0, 1, 130
study_app = typer.Typer(
    help="One task, many cases: studies from a file, with a journal, answers and comparisons.",
    cls=HelpPages,
)


@dataclass(frozen=True, kw_only=True)
class RunOptions(JsonOption):
    """Of `carpal study run`."""

    file: Path = argument("A study as TOML: task, options, factors, seeds, engines, metrics.")
    out: Path | None = option(None, "Folder of the campaign; out/NAME-OF-THE-FILE by default.")
    processes: int | None = option(None, "Worker processes; one per core by default.")
    device: str = option("cpu", "cpu, or cuda for tasks with a compiled run loop.")
    cluster: str | None = option(None, "A Dask scheduler, tcp://HOST:PORT, or local:N.")
    recordings: str = option(
        "failures", "Cases to record: failures (up to ten, some of each cause), none, or numbers: 3,17."
    )
    quiet: bool = option(False, "No progress bar.")


@dataclass(frozen=True, kw_only=True)
class FolderOptions(JsonOption):
    """Of `carpal study show` and `carpal study report`."""

    folder: Path = argument("The folder of a campaign.")


@dataclass(frozen=True, kw_only=True)
class CompareOptions(JsonOption):
    """Of `carpal study compare`."""

    a: Path = argument("The folder of a campaign.")
    b: Path = argument("The folder of another, of the same task.")


def run_command(options: RunOptions) -> int:
    """Run a study, or resume one that was stopped.

    Example: carpal study run study.toml --out out/study --processes 2
    """
    from carpal.tasks import campaign

    folder = options.out or Path("out") / options.file.stem
    result = campaign(
        options.file, out=folder, processes=options.processes, device=options.device, cluster=options.cluster,
        recordings=_choice(options.recordings), progress=not (options.quiet or options.as_json),
    )  # fmt: skip
    files = {name: str(folder / name) for name in ("journal.sqlite", "cases.parquet") if (folder / name).exists()}
    if not result.interrupted:
        files["report"] = _report(result, folder)
    if (folder / "recordings").exists():
        files["recordings"] = str(folder / "recordings")
    _print(result, files, options.as_json)
    return INTERRUPTED if result.interrupted else DONE if result.ok else NOT_DONE


def show_command(options: FolderOptions) -> None:
    """What a campaign says, as far as it has come; also while it runs.

    Example: carpal study show out/study
    """
    from carpal.tasks import open_campaign

    _print(open_campaign(options.folder), {}, options.as_json)


def compare_command(options: CompareOptions) -> None:
    """Which cases changed between two campaigns, and if that is more than chance.

    Example: carpal study compare out/thesis out/tuned
    """
    from carpal.tasks import compare_campaigns, open_campaign

    first, second = open_campaign(options.a), open_campaign(options.b)
    found = compare_campaigns(first, second)
    lines = [found.status]
    for title, pairs in (("only B", found.gained), ("only A", found.lost)):
        lines += [f"  {title}: case {i} of A, {j} of B: {second.command(j)}" for i, j in pairs[:10]]
    for name, (of_a, of_b, away, chance) in found.numbers.items():
        lines.append(f"  {name:<28} median {of_a:.5g} -> {of_b:.5g}, difference {away:+.3g} (p = {chance:.2g})")
    result = {
        "ok": True, "status": found.status, "pairs": found.pairs, "gained": found.gained, "lost": found.lost,
        "chance": found.chance, "numbers": {name: list(values) for name, values in found.numbers.items()},
    }  # fmt: skip
    print_result(result, "\n".join(lines), options.as_json)


def report_command(options: FolderOptions) -> None:
    """Rewrite the HTML report of a campaign.

    Example: carpal study report out/study
    """
    from carpal.tasks import open_campaign

    path = _report(open_campaign(options.folder), options.folder)
    print_result({"ok": True, "status": "the report was written.", "report": path}, f"report: {path}", options.as_json)


def add_study_commands(app: typer.Typer) -> None:
    """Register the group `study`."""
    for name, run in (
        ("run", run_command), ("show", show_command), ("compare", compare_command), ("report", report_command),
    ):  # fmt: skip
        add_command(study_app, name, run)
    app.add_typer(study_app, name="study")


def _choice(text: str) -> str | list[int]:
    """`failures`, `none` or numbers."""
    parts = text.split(",")
    return [int(part) for part in parts] if all(part.strip().isdecimal() for part in parts) else text


def _report(result: CampaignResult, folder: Path) -> str:
    from carpal.report import write_campaign_report

    return str(write_campaign_report(result, folder / "report.html"))


def _print(result: CampaignResult, files: dict[str, str], as_json: bool) -> None:
    from carpal.tasks import causes, costs, percentiles, success_interval

    spread = percentiles(result)
    summary: dict[str, Any] = {
        "ok": result.ok, "status": result.status, "task": result.study.task, "cases": len(result.study),
        "finished": result.finished, "succeeded": result.succeeded, "numbers": spread,
        "causes": [{"why": why, "cases": count, "first": first} for why, count, first in causes(result)], "files": files,
    }  # fmt: skip
    lines = [result.status]
    if result.rows:
        low, high = success_interval(result.succeeded, len(result.rows))
        summary |= {"rate": result.succeeded / len(result.rows), "rate_low": low, "rate_high": high}
        lines.append(f"  success {100 * summary['rate']:.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f} %)")
    for name, row in spread.items():
        lines.append(f"  {name:<28} " + "  ".join(f"{p} {value:.5g}" for p, value in row.items()))
    summary["costs"] = costs(result)
    for backend, cost in summary["costs"].items():
        each = cost["worker_seconds_per_case"]
        lines.append(f"  {backend}: {cost['cases_per_second']:.3g} cases a second, {each:.3g} s of a worker for each")
    lines += [f"  {count} times: {why} (first: case {first})" for why, count, first in causes(result)[:8]]
    print_result(summary, "\n".join([*lines, *(f"{name}: {path}" for name, path in files.items())]), as_json)
