"""`cases.parquet`: the table of a campaign, written in pieces: a million cases need no more memory than some.

The journal is read twice, once for the names of the columns and once for the rows; pieces have a fixed size, so the same
rows give the same bytes on every backend.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import RecordingError
from carpal.tasks.campaigns.case_table import CHUNK, CaseTable
from carpal.tasks.campaigns.study import Study

if TYPE_CHECKING:
    from carpal.tasks.campaigns.store import CaseStore

NAME = "cases.parquet"


def points_of(study: Study, numbers: np.ndarray) -> np.ndarray:
    """The point of every case."""
    return np.asarray(numbers) // (len(study.seeds) * max(1, len(study.engines)))


def factor_of(study: Study, name: str, numbers: np.ndarray) -> list[Any]:
    """A factor's value in every case."""
    points, back = np.unique(points_of(study, numbers), return_inverse=True)
    values = [study.values(int(point))[name] for point in points]
    kind = object if any(isinstance(value, str | bool) for value in values) else None
    return list(np.array(values, kind)[back].tolist())


def engines_of(study: Study, numbers: np.ndarray) -> list[str]:
    """The engine of every case; empty texts where the study names none."""
    names = study.engines or ("",)
    return list(np.array(names, object)[np.asarray(numbers) % len(names)])


def seeds_of(study: Study, numbers: np.ndarray) -> list[int]:
    """The seed of every case."""
    each = np.asarray(numbers) // max(1, len(study.engines)) % len(study.seeds)
    return list(np.array(study.seeds)[each].tolist())


def arrow_table(study: Study, rows: CaseTable, singles: Iterable[str], lists: Iterable[str]) -> Any:
    """Case, factors, engine, seed, state, ok, status and the named numbers, as a `pyarrow.Table`."""
    import pyarrow as pa

    columns: dict[str, Any] = {"case": pa.array(rows.numbers)}
    columns |= {f.name: pa.array(factor_of(study, f.name, rows.numbers)) for f in study.factors}
    if study.engines:
        columns["engine"] = pa.array(engines_of(study, rows.numbers), pa.string())
    columns["seed"] = pa.array(seeds_of(study, rows.numbers), pa.int64())
    columns |= {"state": rows.text("state"), "ok": pa.array(rows.good), "status": rows.text("status")}
    none, nan = [None] * len(rows), np.full(len(rows), np.nan)
    columns |= {name: pa.array(rows.singles.get(name, nan)) for name in singles}
    columns |= {name: pa.array(rows.listed(name) or none, pa.list_(pa.float64())) for name in lists}
    return pa.table(columns).combine_chunks()


def write_cases(folder: Path, study: Study, store: CaseStore) -> None:
    """Write the table of what the journal holds; it is there whole, or not at all."""
    from carpal.engines import parquet_writer, whole_file

    path = folder / NAME
    singles, lists = store.names()
    pieces = (arrow_table(study, CaseTable(rows), singles, lists) for rows in _pieces(store.rows()))
    try:
        with whole_file(path) as file:
            first = next(pieces, None)
            if first is None:
                first = arrow_table(study, CaseTable(), singles, lists)
            with parquet_writer(file, first.schema) as writer:
                for piece in itertools.chain([first], pieces):
                    writer.write_table(piece)
    except OSError as problem:
        raise RecordingError(f"'{path}' was not written: {problem.strerror}; the journal beside it is kept.") from None


def _pieces(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while piece := list(itertools.islice(rows, CHUNK)):
        yield piece


def read_cases(folder: Path, study: Study, store: CaseStore) -> CaseTable:
    """The rows from the table that was written at the end; from the journal where there is none, or that has gone on since."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = ("case", *(f.name for f in study.factors), "engine", "seed", "state", "ok", "status")
    try:
        table = pq.read_table(folder / NAME, page_checksum_verification=True)
        if table.num_rows == store.count():
            return CaseTable.from_arrow(table, table["case"].to_numpy(), known, *store.times())
    except (OSError, pa.ArrowException, KeyError):  # torn or strange: the journal has it all
        pass
    return CaseTable(store.rows())
