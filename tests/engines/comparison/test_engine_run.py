"""One scene in one engine: steps that divide the samples, refinements, limits, what an engine cannot do."""

import numpy as np
import pytest

from carpal.engines.comparison.engine_run import TIMED_OUT, RunPlan, run_engine
from carpal.engines.comparison.library import benchmark_scene
from carpal.model import Plane, Scene, Sphere


def _ball():
    return Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 1]).add_fixed("floor", Plane())


def test_steps_divide_the_samples():
    assert RunPlan("modal", 1.0, 200).steps == 5 and RunPlan("modal", 1.0, 200).step() == pytest.approx(1e-3)
    assert RunPlan("modal", 1.0, 100, 3e-3).steps == 4 and RunPlan("modal", 1.0, 100, 3e-3).step(2) == pytest.approx(
        1.25e-3
    )


@pytest.mark.parametrize("name", ["modal", "mujoco", "penalty", "rigid"])
def test_every_engine_falls_alike(name):
    runs = run_engine(_ball(), RunPlan(name, 0.2, 10, 1e-4 if name == "penalty" else 1e-3, refinements=(1, 2)))
    assert runs.outcome == "ran" and set(runs.tracks) == {1, 2} and runs.tracks[1].ok
    track = runs.tracks[1]
    assert track.bodies == ("ball",) and len(track.time) == 11 and track.wall > 0 and track.steps in (200, 2000)
    assert track.positions("ball")[:, 2] == pytest.approx(1 - 0.5 * 9.81 * np.linspace(0, 0.2, 11) ** 2, abs=2e-3)


def test_what_an_engine_cannot_do_is_an_outcome():
    forces = run_engine(
        benchmark_scene("pinch_holds").scene(), RunPlan("penalty", 0.1, 10, forces={"gripper/left": 1.0})
    )
    assert forces.outcome == "refused" and "forces of joints cannot be given" in forces.why and not forces.tracks
    unknown = run_engine(_ball(), RunPlan("modal", 0.1, 10, forces={"bal": 1.0}))
    assert unknown.outcome == "refused" and "unknown joint in forces 'bal'" in unknown.why


def test_the_limit_ends_a_run_and_keeps_what_there_is():
    runs = run_engine(_ball(), RunPlan("mujoco", 3000.0, 1000, limit=0.2))
    assert (runs.outcome, runs.why) == ("stopped", TIMED_OUT) and 0 < runs.tracks[1].time[-1] < 3000
    assert not runs.tracks[1].ok
