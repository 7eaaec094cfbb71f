"""The digest is of the content alone, and of all of it."""

import numpy as np
import pyarrow as pa
import pytest

from carpal.engines.recording_digest import digest

KIND = pa.list_(pa.struct([("name", pa.string()), ("force", pa.list_(pa.float64()))]))


def table(rows=6, meta=b"{}", **columns):
    data = {
        "time": pa.array(np.arange(rows) * 0.1),
        "seen": pa.array([[{"name": "a", "force": [1.0, 2.0]}]] * rows, KIND),
    }
    return pa.table(data | columns).replace_schema_metadata({b"carpal": meta})


def test_cutting_in_pieces_changes_nothing():
    rows = table()
    assert digest(pa.concat_tables([rows.slice(0, 2), rows.slice(2, 4)])) == digest(rows)
    assert digest(rows.slice(1, 3)) != digest(rows)


@pytest.mark.parametrize(
    "other",
    [
        table(meta=b'{"seed": 1}'),
        table(time=pa.array([0.0, 0.1, 0.2, 0.3001, 0.4, 0.5])),
        table(time=pa.array([0.0, 0.1, 0.2, None, 0.4, 0.5])),
        table(seen=pa.array([[{"name": "a", "force": [1.0]}, {"name": "", "force": [2.0]}]] * 6, KIND)),
        table(seen=pa.array([[{"name": "b", "force": [1.0, 2.0]}]] * 6, KIND)),
        table().rename_columns(["tine", "seen"]),
    ],
)
def test_every_change_of_the_content_changes_it(other):
    assert digest(other) != digest(table())
