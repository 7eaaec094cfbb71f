"""The same question asked many times: `campaign(study, out="out/study")`, on processes, a GPU or a cluster."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError, UnknownNameError, unknown_name
from carpal.spatial import Array
from carpal.tasks.campaigns.case_scores import score_cases
from carpal.tasks.campaigns.case_table import CaseTable
from carpal.tasks.campaigns.cuda_backend import run_on_cuda
from carpal.tasks.campaigns.dask_backend import run_on_dask
from carpal.tasks.campaigns.process_backend import run_on_processes
from carpal.tasks.campaigns.store import DONE, CaseStore
from carpal.tasks.campaigns.study import Study
from carpal.tasks.progress import Bar
from carpal.tasks.registry import make_task
from carpal.tasks.seeds import versions
from carpal.tasks.task import whole_number

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, eq=False)
class CampaignResult:
    """Rows of a study's finished cases.

    Args:
        study: what was asked.
        rows: of every finished case, by number.
        interrupted: whether somebody ended it by Ctrl-C.
        folder: where it is kept.
        versions: of what the numbers may depend on.
    """

    study: Study
    rows: CaseTable = field(repr=False)
    interrupted: bool = False
    folder: Path | None = None
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether every case has a score; a task that was not done is an answer, not a failure of the campaign."""
        return len(self.rows) == len(self.study) and not self.broken

    @property
    def succeeded(self) -> int:
        """How many cases did what the task asks."""
        return int(self.rows.good.sum())

    @property
    def broken(self) -> int:
        """How many cases crashed or hung."""
        counted = self.rows.text("state").value_counts().to_pylist()
        return sum(int(entry["counts"]) for entry in counted if entry["values"] != DONE)

    @property
    def status(self) -> str:
        """One true sentence."""
        total = len(self.study)
        if self.interrupted:
            kept = f"; they are kept in '{self.folder}', the same command goes on from there" if self.folder else ""
            return f"interrupted with {len(self.rows)} of {total} cases finished{kept}."
        told = f"{self.study.task} succeeded in {self.succeeded} of {len(self.rows)} cases"
        more = f"; {self.broken} crashed or hung" if self.broken else ""
        return told + more + (f"; {total - len(self.rows)} are still to be run." if len(self.rows) < total else ".")

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.status

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the numbers that the answers are about: the study's, or all that are single numbers."""
        return self.study.metrics or tuple(self.rows.singles)

    @functools.cached_property
    def _points(self) -> np.ndarray:
        """Point of every row."""
        return self.rows.numbers // (len(self.study.seeds) * max(1, len(self.study.engines)))

    def factor(self, name: str) -> list[Any]:
        """A factor's value in every row."""
        known = [f.name for f in self.study.factors]
        if name not in known:
            raise unknown_name("factor of this study", name, known)
        values = [self.study.values(point)[name] for point in range(self.study.points)]
        kind = object if any(isinstance(value, str | bool) for value in values) else None
        return list(np.array(values, kind)[self._points].tolist())

    def metric(self, name: str) -> Array:
        """A number of every row; NaN where a row has none."""
        return self.rows.singles.get(name, np.full(len(self.rows), np.nan))

    @property
    def engines(self) -> list[str]:
        """Engine of every row; empty texts where the study names none."""
        names = self.study.engines or ("",)
        return list(np.array(names, object)[self.rows.numbers % len(names)])

    @property
    def seeds(self) -> list[int]:
        """Seed of every row."""
        each = self.rows.numbers // max(1, len(self.study.engines)) % len(self.study.seeds)
        return list(np.array(self.study.seeds)[each].tolist())

    def table(self) -> Any:
        """Case, factors, engine, seed, state, ok, status and all numbers, as a `pyarrow.Table`; the same on every backend."""
        import pyarrow as pa

        columns: dict[str, Any] = {"case": pa.array(self.rows.numbers)}
        columns |= {factor.name: pa.array(self.factor(factor.name)) for factor in self.study.factors}
        if self.study.engines:
            columns["engine"] = pa.array(self.engines, pa.string())
        columns["seed"] = pa.array(self.seeds, pa.int64())
        columns |= {
            "state": self.rows.text("state"),
            "ok": pa.array(self.rows.good),
            "status": self.rows.text("status"),
        }
        columns |= {name: pa.array(values) for name, values in self.rows.singles.items()}
        columns |= {name: pa.array(values, pa.list_(pa.float64())) for name, values in self.rows.lists.items()}
        return pa.table(columns).combine_chunks()

    def command(self, number: int) -> str:
        """The command line that replays a case."""
        case = self.study.case(number)
        return make_task(self.study.task, **case.options).command(case.seed)


