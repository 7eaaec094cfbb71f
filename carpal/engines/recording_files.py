"""Recordings on disk: which columns, numbered parts that are renamed into place when complete, and reading them back.

A part is one Parquet file. It is written under a hidden name, flushed to the disk and renamed, so a file that has its
proper name is complete, whatever ended the run. Nothing in a file depends on the clock, on paths or on the machine's
name: the same run gives the same bytes. Every part carries the whole metadata (as JSON, under the key `carpal`).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from carpal.engines.ledger import LEDGER
from carpal.engines.recording_digest import DIGEST_KEY, digest
from carpal.errors import CarpalError, RecordingError
from carpal.model import NQ, NV, Model, model_from_dict

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = "carpal-recording-1"
END = "end.json"
PART = "part-{:06d}.parquet"
KEY = b"carpal"
END_KEY = b"carpal.end"
ROW_GROUP = 65536


def coordinate_names(model: Model, widths: Mapping[str, int]) -> list[str]:
    """Names of the numbers of q (`widths=NQ`) or v (`NV`): the joint's, followed by ":0", ":1", ... where it has several."""
    return [
        f"{body.joint.name}:{k}" if widths[body.joint.kind] > 1 else body.joint.name
        for body in model.bodies
        for k in range(widths[body.joint.kind])
    ]


def number_columns(model: Model, certificate: Sequence[str] = ()) -> list[str]:
    """Names of the columns that hold one number each, in the order of a recording's rows.

    Args:
        model: whose joints.
        certificate: names of the residuals that prove each row's steps, of engines that give them.
    """
    names = ["time"]
    for letter, widths in (("q", NQ), ("v", NV), ("u", NV)):
        names += [f"{letter}:{name}" for name in coordinate_names(model, widths)]
    names += [f"energy:{entry}" for entry in LEDGER]
    names += [f"certificate:{entry}" for entry in certificate]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise RecordingError(f"two columns of a recording would be named '{twice[0]}'; rename one of the joints.")
    return names


