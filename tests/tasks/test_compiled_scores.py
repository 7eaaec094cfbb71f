from types import SimpleNamespace

import numpy as np
import pytest

from carpal.tasks import Score, compiled_scores, make_task, task_class
from carpal.tasks.compiled_scores import score_compiled


def test_seeds_are_run_as_memory_allows_and_scored_in_their_order(monkeypatch):
    monkeypatch.setattr(compiled_scores, "LAUNCH_BYTES", 300)
    together = []

    def run(seeds):
        together.append(list(seeds))
        done = np.array([9 if seed == 5 else 10 for seed in seeds])
        return SimpleNamespace(time=np.arange(11), done=done, seeds=seeds)

    scores = score_compiled(
        range(8), 100, run, lambda made, i: Score(True, str(made.seeds[i])), lambda seed: Score(False, f"why {seed}")
    )
    assert together == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert [score.status for score in scores] == ["0", "1", "2", "3", "4", "why 5", "6", "7"]
    assert [score.ok for score in scores] == [seed != 5 for seed in range(8)]


@pytest.mark.parametrize(("name", "options"), [("reach", {"duration": 0.2}), ("mount", {"case": 1, "duration": 0.2})])
def test_the_scores_do_not_depend_on_how_many_run_together(monkeypatch, name, options):
    task = make_task(name, **options)
    whole = task.score_seeds(range(3))
    monkeypatch.setattr(compiled_scores, "LAUNCH_BYTES", 1)
    assert task.score_seeds(range(3)) == whole


@pytest.mark.parametrize("name", ["reach", "mount"])
def test_bytes_of_a_world_are_those_of_its_rows(name):
    from importlib import import_module

    task, compiled = make_task(name), import_module(task_class(name).__module__.removesuffix("task") + "compiled")
    run = compiled.run_compiled(task, [0])
    rows = sum(part.nbytes for part in (run.q, run.v, run.u, run.residual))
    assert rows < compiled.world_bytes(task) < 1.15 * rows
