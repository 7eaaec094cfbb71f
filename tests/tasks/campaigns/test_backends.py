import pytest

from carpal._core.cpu_pool import available_cores
from carpal.errors import CarpalError
from carpal.tasks.campaigns import backends
from carpal.tasks.campaigns.backends import backend_rows, checked_backend
from carpal.tasks.campaigns.study import Study

STUDY = Study("tasks.campaigns.small_tasks:Coin", {}, seeds=tuple(range(5)))


def test_one_backend_is_chosen():
    assert checked_backend(None, "cpu", None) == available_cores()
    assert checked_backend(3, "cpu", None) == 3
    for wrong, sentence in [
        ((None, "gpu", None), "cpu, cuda"), ((2, "cuda", None), "choose one"), ((None, "cuda", "local:2"), "choose one"),
        ((2, "cpu", "local:2"), "choose one"), ((0, "cpu", None), "1 or above"),
    ]:  # fmt: skip
        with pytest.raises(CarpalError, match=sentence):
            checked_backend(*wrong)


def test_each_choice_leads_to_its_backend(monkeypatch):
    for name in ("processes", "cuda", "dask"):
        monkeypatch.setattr(backends, f"run_on_{name}", lambda *given, name=name: (name, given[2:]))
    assert backend_rows(STUDY, iter([]), 5, 8, "cpu", None) == (("processes", (5,)), "processes")
    assert backend_rows(STUDY, iter([]), 5, 2, "cpu", None) == (("processes", (2,)), "processes")
    assert backend_rows(STUDY, iter([]), 5, 2, "cuda", None) == (("cuda", ()), "cuda")
    assert backend_rows(STUDY, iter([]), 5, 2, "cpu", "tcp://a:1") == (("dask", ("tcp://a:1",)), "dask")


def test_rows_come_back():
    rows, name = backend_rows(STUDY, iter([1, 3]), 2, 1, "cpu", None)
    assert sorted(row["number"] for row in rows if row) == [1, 3] and name == "processes"