def certificate_names(metadata: dict[str, Any]) -> tuple[str, ...]:
    """Which residuals a recording holds for each row; none where its engine gives none."""
    names = metadata.get("certificate", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordingError(f"'certificate' in a recording's metadata must be a list of names; got {names!r:.60}.")
    return tuple(names)


def schema(model: Model, metadata: dict[str, Any]) -> Any:
    """The Arrow schema of a recording of this model."""
    import pyarrow as pa

    vector = pa.list_(pa.float64())
    contact = [("a", pa.string()), ("b", pa.string()), ("mode", pa.string()), ("point", vector), ("normal", vector)]
    contact += [("depth", pa.float64()), ("force", vector)]
    event = [("time", pa.float64()), ("name", pa.string()), ("text", pa.string()), ("value", pa.float64())]
    fields = [(name, pa.float64()) for name in number_columns(model, certificate_names(metadata))]
    fields += [("contacts", pa.list_(pa.struct(contact))), ("events", pa.list_(pa.struct(event)))]
    return pa.schema(fields, metadata={KEY: json.dumps(metadata, sort_keys=True, allow_nan=False).encode()})


def table(schema: Any, numbers: np.ndarray, contacts: list[Any], events: list[Any]) -> Any:
    """Rows (rows, columns), contacts and events of each row, as an Arrow table."""
    import pyarrow as pa

    columns = [pa.array(np.ascontiguousarray(numbers[:, k])) for k in range(numbers.shape[1])]
    for name, rows in (("contacts", contacts), ("events", events)):
        plain = [[item._asdict() for item in row] for row in rows]
        columns.append(pa.array(plain, type=schema.field(name).type))
    return pa.Table.from_arrays(columns, schema=schema)


def parquet_writer(sink: Any, schema: pa.Schema) -> Any:
    """A `pyarrow.parquet.ParquetWriter` with our settings: the same tables give the same bytes, pages have checksums."""
    import pyarrow.parquet as pq

    return pq.ParquetWriter(
        sink, schema, compression="zstd", use_dictionary=False, version="2.6", store_schema=True, write_page_checksum=True
    )  # fmt: skip


def parquet_bytes(rows: pa.Table) -> bytes:
    """The table as a Parquet file with a digest of its content; the same table gives the same bytes."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    rows = rows.replace_schema_metadata({**(rows.schema.metadata or {}), DIGEST_KEY: digest(rows)})
    with parquet_writer(sink, rows.schema) as writer:
        writer.write_table(rows, row_group_size=ROW_GROUP)
    return bytes(sink.getvalue())


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that is in its place, complete, only when the block has ended without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hidden = path.parent / f".{path.name}.{os.getpid()}.tmp"
    try:
        with hidden.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        hidden.replace(path)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is either there and complete, or not there (or as it was before)."""
    with whole_file(path) as file:
        file.write(content)


def why(problem: OSError) -> str:
    """The operating system's reason, with what a user would call it."""
    import errno

    full = problem.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
    return f"{'the disk or the allowed file size is full: ' if full else ''}{problem.strerror or problem}"


def part_paths(folder: Path) -> list[Path]:
    """The complete parts of a folder, in order."""
    return sorted(folder.glob("part-[0-9]*.parquet"), key=lambda path: (len(path.name), path.name))


def remove_recording(folder: str | os.PathLike[str]) -> None:
    """Remove the parts of an earlier recording from a folder, and nothing else."""
    place = Path(folder)
    hidden = place.glob(".part-[0-9]*.parquet.*.tmp") if place.is_dir() else iter(())
    # the end goes first: parts without an end are a run that was cut off, an end without parts would be nonsense
    try:
        for path in [place / END, *reversed(part_paths(place)), *hidden] if place.is_dir() else []:
            path.unlink(missing_ok=True)
    except OSError as problem:
        raise RecordingError(f"'{place}' cannot be cleared: {problem.strerror or problem}.") from None


def read_one(path: Path) -> tuple[Any, dict[str, Any], dict[str, Any] | None]:
    """Table, metadata and end (None where the run was cut off) of one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if KEY not in (file.schema_arrow.metadata or {}):
                raise RecordingError(
                    f"'{path}' is a Parquet file, but no Carpal recording: it has no '{KEY.decode()}' metadata."
                )
            rows = file.read()
        kept = rows.schema.metadata or {}  # a file has it twice; this is the copy that the digest is of
        if kept.get(DIGEST_KEY, b"") != digest(rows):
            raise RecordingError(
                f"'{path}' is damaged, or was changed by another program: the digest in it does not fit its content."
            )
        metadata = json.loads(kept[KEY])
        end = json.loads(kept[END_KEY]) if END_KEY in kept else None
    except CarpalError:
        raise
    except (pa.ArrowException, OSError, ValueError, RecursionError) as problem:
        reason = str(problem).strip().splitlines()[0][:120].rstrip(".") if str(problem).strip() else "no reason given"
        raise RecordingError(
            f"'{path}' cannot be read as a recording, it is damaged or no Parquet: {reason}."
        ) from None
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        got = metadata.get("format") if isinstance(metadata, dict) else type(metadata).__name__
        raise RecordingError(f"'{path}' is no recording of format '{FORMAT}'; got {str(got)[:60]!r}.")
    return rows, metadata, end if isinstance(end, dict) else None


def read_parts(folder: Path) -> tuple[Any, dict[str, Any], dict[str, Any] | None]:
    """The same of a folder of parts."""
    import pyarrow as pa

    paths = part_paths(folder)
    if not paths:
        raise RecordingError(f"the folder '{folder}' holds no complete part of a recording (part-000000.parquet, ...).")
    tables: list[Any] = []
    metadata: dict[str, Any] = {}
    for index, path in enumerate(paths):
        if path.name != PART.format(index):
            raise RecordingError(
                f"'{folder}' lacks {PART.format(index)}: the next part is {path.name}, so rows would be missing between."
            )
        try:
            rows, found, _ = read_one(path)
        except RecordingError as problem:
            raise RecordingError(f"{problem} The {index} parts before it can be loaded without it.") from None
        if index and found != metadata:
            raise RecordingError(f"'{path}' belongs to another run than {PART.format(0)} beside it.")
        metadata = found
        tables.append(rows)
    end = None
    if (folder / END).is_file():
        try:
            end = json.loads((folder / END).read_text())
        except (ValueError, OSError, RecursionError):
            end = None  # the rows are what counts
    try:
        return pa.concat_tables(tables), metadata, end if isinstance(end, dict) else None
    except pa.ArrowException:
        raise RecordingError(f"the parts in '{folder}' have different columns, so they are not of one run.") from None


def check_rows(path: Path, rows: Any, metadata: dict[str, Any]) -> tuple[Model, np.ndarray]:
    """The model, and the numbers (rows, columns); refuses columns that are not the model's."""
    try:
        model = model_from_dict(metadata.get("model"))
    except CarpalError as problem:
        raise RecordingError(f"the model that '{path}' carries cannot be used: {problem}") from None
    expected = schema(model, metadata)
    for field in expected:
        index = rows.schema.get_field_index(field.name)
        if index < 0 or not rows.schema.field(index).type.equals(field.type):
            got = "is not there" if index < 0 else f"has type {rows.schema.field(index).type}"
            raise RecordingError(f"'{path}' is no whole recording of '{model.name}': its column '{field.name}' {got}.")
        if rows.column(index).null_count:
            raise RecordingError(f"'{path}' has empty cells in its column '{field.name}', a recording has none.")
    numbers = np.empty((rows.num_rows, len(expected) - 2))
    for k, name in enumerate(number_columns(model, certificate_names(metadata))):
        numbers[:, k] = rows.column(name).to_numpy()
    return model, numbers


def cells(path: Path, rows: Any, name: str, kind: Any) -> Iterator[tuple[Any, ...]]:
    """The contacts or events of each row, as tuples of `kind`."""
    try:
        for row in rows.column(name).to_pylist():
            if any(item is None or None in item.values() for item in row):
                raise TypeError
            yield tuple(kind(**item) for item in row)
    except (TypeError, ValueError):  # ValueError: text that is not UTF-8
        raise RecordingError(f"'{path}' has a damaged cell in its column '{name}'.") from None
