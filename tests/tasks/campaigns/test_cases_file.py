import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns import case_table, cases_file
from carpal.tasks.campaigns.campaign_run import campaign, open_campaign
from carpal.tasks.campaigns.cases_file import arrow_table, engines_of, factor_of, points_of, read_cases, seeds_of
from carpal.tasks.campaigns.factors import Factor
from carpal.tasks.campaigns.study import Study

TASK = "tasks.campaigns.small_tasks:Coin"
STUDY = Study(
    TASK, {}, (Factor.from_data("x", [0.0, 1.0]), Factor.from_data("word", ["a", "b"])), (4, 7), ("one", "two")
)


def test_columns_of_numbers_equal_the_cases():
    numbers = np.array([3, 0, 15, 9])
    cases = [STUDY.case(int(number)) for number in numbers]
    assert list(points_of(STUDY, numbers)) == [case.point for case in cases]
    assert engines_of(STUDY, numbers) == [case.engine for case in cases]
    assert seeds_of(STUDY, numbers) == [case.seed for case in cases]
    for name in ("x", "word"):
        assert factor_of(STUDY, name, numbers) == [case.options[name] for case in cases]


def test_pieces_make_the_same_table(tmp_path, monkeypatch):
    whole = campaign(STUDY, processes=1, out=tmp_path / "whole")
    monkeypatch.setattr(cases_file, "CHUNK", 3)
    monkeypatch.setattr(case_table, "CHUNK", 3)
    pieces = campaign(STUDY, processes=1, out=tmp_path / "pieces")
    assert pq.ParquetFile(tmp_path / "pieces" / "cases.parquet").num_row_groups == 6
    assert pieces.table().equals(whole.table())
    assert pq.read_table(tmp_path / "pieces" / "cases.parquet").equals(whole.table())


def test_numbers_that_are_lists_in_some_rows_only():
    row = {"state": "done", "ok": True, "status": "", "seconds": 0.0, "backend": "x"}
    rows = [{**row, "number": i, "numbers": {"a": value}} for i, value in enumerate([1.0, [2.0, 3.0]])]
    one, two = case_table.CaseTable(rows[:1]), case_table.CaseTable(rows)
    study = Study(TASK, {}, (), (0, 1))
    assert arrow_table(study, one, [], ["a"])["a"].to_pylist() == [[1.0]]
    assert arrow_table(study, two, two.singles, two.lists)["a"].to_pylist() == [[1.0], [2.0, 3.0]]


def test_a_table_that_cannot_be_written_is_reported(tmp_path, monkeypatch):
    campaign(STUDY, processes=1, out=tmp_path)
    (tmp_path / "cases.parquet").unlink()
    (tmp_path / "cases.parquet").mkdir()
    with pytest.raises(CarpalError, match="the journal beside it is kept"):
        campaign(STUDY, processes=1, out=tmp_path)
    assert len(open_campaign(tmp_path).rows) == 16


PROGRAM = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from carpal.tasks.campaigns.campaign_run import campaign
from carpal.tasks.campaigns.study import Study
from carpal.tasks.campaigns.factors import Factor
x = (Factor.from_data("x", {"uniform": [0.0, 1.0]}),)
study = Study("tasks.campaigns.small_tasks:Coin", {}, x, tuple(range(int(sys.argv[3]) // 100)), draws=100)
assert campaign(study, processes=2, out=sys.argv[2], recordings="none").ok
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def _peak(tmp_path, cases):
    """[MB] of the coordinator."""
    here = str(Path(__file__).parents[2])
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, here, str(tmp_path / str(cases)), str(cases)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(answer.stdout)


@pytest.mark.full
def test_memory_is_flat(tmp_path, figure):
    small, large = _peak(tmp_path, 100_000), _peak(tmp_path, 1_000_000)
    figure(
        "campaign: peak memory of the coordinator, 1,000,000 cases over 100,000",
        large / small,
        1.15,
        note=f"{large} MB",
    )


def test_reading_falls_back_to_the_journal(tmp_path):
    result = campaign(STUDY, processes=1, out=tmp_path)
    from carpal.tasks.campaigns.store import CaseStore

    with CaseStore(tmp_path, None, reading=True) as store:
        from_file = read_cases(tmp_path, STUDY, store)
        (tmp_path / "cases.parquet").write_bytes(b"torn")
        assert list(read_cases(tmp_path, STUDY, store)) == list(from_file) == list(result.rows)
