from types import SimpleNamespace

import numpy as np
import pytest

from carpal.tasks import Score, compiled_batches, make_task
from carpal.tasks.compiled_batches import score_in_batches


def test_seeds_are_run_as_memory_allows_and_scored_in_their_order(monkeypatch):
    monkeypatch.setattr(compiled_batches, "LAUNCH_BYTES", 300)
    together = []

    def run(seeds):
        together.append(list(seeds))
        done = np.array([9 if seed == 5 else 10 for seed in seeds])
        kept = np.array([seed != 6 for seed in seeds])
        return SimpleNamespace(time=np.arange(11), done=done, seeds=seeds, kept=kept)

    task = SimpleNamespace(score_stepwise=lambda seed: Score(False, f"why {seed}"))
    scores = score_in_batches(task, range(8), 100, run, lambda made, i: Score(True, str(made.seeds[i])))
    assert together == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert [score.status for score in scores] == ["0", "1", "2", "3", "4", "why 5", "why 6", "7"]
    assert [score.ok for score in scores] == [seed not in (5, 6) for seed in range(8)]


@pytest.mark.parametrize(("name", "options"), [("reach", {"duration": 0.2}), ("mount", {"case": 1, "duration": 0.2})])
def test_the_scores_do_not_depend_on_how_many_run_together(monkeypatch, name, options):
    task = make_task(name, **options)
    whole = task.score_seeds(range(3))
    monkeypatch.setattr(compiled_batches, "LAUNCH_BYTES", 1)
    assert task.score_seeds(range(3)) == whole


@pytest.mark.parametrize("place", ["tasks.reach", "labs.mount"])
def test_bytes_of_a_world_are_those_of_its_rows(place):
    from importlib import import_module

    task, compiled = make_task(place.split(".")[1]), import_module(f"carpal.{place}.compiled")
    run = compiled.run_compiled(task, [0])
    rows = sum(part.nbytes for part in (run.q, run.v, run.u, run.residual))
    assert rows < compiled.world_bytes(task) < 1.15 * rows
