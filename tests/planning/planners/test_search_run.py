"""The runner: reports come back a world each, devices and shapes are checked."""

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs

from carpal.errors import InputError, UnknownNameError
from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_run import run_search
from carpal.planning.planners.search_settings import SearchSettings

pytestmark = pytest.mark.xdist_group("planners")
SETTINGS = SearchSettings.of("rrt_connect", max_samples=2000)


def test_each_world_has_its_report():
    starts, goals = (q[:5] for q in scene_pairs())
    paths, reports, blame, _ = run_search(scene_checker().tables, SETTINGS, 0.0, starts, goals, np.zeros((5, 1)))
    assert (reports[:, run.OUTCOME] == run.FOUND).all() and blame.shape == (5, 2, len(scene_checker().tables.pairs))
    for i in range(5):
        n = int(reports[i, run.PATH])
        assert np.array_equal(paths[i, 0], starts[i]) and np.array_equal(paths[i, n - 1], goals[i])


def test_other_devices_are_refused():
    starts, goals = (q[:1] for q in scene_pairs())
    with pytest.raises(UnknownNameError, match="cpu, cuda"):
        run_search(scene_checker().tables, SETTINGS, 0.0, starts, goals, np.zeros((1, 1)), device="tpu")
    with pytest.raises(InputError, match="shortened"):
        run_search(
            scene_checker().tables, SETTINGS, 0.0, starts, goals, np.zeros((1, 1)), given=[starts], device="cuda"
        )
