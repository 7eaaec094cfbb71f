"""Named tables of the general step stay below the size that compiles quickly."""

from __future__ import annotations

from carpal.engines.rigid.kernels import general_tables


def test_no_table_has_more_than_twelve_fields() -> None:
    tables = [value for value in vars(general_tables).values() if hasattr(value, "_fields")]
    assert len(tables) == 6
    assert all(len(table._fields) <= 12 for table in tables)
