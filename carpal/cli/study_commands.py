"""`carpal study run | show | compare | report`: campaigns from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carpal.cli.terminal import AsJson, print_result

if TYPE_CHECKING:
    from carpal.tasks import CampaignResult

DONE, NOT_DONE, INTERRUPTED = 0, 1, 130
study_app = typer.Typer(
    help="One question asked many times: studies from a file, with a journal, answers and comparisons.",
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(help="The folder of a campaign.")]


@study_app.command("run")
def run_command(
    file: Annotated[Path, typer.Argument(help="A study as TOML: task, options, factors, seeds, engines, metrics.")],
    out: Annotated[Path | None, typer.Option(help="Folder of the campaign; out/NAME-OF-THE-FILE by default.")] = None,
    processes: Annotated[int | None, typer.Option(help="Worker processes; one per core by default.")] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for tasks with a compiled run loop.")] = "cpu",
    cluster: Annotated[str | None, typer.Option(help="A Dask scheduler, tcp://HOST:PORT, or local:N.")] = None,
    recordings: Annotated[
        str, typer.Option(help="Cases to record: failures (up to ten, some of each cause), none, or numbers: 3,17.")
    ] = "failures",
    quiet: Annotated[bool, typer.Option(help="No progress bar.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a study, or go on with one that was stopped.

    Example: carpal study run study.toml --out out/study --processes 2
    """
    from carpal.tasks import campaign

    folder = out or Path("out") / file.stem
    shown = not (quiet or as_json)
    result = campaign(
        file, out=folder, processes=processes, device=device, cluster=cluster, recordings=_choice(recordings),
        progress=shown,
    )  # fmt: skip
    files = {name: str(folder / name) for name in ("journal.sqlite", "cases.parquet") if (folder / name).exists()}
    if not result.interrupted:
        files["report"] = _report(result, folder)
    if (folder / "recordings").exists():
        files["recordings"] = str(folder / "recordings")
    _print(result, files, as_json)
    raise typer.Exit(INTERRUPTED if result.interrupted else DONE if result.ok else NOT_DONE)


@study_app.command("show")
def show_command(folder: Folder, as_json: AsJson = False) -> None:
    """What a campaign says, as far as it has come; also while it runs.

    Example: carpal study show out/study
    """
    from carpal.tasks import open_campaign

    _print(open_campaign(folder), {}, as_json)


@study_app.command("compare")
def compare_command(
    a: Annotated[Path, typer.Argument(help="The folder of a campaign.")],
    b: Annotated[Path, typer.Argument(help="The folder of another, of the same task.")],
    as_json: AsJson = False,
) -> None:
    """Which cases changed between two campaigns, and if that is more than chance.

    Example: carpal study compare out/thesis out/tuned
    """
    from carpal.tasks import compare_campaigns, open_campaign

    first, second = open_campaign(a), open_campaign(b)
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
    print_result(result, "\n".join(lines), as_json)


@study_app.command("report")
def report_command(folder: Folder, as_json: AsJson = False) -> None:
    """Write the HTML report of a campaign anew.

    Example: carpal study report out/study
    """
    from carpal.tasks import open_campaign

    path = _report(open_campaign(folder), folder)
    print_result({"ok": True, "status": "the report was written.", "report": path}, f"report: {path}", as_json)


def add_study_commands(app: typer.Typer) -> None:
    """The group `study`."""
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
