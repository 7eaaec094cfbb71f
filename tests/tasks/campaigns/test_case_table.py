import numpy as np

from carpal.tasks.campaigns import case_table
from carpal.tasks.campaigns.case_table import CaseTable


def _row(number, **numbers):
    return {
        "number": number, "state": "done", "ok": number % 2 == 0, "status": f"s{number}", "numbers": numbers, "seconds": 0.5,
        "backend": "b",
    }  # fmt: skip


def test_rows_come_back_as_they_were(monkeypatch):
    """Also across the chunks in which they are read, and where some have other numbers than others."""
    monkeypatch.setattr(case_table, "CHUNK", 3)
    rows = [_row(0, a=1.0), _row(2, a=2.0, many=[1.0, 2.0]), _row(3), _row(5, b=4.0), _row(7, a=5.0, b=6.0)]
    table = CaseTable(iter(rows))
    assert list(table) == rows and len(table) == 5 and table[-1] == rows[-1] and table[1:3] == rows[1:3]
    assert set(table.singles) == {"a", "b"} and set(table.lists) == {"many"}
    np.testing.assert_array_equal(table.singles["b"], [np.nan, np.nan, np.nan, 4.0, 6.0])


def test_none_is_a_table_too():
    assert len(CaseTable()) == 0 and list(CaseTable()) == []
