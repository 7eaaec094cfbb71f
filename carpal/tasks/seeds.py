"""One task over many seeds, on all cores, with a journal: killed and started again, it gives the same table."""

from __future__ import annotations

import json
import math
import os
import platform
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal import __version__
from carpal._core.progress import Bar
from carpal._core.result import Result
from carpal.errors import InputError, RecordingError
from carpal.tasks.campaigns.backends import backend_rows, checked_backend
from carpal.tasks.campaigns.store import CaseStore
from carpal.tasks.campaigns.study import Case
from carpal.tasks.options import options_as_dict
from carpal.tasks.registry import make_task
from carpal.tasks.task import whole_number

LARGEST_SEED = 99_999_999
"""The journal has a bit for each seed up to the largest that is asked for."""


@dataclass(frozen=True, eq=False)
class SeedsResult(Result):
    """The scores of many seeds.

    Args:
        task, options: what was run.
        rows: `{"seed", "ok", "status", "numbers"}` of every finished seed, by seed.
        asked: how many seeds were asked for.
        interrupted: whether somebody ended it by Ctrl-C.
        kept: where the journal is.
    """

    task: str
    options: dict[str, Any]
    rows: list[dict[str, Any]] = field(repr=False)
    asked: int
    interrupted: bool = False
    kept: str | None = None

    @property
    def ok(self) -> bool:
        """Whether every seed was run and every one did what was asked."""
        return len(self.rows) == self.asked and all(row["ok"] for row in self.rows)

    @property
    def status(self) -> str:
        """One true sentence."""
        if self.interrupted:
            kept = f"; they are kept in '{self.kept}', the same command goes on from there" if self.kept else ""
            return f"interrupted with {len(self.rows)} of {self.asked} seeds finished{kept}."
        bad = [row for row in self.rows if not row["ok"]]
        if not bad:
            return f"{self.task} succeeded on all {self.asked} seeds."
        done = f"{self.task} succeeded on {len(self.rows) - len(bad)} of {self.asked} seeds"
        return f"{done}; the first other, seed {bad[0]['seed']}: {bad[0]['status']}"

    def numbers(self) -> dict[str, np.ndarray]:
        """Every single number of the scores as a column (rows); NaN where a seed has none."""
        names = sorted({n for row in self.rows for n, value in row["numbers"].items() if not isinstance(value, list)})
        return {name: np.array([row["numbers"].get(name, np.nan) for row in self.rows], float) for name in names}

    def summary(self) -> dict[str, dict[str, float]]:
        """Least, median, mean and greatest of every number, over the seeds that have it."""
        out = {}
        for name, values in self.numbers().items():
            there = values[np.isfinite(values)]
            if len(there):
                out[name] = {
                    "least": float(there.min()), "median": float(np.median(there)),
                    "mean": float(there.mean()), "greatest": float(there.max()),
                }  # fmt: skip
        return out

    def table(self) -> Any:
        """Seed, ok, status and the numbers, as a `pyarrow.Table`."""
        import pyarrow as pa

        columns: dict[str, Any] = {
            "seed": pa.array([row["seed"] for row in self.rows], pa.int64()),
            "ok": pa.array([row["ok"] for row in self.rows], pa.bool_()),
            "status": pa.array([row["status"] for row in self.rows], pa.string()),
        }
        columns |= {name: pa.array(values) for name, values in self.numbers().items()}
        for name in sorted({n for row in self.rows for n, value in row["numbers"].items() if isinstance(value, list)}):
            columns[name] = pa.array([row["numbers"].get(name) for row in self.rows], pa.list_(pa.float64()))
        about = {"task": self.task, "options": self.options, "carpal": __version__}
        return pa.table(columns, metadata={"carpal.seeds": json.dumps(about, sort_keys=True)})


def run_seeds(
    task: str,
    options: Mapping[str, Any] | None = None,
    seeds: int | Iterable[int] = 10,
    *,
    out: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    device: str = "cpu",
    cluster: str | None = None,
    progress: bool = False,
) -> SeedsResult:
    """Score a task for many seeds.

    Args:
        task: a name from `tasks()`, or "module:Class" of your own.
        options: of the task.
        seeds: how many (0, 1, ...), or which.
        out: a folder for `journal.sqlite` and, at the end, `seeds.parquet`. Started again with the same folder it goes on
            where it was, after Ctrl-C or a crash.
        processes: worker processes; one per core by default. The table does not depend on it.
        device: "cuda" runs them on a GPU, where the task's run loop is compiled.
        cluster: a Dask scheduler's address, or "local:N".
        progress: show a bar on stderr when it takes over two seconds.

    Example:
        >>> run_seeds("reach", {"spread": 0.2}, 200, out="out/study").summary()
    """
    checked = make_task(task, **(options or {}))
    checked.check()
    plain = options_as_dict(checked.options)
    wanted = _seeds(seeds)
    count = checked_backend(processes, device, cluster)
    about = {"task": task, "options": plain, "versions": versions()}
    cases = _SeedCases(task, plain)
    with tempfile.TemporaryDirectory() as nowhere, CaseStore(Path(out or nowhere), about, wanted[-1] + 1) as store:
        left = [seed for seed in wanted if not store.finished[seed]]
        bar = Bar(len(wanted), task, shown=progress, done=len(wanted) - len(left))
        interrupted = store.keep(*backend_rows(cases, iter(left), len(left), count, device, cluster), bar)
        asked = set(wanted)
        rows = [
            {"seed": row["number"], **{key: row[key] for key in ("ok", "status", "numbers")}}
            for row in store.rows()
            if row["number"] in asked
        ]
        kept = None if out is None else str(store.path)
        result = SeedsResult(task, plain, rows, len(wanted), interrupted, kept)
        if out is not None and not interrupted:
            _write_table(Path(out) / "seeds.parquet", result)
    return result


@dataclass(frozen=True)
class _SeedCases:
    """The cases of many seeds: a case's number is its seed, so that more of them can be asked for later."""

    task: str
    options: dict[str, Any]
    timeout: float = math.inf

    def case(self, number: int) -> Case:
        """The case of a seed."""
        return Case(number, 0, self.options, "", number)


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    if isinstance(seeds, int | np.integer):
        return list(range(whole_number("seeds", seeds, 1)))
    try:
        listed = [whole_number("a seed", seed) for seed in seeds]
    except TypeError:
        raise InputError(f"seeds must be how many or which; got {seeds!r:.60}.") from None
    if not listed:
        raise InputError("seeds must name at least one seed.")
    if max(listed) > LARGEST_SEED:
        raise InputError(f"a seed may be at most {LARGEST_SEED}; got {max(listed)}.")
    return sorted(set(listed))


def versions() -> dict[str, str]:
    """What the numbers may depend on: rows made by different ones must not be mixed."""
    import importlib.metadata

    from carpal._core.compile import kernels_hash

    named = {}
    for name in ("numpy", "numba", "mujoco"):
        try:
            named[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:  # a machine that only runs compiled tasks may lack MuJoCo
            named[name] = "absent"
    return {"carpal": __version__, "kernels": kernels_hash(), "python": platform.python_version(), **named}


def _write_table(path: Path, result: SeedsResult) -> None:
    from carpal.engines import parquet_bytes, write_whole

    try:
        write_whole(path, parquet_bytes(result.table()))
    except OSError as problem:
        raise RecordingError(f"'{path}' was not written: {problem.strerror}; the journal beside it is kept.") from None
