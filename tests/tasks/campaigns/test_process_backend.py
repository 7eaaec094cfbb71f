from carpal.tasks.campaigns.process_backend import run_on_processes
from carpal.tasks.campaigns.study import Study


def test_every_case_once_whatever_the_number_of_processes():
    study = Study("tasks.campaigns.small_tasks:Coin", {}, seeds=tuple(range(60)))
    for processes in (1, 3):
        rows = [row for row in run_on_processes(study, iter(range(60)), processes) if row is not None]
        assert sorted(row["number"] for row in rows) == list(range(60))


def test_nothing_to_do_ends_at_once():
    study = Study("tasks.campaigns.small_tasks:Coin", {}, seeds=(0,))
    assert list(run_on_processes(study, iter(()), 2)) == []
