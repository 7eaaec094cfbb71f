"""An engine in a process of its own: the same bits, and an end for what does not return."""

import numpy as np

from carpal.engines.comparison import supervision
from carpal.engines.comparison.engine_run import RunPlan, run_engine
from carpal.engines.comparison.supervision import supervised
from carpal.model import Plane, Scene, Sphere


def _ball():
    return Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 1]).add_fixed("floor", Plane())


def test_a_process_gives_the_bits_of_a_call():
    plan = RunPlan("mujoco", 0.1, 10)
    here, there = run_engine(_ball(), plan), supervised(_ball(), plan)
    assert there.outcome == "ran" and np.array_equal(here.tracks[4].poses, there.tracks[4].poses)


def test_what_does_not_return_is_ended(monkeypatch):
    monkeypatch.setattr(supervision, "COMPILING", 0.01)
    ended = supervised(_ball(), RunPlan("mujoco", 0.1, 10))
    assert ended.outcome == "stopped" and "did not finish compiling" in ended.why and not ended.tracks


def test_tracks_that_were_complete_are_kept(monkeypatch):
    monkeypatch.setattr(supervision, "GRACE", -0.5)
    plan = RunPlan("mujoco", 600.0, 400, 0.05, limit=3.0, refinements=(1, 64))
    ended = supervised(_ball().add_surface(mu=0.1), plan)
    assert ended.outcome in ("ran", "stopped") and ended.why
    assert (ended.outcome == "ran") == (1 in ended.tracks) and 64 not in ended.tracks


def test_a_process_that_dies_says_so(monkeypatch):
    monkeypatch.setattr(supervision.sys, "executable", "/bin/false")
    ended = supervised(_ball(), RunPlan("mujoco", 0.1, 10))
    assert ended.outcome == "refused" and "ended with status 1" in ended.why
