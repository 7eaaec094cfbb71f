"""Rows of finished cases as columns: a million of them fit where a million dictionaries would not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from carpal.spatial import Array

CHUNK = 50_000


class CaseTable(Sequence[dict[str, Any]]):
    """A sequence of rows `{"number", "state", "ok", "status", "numbers", "seconds", "backend"}` that is kept by columns.

    Args:
        rows: as of `CaseStore.rows`, by number; read once.
    """

    def __init__(self, rows: Iterable[dict[str, Any]] = ()) -> None:
        self.numbers = np.zeros(0, np.int64)
        self.good = np.zeros(0, bool)
        self.seconds = np.zeros(0)
        self._texts: dict[str, Any] = {}
        self._singles: dict[str, Array] = {}
        self._lists: dict[str, list[Any]] = {}
        parts: list[CaseTable] = []
        waiting: list[dict[str, Any]] = []
        for row in rows:
            waiting.append(row)
            if len(waiting) == CHUNK:
                parts.append(CaseTable._of(waiting))
                waiting = []
        self._join([*parts, CaseTable._of(waiting)])

    @classmethod
    def from_arrow(
        cls, table: Any, numbers: Any, known: tuple[str, ...], seconds: Array, backend: list[str]
    ) -> CaseTable:
        """From a written table whose columns besides the `known` ones are numbers; a tenth of the time of reading the journal."""
        import pyarrow as pa

        made = cls.__new__(cls)
        made.numbers, made.seconds = np.asarray(numbers, np.int64), seconds
        made.good = table["ok"].to_numpy()
        made._texts = {
            "state": table["state"],
            "status": table["status"],
            "backend": pa.chunked_array([pa.array(backend)]),
        }
        rest = [name for name in table.column_names if name not in known]
        made._singles = {n: table[n].to_numpy() for n in rest if pa.types.is_floating(table[n].type)}
        made._lists = {n: table[n].to_pylist() for n in rest if n not in made._singles}
        return made

    @classmethod
    def _of(cls, rows: list[dict[str, Any]]) -> CaseTable:
        """The columns of a few rows."""
        import pyarrow as pa

        part = cls.__new__(cls)
        part.numbers = np.array([row["number"] for row in rows], np.int64)
        part.good = np.array([row["ok"] for row in rows], bool)
        part.seconds = np.array([row["seconds"] for row in rows], float)
        part._texts = {key: pa.array([row[key] for row in rows], pa.string()) for key in ("state", "status", "backend")}
        names = {name for row in rows for name in row["numbers"]}
        lists = {name for row in rows for name, value in row["numbers"].items() if isinstance(value, list)}
        part._lists = {name: [_as_list(row["numbers"].get(name)) for row in rows] for name in lists}
        part._singles = {
            name: np.array([row["numbers"].get(name, np.nan) for row in rows], float) for name in names - lists
        }
        return part

    def _join(self, parts: list[CaseTable]) -> None:
        import pyarrow as pa

        self.numbers = np.concatenate([part.numbers for part in parts])
        self.good = np.concatenate([part.good for part in parts])
        self.seconds = np.concatenate([part.seconds for part in parts])
        self._texts = {
            key: pa.chunked_array([part._texts[key] for part in parts], pa.string())
            for key in ("state", "status", "backend")
        }
        lists = {name for part in parts for name in part._lists}
        singles = {name for part in parts for name in part._singles} - lists
        for name in sorted(lists):
            self._lists[name] = [x for part in parts for x in part.listed(name) or [None] * len(part.numbers)]
        for name in sorted(singles):
            columns = [part._singles.get(name, np.full(len(part.numbers), np.nan)) for part in parts]
            self._singles[name] = np.concatenate(columns)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        numbers: dict[str, Any] = {
            n: float(column[i]) for n, column in self._singles.items() if not np.isnan(column[i])
        }
        numbers |= {n: column[i] for n, column in self._lists.items() if column[i] is not None}
        texts = {key: column[i].as_py() for key, column in self._texts.items()}
        return {
            "number": int(self.numbers[i]), "ok": bool(self.good[i]), "seconds": float(self.seconds[i]), **texts,
            "numbers": numbers,
        }  # fmt: skip

    @property
    def singles(self) -> dict[str, Array]:
        """Every number that is single in every row; NaN where a row has none."""
        return self._singles

    @property
    def lists(self) -> dict[str, list[Any]]:
        """Numbers that come in lists; None where a row has none."""
        return self._lists

    def listed(self, name: str) -> list[Any] | None:
        """A column whose numbers come in lists, also where all of these rows hold only single ones; None where there is none."""
        if name in self._singles:
            return [_as_list(None if np.isnan(value) else float(value)) for value in self._singles[name]]
        return self._lists.get(name)

    def text(self, key: str) -> Any:
        """State, status or backend as an Arrow column."""
        return self._texts[key]


def _as_list(value: Any) -> list[float] | None:
    """A task may give one number in one case and several in another."""
    return value if value is None or isinstance(value, list) else [value]