def campaign(
    study: Study | str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    device: str = "cpu",
    cluster: str | None = None,
    progress: bool = False,
) -> CampaignResult:
    """Run a study, or go on with it.

    Args:
        study: or the path of a study file.
        out: a folder for the journal and, at the end, `cases.parquet`; started again with the same folder it goes on.
        processes: worker processes; one per core by default. The table does not depend on it.
        device: "cuda" runs it on a GPU, where the task's run loop is compiled.
        cluster: a Dask scheduler's address, or "local:N".
        progress: show a bar with rate and time left on stderr.

    Example:
        >>> campaign(Study("catch", {"vary": 1.0}, seeds=tuple(range(100))), out="out/study")
    """
    asked = study if isinstance(study, Study) else Study.from_toml(study)
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if sum((device != "cpu", cluster is not None, processes is not None)) > 1:
        raise InputError("choose one of processes, device cuda and cluster.")
    count = len(os.sched_getaffinity(0)) if processes is None else whole_number("processes", processes, 1)
    about = {"study": asked.to_data(), "versions": versions()}
    with tempfile.TemporaryDirectory() as nowhere:
        folder = Path(nowhere if out is None else out)
        with CaseStore(folder, about, len(asked)) as store:
            interrupted = _fill(asked, store, count, device, cluster, progress)
            kept = None if out is None else folder
            result = CampaignResult(asked, CaseTable(store.rows()), interrupted, kept, about["versions"])
            if kept is not None and not interrupted:
                _write_table(kept / "cases.parquet", result)
    return result


def open_campaign(folder: str | os.PathLike[str]) -> CampaignResult:
    """A campaign that was run, or is being run, as far as it has come."""
    with CaseStore(Path(folder), None, reading=True) as store:
        study = Study.from_data(store.about["study"])
        rows = _written_table(Path(folder) / "cases.parquet", study, store) or CaseTable(store.rows())
        return CampaignResult(study, rows, False, Path(folder), store.about["versions"])


def _written_table(path: Path, study: Study, store: CaseStore) -> CaseTable | None:
    """The rows from the table that was written at the end; None where there is none, or the journal has gone on since."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = ("case", *(f.name for f in study.factors), "engine", "seed", "state", "ok", "status")
    try:
        table = pq.read_table(path)
        if table.num_rows != store.count():
            return None
        return CaseTable.from_arrow(table, table["case"].to_numpy(), known, *store.times())
    except (OSError, pa.ArrowException, KeyError):  # torn or strange: the journal has it all
        return None


def _fill(study: Study, store: CaseStore, processes: int, device: str, cluster: str | None, progress: bool) -> bool:
    """Run what is left; returns whether somebody ended it."""
    try:
        left = _first(study, store, store.left, device)
    except KeyboardInterrupt:
        return True
    rows: Iterator[dict[str, Any] | None]
    if cluster is not None:
        rows, name = run_on_dask(study, left, cluster), "dask"
    elif device == "cuda":
        rows, name = run_on_cuda(study, left), "cuda"
    else:
        workers = min(processes, max(1, int((~store.finished).sum())))
        rows, name = run_on_processes(study, left, workers), "processes"
    bar = Bar(len(study), study.task, shown=progress, rate=True, done=float(store.finished.sum()))
    return store.keep(rows, name, bar)


def _first(study: Study, store: CaseStore, left: Iterator[int], device: str) -> Iterator[int]:
    """Where metrics are named: one case first, so that a name which does not exist is told before the rest is run."""
    known = next((row["numbers"] for row in store.rows() if row["numbers"]), None) if study.metrics else {}
    while known is None:
        number = next(left, None)
        if number is None:
            return left
        case = study.case(number)
        row = score_cases(study.task, [(number, case.options, case.seed)], device)[0]
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


def _write_table(path: Path, result: CampaignResult) -> None:
    from carpal.engines import parquet_bytes, write_whole
    from carpal.errors import RecordingError

    try:
        write_whole(path, parquet_bytes(result.table()))
    except OSError as problem:
        raise RecordingError(f"'{path}' was not written: {problem.strerror}; the journal beside it is kept.") from None
