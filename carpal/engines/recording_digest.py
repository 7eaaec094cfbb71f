"""A digest of what a recording says: a flipped bit anywhere in its file is found when it is read.

Page checksums of Parquet guard the pages, not the footer with its names and metadata. The digest is of the content (columns,
their types, the rows and the metadata), not of the file, so it does not depend on compression or on how rows are cut in groups.
"""

from __future__ import annotations

import hashlib
from typing import Any

DIGEST_KEY = b"carpal.digest"


def digest(rows: Any) -> bytes:
    """BLAKE2b of an Arrow table with its metadata, as hexadecimal digits."""
    state = hashlib.blake2b(digest_size=16)
    for key, value in sorted((rows.schema.metadata or {}).items()):
        if key.startswith(b"carpal") and key != DIGEST_KEY:
            state.update(b"%d:%b%d:%b" % (len(key), key, len(value), value))
    for field in rows.schema:
        kind = str(field.type).replace("<element: ", "<item: ")  # Parquet's name and Arrow's for what a list holds
        state.update(f"{field.name}\0{kind}\0".encode())
        _feed(state, rows.column(field.name).combine_chunks())
    return state.hexdigest().encode()


def _feed(state: Any, array: Any) -> None:
    """One column: its length, which cells are empty, and its values, of nested types those inside."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    state.update(b"%d/%d;" % (len(array), array.null_count))
    if array.null_count:
        state.update(pc.is_null(array).cast(pa.int8()).to_numpy(zero_copy_only=False).tobytes())
    if pa.types.is_struct(array.type):
        for child in array.flatten():
            _feed(state, child)
    elif pa.types.is_list(array.type):
        _feed(state, pc.list_value_length(array))
        _feed(state, array.flatten())
    elif pa.types.is_string(array.type):
        _feed(state, pc.binary_length(array))
        state.update("".join(text for text in array.to_pylist() if text is not None).encode())
    else:
        state.update(array.fill_null(0).to_numpy(zero_copy_only=False).tobytes())
