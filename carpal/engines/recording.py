"""`Recorder` takes the rows of a run one by one; `Recording` is the complete run."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.engines import recording_files as files
from carpal.engines.checking import CheckResult, check_recording, judged
from carpal.engines.ledger import LEDGER, Ledger
from carpal.engines.metadata import json_text, run_metadata
from carpal.engines.moments import Contact, Event, contact, event, plain_contact
from carpal.errors import InputError, RecordingError
from carpal.model import Model, model_from_dict
from carpal.spatial import Array

OTHER_FILES = (".csv", ".mcap", ".rrd", ".usd", ".usda", ".usdc")
"""Endings of files that other tools read."""


@dataclass(eq=False)
class Recording(Result):
    """A complete run; rows are moments. Read by pandas, polars and DuckDB once saved (docs/recording.md).

    Args:
        metadata: versions, seed, engine, dt, integrator, options, and the model as plain data.
        time: (rows) [s].
        q, v, u: (rows, nq), (rows, nv), (rows, nv); u is what the policy asked for at that moment.
        energy: the ledger, name to (rows) [J].
        certificates: residuals that prove the steps up to each row, name to (rows); empty where the engine gives none.
        contacts: for every row a tuple of `Contact`.
        events: all of them, in order.
        ok: whether the run came to its end and keeps the bounds of its engine; see `check`.
        status: one sentence.
        interrupted: whether Ctrl-C ended the run.
    """

    metadata: dict[str, Any]
    time: Array
    q: Array
    v: Array
    u: Array
    energy: dict[str, Array]
    contacts: list[tuple[Contact, ...]] = field(repr=False)
    row_events: list[tuple[Event, ...]] = field(repr=False)
    ok: bool = True
    status: str = ""
    interrupted: bool = False
    certificates: dict[str, Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything noted, in order."""
        return tuple(event for row in self.row_events for event in row)

    @functools.cached_property
    def model(self) -> Model:
        """The model that moved."""
        return model_from_dict(self.metadata["model"])

    def check(self, bounds: Mapping[str, float] | None = None) -> CheckResult:
        """Whether certificates, energy residual and depths of contacts keep their bounds; see `CheckResult`.

        Args:
            bounds: other bounds than the engine's, by the residual's name.
        """
        return check_recording(self, bounds)

    def show(self, **options: Any) -> Any:
        """A 3-D replay that a notebook shows and a browser opens; see `carpal.view`."""
        from carpal._core.drawers import drawer

        return drawer("view")(self, **options)

    def _repr_html_(self) -> str:
        from carpal._core.drawers import drawer

        return str(drawer("html")(self))

    def modes(self) -> Any:
        """Every contact of every row as a `pyarrow.Table`: time, contact, mode, coordinates, forces, margin to slipping."""
        from carpal.engines.modal.mode_table import mode_table

        return mode_table(self)

    def table(self) -> Any:
        """All rows as a `pyarrow.Table`."""
        energy = [self.energy[name][:, None] for name in LEDGER]
        energy += [self.certificates[name][:, None] for name in files.certificate_names(self.metadata)]
        numbers = np.concatenate([self.time[:, None], self.q, self.v, self.u, *energy], axis=1)
        schema = files.schema(self.model, self.metadata)
        schema = schema.with_metadata({**schema.metadata, files.END_KEY: json_text(self._end()).encode()})
        return files.table(schema, numbers, self.contacts, self.row_events)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write one file; the one that was there before stays until the new one is complete.

        Args:
            path: .parquet keeps everything, and `load` reads it back; .csv, .mcap, .rrd and .usd are for other tools
                (`carpal.report.export` says what each cannot carry).
        """
        place = Path(path)
        if place.suffix in OTHER_FILES:
            from carpal._core.drawers import drawer

            return Path(drawer("export")(self, place).path)
        if place.suffix != ".parquet":
            raise RecordingError(
                f"a recording is saved as 'name.parquet', for other tools as one of {', '.join(OTHER_FILES)}; got '{place}'."
            )
        try:
            files.write_whole(place, files.parquet_bytes(self.table()))
        except OSError as problem:
            raise RecordingError(f"'{place}' was not written, {files.why(problem)}; nothing else changed.") from None
        return place

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Recording:
        """Read one Parquet file, or a folder of parts up to its last complete one."""
        place = Path(path)
        if not place.exists():
            raise RecordingError(f"there is no file or folder '{place}'.")
        rows, metadata, end = files.read_parts(place) if place.is_dir() else files.read_one(place)
        model, numbers = files.check_rows(place, rows, metadata)
        if end is None:
            last = f"{numbers[-1, 0]:.6g} s" if len(numbers) else "its start"
            status = f"the run was cut off: {len(numbers)} rows up to {last} are complete."
            end = {"ok": False, "status": status, "interrupted": True}
        contacts = list(files.cells(place, rows, "contacts", contact))
        events = list(files.cells(place, rows, "events", Event))
        return _recording(model, metadata, numbers, contacts, events, end)

    def _end(self) -> dict[str, Any]:
        return {"ok": self.ok, "status": self.status, "interrupted": self.interrupted, "rows": len(self)}


class Recorder:
    """Takes a run's rows as they come; with `out`, every `part_rows` of them become a file that survives any crash.

    Args:
        model: whose numbers the rows are.
        metadata: seed, engine, dt, integrator, options: anything that JSON can hold. Versions and the model are added.
        out: a folder for the parts; it must not hold a recording already.
        part_rows: rows in a part.

    Example:
        >>> recorder = Recorder(model, {"seed": 0})
        >>> recorder.add(0.0, model.q_home, np.zeros(model.nv), np.zeros(model.nv), {"kinetic": 0.0})
        >>> recorder.finish().save("run.parquet")
    """

    def __init__(
        self,
        model: Model,
        metadata: Mapping[str, Any],
        out: str | os.PathLike[str] | None = None,
        part_rows: int = 1000,
    ) -> None:
        if not isinstance(part_rows, int) or part_rows < 1:
            raise InputError(f"part_rows must be a whole number, 1 or above; got {part_rows!r}.")
        self.model = model
        self.metadata: dict[str, Any] = run_metadata(model, metadata)
        self.rows = 0
        self._certificate = files.certificate_names(self.metadata)
        self._width = len(files.number_columns(model, self._certificate))
        self._part_rows = part_rows
        self._blocks: list[Array] = []
        self._contacts: list[tuple[Contact, ...]] = []
        self._events: list[tuple[Event, ...]] = []
        self._ledger = Ledger()
        self._out = None if out is None else Path(out)
        self._parts = 0
        if self._out is not None:
            self._schema = files.schema(model, self.metadata)
            self._open(self._out)

    def _open(self, out: Path) -> None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise RecordingError(f"the folder '{out}' cannot be made: {problem.strerror or problem}.") from None
        there = len(files.part_paths(out))
        if there:
            raise RecordingError(
                f"'{out}' already holds a recording ({there} parts); choose another folder, or remove it first."
            )

    def add(
        self,
        time: float,
        q: ArrayLike,
        v: ArrayLike,
        u: ArrayLike,
        ledger: Mapping[str, float] | None = None,
        contacts: Iterable[Contact | Mapping[str, Any]] = (),
        events: Iterable[Event | Mapping[str, Any]] = (),
        certificate: Mapping[str, float] | None = None,
    ) -> None:
        """One moment: time [s], q (nq), v and u (nv), energies [J], contacts, events, and the certificate up to it."""
        block, at = divmod(self.rows, self._part_rows)
        if block == len(self._blocks):
            self._blocks.append(np.empty((self._part_rows, self._width)))
        row = self._blocks[block][at]
        nq, nv = self.model.nq, self.model.nv
        row[0] = time
        row[1 : 1 + nq] = self._vector("q", q, nq)
        row[1 + nq : 1 + nq + nv] = self._vector("v", v, nv)
        row[1 + nq + nv : 1 + nq + 2 * nv] = self._vector("u", u, nv)
        first = 1 + nq + 2 * nv
        row[first : first + len(LEDGER)] = self._ledger.row(ledger or {})
        row[first + len(LEDGER) :] = [float((certificate or {}).get(name, 0.0)) for name in self._certificate]
        # slices, not append: a row that Ctrl-C or an error cut short is written over by the next one
        self._contacts[self.rows :] = [tuple(plain_contact(c) for c in contacts)]
        self._events[self.rows :] = [tuple(event(float(time), e) for e in events)]
        self.rows += 1
        if self._out is not None and self.rows % self._part_rows == 0:
            self._write_part(self._out)

    def _vector(self, name: str, values: ArrayLike, width: int) -> Array:
        array = np.asarray(values, float)
        if array.shape != (width,):
            raise InputError(
                f"{name} of a recording's row must be ({width},) for model '{self.model.name}', one world at a time; "
                f"got shape {array.shape}."
            )
        return array

    def _write_part(self, out: Path) -> None:
        first = self._parts * self._part_rows
        last = min(first + self._part_rows, self.rows)  # more rows follow where Ctrl-C cut the writing of a part short
        numbers = self._blocks[self._parts][: last - first] if self.rows else np.empty((0, self._width))
        content = files.table(self._schema, numbers, self._contacts[first:last], self._events[first:last])
        path = out / files.PART.format(self._parts)
        try:
            files.write_whole(path, files.parquet_bytes(content))
        except OSError as problem:
            raise self._stopped(path, problem) from None
        self._parts += 1

    def _stopped(self, path: Path, problem: OSError) -> RecordingError:
        kept = min(self._parts * self._part_rows, self.rows)
        error = RecordingError(
            f"the recording stopped, '{path}' could not be written, {files.why(problem)}; "
            f"{self._parts} complete parts with {kept} rows are kept in '{path.parent}'."
        )
        error.recording = self.so_far()
        self._out = None  # what follows is kept in memory only
        return error

    def so_far(self) -> Recording:
        """A copy of everything added up to now, as a run that has not ended."""
        end = {"ok": False, "status": f"running: {self.rows} rows so far.", "interrupted": False}
        return self._whole(end)

    def finish(self, *, ok: bool = True, status: str | None = None, interrupted: bool = False) -> Recording:
        """Write the last part and the end; returns the whole run, which is not ok where it breaks a bound (`Recording.check`).

        Args:
            ok: whether the run came to its end.
            status: one sentence; by default derived from the rows.
            interrupted: whether Ctrl-C ended the run; it is not ok then.
        """
        ok = ok and not interrupted
        block, at = divmod(self.rows - 1, self._part_rows)
        last = float(self._blocks[block][at, 0]) if self.rows else 0.0
        how = "interrupted at" if interrupted else "ran to" if ok else "stopped at"
        status = status or f"{how} {last:.6g} s, {self.rows} rows recorded."
        end = {"ok": ok, "status": status, "interrupted": interrupted, "rows": self.rows}
        if ok and self.rows:
            end["ok"], end["status"] = judged(self._whole(end))
        if self._out is not None:
            while self.rows > self._parts * self._part_rows or not (self.rows or self._parts):
                self._write_part(self._out)
            try:
                files.write_whole(self._out / files.END, json_text(end).encode())
            except OSError as problem:
                raise self._stopped(self._out / files.END, problem) from None
        return self._whole(end)

    def _whole(self, end: dict[str, Any]) -> Recording:
        numbers = np.concatenate(self._blocks)[: self.rows] if self._blocks else np.empty((0, self._width))
        contacts, events = self._contacts[: self.rows], self._events[: self.rows]
        return _recording(self.model, self.metadata, numbers, contacts, events, end)


def _recording(
    model: Model, metadata: dict[str, Any], numbers: Array, contacts: list[Any], events: list[Any], end: dict[str, Any]
) -> Recording:
    cuts = np.cumsum([1, model.nq, model.nv, model.nv])
    time, q, v, u, energy = np.split(numbers, cuts, axis=1)
    proofs = {name: energy[:, len(LEDGER) + k].copy() for k, name in enumerate(files.certificate_names(metadata))}
    recording = Recording(
        metadata, time[:, 0].copy(), q.copy(), v.copy(), u.copy(),
        {name: energy[:, k].copy() for k, name in enumerate(LEDGER)}, contacts, events,
        bool(end.get("ok")), str(end.get("status", "")), bool(end.get("interrupted")), proofs,
    )  # fmt: skip
    recording.model = model
    return recording
