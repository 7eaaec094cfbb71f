"""`campaign`: one task, many cases, on processes, a GPU or a cluster."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal._core.progress import Bar
from carpal._core.result import Result
from carpal.errors import UnknownNameError, unknown_name
from carpal.spatial import Array
from carpal.tasks.campaigns.backends import backend_rows, checked_backend
from carpal.tasks.campaigns.case_recordings import checked_choice, record_cases
from carpal.tasks.campaigns.case_rows import case_rows
from carpal.tasks.campaigns.case_table import CaseTable
from carpal.tasks.campaigns.cases_file import arrow_table, engines_of, factor_of, read_cases, seeds_of, write_cases
from carpal.tasks.campaigns.store import CaseStore
from carpal.tasks.campaigns.study import Study, study_of
from carpal.tasks.campaigns.versions import versions
from carpal.tasks.registry import make_task
from carpal.tasks.task import Task


@dataclass(frozen=True, eq=False)
class CampaignResult(Result):
    """A study's finished cases.

    Args:
        study: what was asked.
        finished, succeeded, broken: how many cases have a row, did what the task asks, crashed or hung.
        interrupted: whether Ctrl-C ended it.
        folder: where it is kept.
        versions: of what the numbers may depend on.
        held: the rows, where there is no folder to read them from.
        runs: backend, cases and seconds of every time that some of them were run.
    """

    study: Study
    finished: int
    succeeded: int
    broken: int
    interrupted: bool = False
    folder: Path | None = None
    versions: dict[str, str] = field(default_factory=dict)
    held: CaseTable | None = field(default=None, repr=False)
    runs: Sequence[tuple[str, int, float]] = ()

    @functools.cached_property
    def rows(self) -> CaseTable:
        """Of every finished case, by number; read when it is first asked for."""
        if self.held is not None or self.folder is None:
            return self.held or CaseTable()
        with CaseStore(self.folder, None, len(self.study), reading=True) as store:
            return read_cases(self.folder, self.study, store)

    @property
    def ok(self) -> bool:
        """Whether every case has a score; a task that was not done is an answer, not a failure of the campaign."""
        return self.finished == len(self.study) and not self.broken

    @property
    def status(self) -> str:
        """One sentence."""
        total = len(self.study)
        if self.interrupted:
            kept = f"; they are kept in '{self.folder}', the same command resumes" if self.folder else ""
            return f"interrupted with {self.finished} of {total} cases finished{kept}."
        all_of = self.succeeded == self.finished > 0
        count = f"all {self.finished}" if all_of else f"{self.succeeded} of {self.finished}"
        outcome = f"{self.study.task} succeeded in {count} cases"
        more = f"; {self.broken} crashed or hung" if self.broken else ""
        return outcome + more + (f"; {total - self.finished} remain." if self.finished < total else ".")

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the numbers that the answers are about: the study's, or all that are single numbers."""
        return self.study.metrics or tuple(self.rows.singles)

    def factor(self, name: str) -> list[Any]:
        """A factor's value in every row."""
        known = [f.name for f in self.study.factors]
        if name not in known:
            raise unknown_name("factor of this study", name, known)
        return factor_of(self.study, name, self.rows.numbers)

    def metric(self, name: str) -> Array:
        """A number of every row; NaN where a row has none."""
        return self.rows.singles.get(name, np.full(len(self.rows), np.nan))

    @property
    def engines(self) -> list[str]:
        """Engine of every row; empty texts where the study names none."""
        return engines_of(self.study, self.rows.numbers)

    @property
    def seeds(self) -> list[int]:
        """Seed of every row."""
        return seeds_of(self.study, self.rows.numbers)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, each with its seed."""
        return [{**row, "seed": seed} for row, seed in zip(self.rows, self.seeds, strict=True)]

    def table(self) -> Any:
        """Case, factors, engine, seed, state, ok, status and all numbers, as a `pyarrow.Table`; the same on every backend."""
        return arrow_table(self.study, self.rows, self.rows.singles, self.rows.lists)

    def command(self, number: int) -> str:
        """The command line that replays a case."""
        case = self.study.case(number)
        return make_task(self.study.task, **case.options).command(case.seed)


def campaign(
    task: Study | Task | str | os.PathLike[str],
    options: Mapping[str, Any] | None = None,
    *,
    factors: Mapping[str, Any] | None = None,
    seeds: int | Iterable[int] | None = None,
    engines: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    draws: int | None = None,
    timeout: float | None = None,
    out: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    device: str = "cpu",
    cluster: str | None = None,
    recordings: str | Sequence[int] = "failures",
    progress: bool = False,
) -> CampaignResult:
    """Run a task many times, or resume.

    Args:
        task: a task or its name; or a `Study`, or the path of a study file, which hold everything up to `timeout` already.
        options: of the task, fixed.
        factors: name of an option to what it becomes, as in a study file: `{"x": {"grid": [0.0, 0.4, 5]}}` or `{"y": [0, 1]}`.
        seeds: of each point, how many or which; one by default.
        engines: values of the option `engine`; the task's own by default.
        metrics: numbers of the score that the answers are about; all by default.
        draws: how many values random factors take.
        timeout: [s] after which a case counts as hung; 600 by default.
        out: a folder for the journal and, at the end, `cases.parquet`. A restarted run with the same folder resumes; with one
            point and more seeds it runs the new ones.
        processes: worker processes; one per core by default. The table does not depend on it.
        device: "cuda" runs it on a GPU, where the task's run loop is compiled.
        cluster: a Dask scheduler's address, or "local:N".
        recordings: "failures" (up to ten, some of each cause), "none", or which cases are run once more and recorded in `out`.
        progress: show a bar with rate and time left on stderr.

    Example:
        >>> campaign("catch", {"vary": 1.0}, factors={"speed": [4.0, 5.0, 6.0]}, seeds=100, out="out/study")
    """
    asked = study_of(
        task,
        {
            "options": options,
            "factors": factors,
            "seeds": seeds,
            "engines": engines,
            "metrics": metrics,
            "draws": draws,
            "timeout": timeout,
        },
    )
    count = checked_backend(processes, device, cluster)
    wanted = checked_choice(recordings, len(asked), out is not None)
    if asked.points == 1:
        make_task(asked.task, **asked.case(0).options).check()
    about = {"study": asked.to_data(), "versions": versions()}
    with tempfile.TemporaryDirectory() as nowhere:
        folder = Path(nowhere if out is None else out)
        with CaseStore(folder, about, len(asked)) as store:
            interrupted = fill_journal(asked, store, count, device, cluster, progress)
            if out is None:
                return CampaignResult(
                    asked, *store.counts(), interrupted, None, about["versions"], CaseTable(store.rows()), store.runs()
                )
            if not interrupted:
                write_cases(folder, asked, store)
                interrupted = record_cases(folder, asked, store, wanted, progress)
            return CampaignResult(asked, *store.counts(), interrupted, folder, about["versions"], runs=store.runs())


def open_campaign(folder: str | os.PathLike[str]) -> CampaignResult:
    """A campaign that was run, or is being run, as far as it has come."""
    with CaseStore(Path(folder), None, reading=True) as store:
        study = Study.from_data(store.about["study"])
        return CampaignResult(study, *store.counts(), False, Path(folder), store.about["versions"], runs=store.runs())


def fill_journal(
    study: Study, store: CaseStore, processes: int, device: str, cluster: str | None, progress: bool
) -> bool:
    """Run the remaining cases; returns whether Ctrl-C ended it."""
    try:
        left = _first(study, store, store.left, device)
    except KeyboardInterrupt:
        return True
    rows, name = backend_rows(study, left, int((~store.finished).sum()), processes, device, cluster)
    bar = Bar(len(study), study.task, shown=progress, rate=True, done=float(store.finished.sum()))
    return store.keep(rows, name, bar)


def _first(study: Study, store: CaseStore, left: Iterator[int], device: str) -> Iterator[int]:
    """Where metrics are named: one case first, so that a name which does not exist is reported before the others run."""
    known = next((row["numbers"] for row in store.rows() if row["numbers"]), None) if study.metrics else {}
    while known is None:
        number = next(left, None)
        if number is None:
            return left
        case = study.case(number)
        row = case_rows(study.task, [(number, case.options, case.seed)], device)[0]
        store.add(row, device, row["seconds"])
        known = row["numbers"] or None
    if study.metrics:
        check_metrics(study, known)
    return left


def check_metrics(study: Study, numbers: dict[str, Any]) -> None:
    """Refuse a metric that the task's score does not have."""
    for name in study.metrics:
        if name not in numbers:
            raise UnknownNameError(str(unknown_name(f"metric of {study.task}", name, numbers)))
