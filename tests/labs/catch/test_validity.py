"""Bounds of a simulated catch: what breaks one is invalid, whatever became of the ball."""

import numpy as np
import pytest
from catch_inputs import caught_recording, grid_case

from carpal.engines import Recording, allowed_gap
from carpal.labs.catch.arm_tables import BEFORE_OPENING
from carpal.labs.catch.compiled import CompiledCatch, fresh_watch
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.score import CAUSES
from carpal.labs.catch.task import Catch
from carpal.labs.catch.validity import (
    PART_NAMES,
    ball_touches,
    broken_bound,
    energy_is_kept,
    largest_gap,
    part_of,
    recorded_is_kept,
)


def test_a_ball_that_goes_through_the_palm_is_not_caught():
    """The thrower is near, so that the run is short: 30 m/s, 5 degrees."""
    score = Catch(speed=30.0, angle=5.0, speed_limit=0.0).score_seeds([0])[0]
    assert CAUSES[int(score.numbers["cause_code"])] == "invalid" and not score.numbers["caught"]
    assert "deep in the palm, more than 12.0 mm" in score.status
    assert score.numbers["depth_share"] > 1.0


def test_the_depth_that_the_run_watched_is_that_of_its_recorded_contacts():
    _, recording = caught_recording()
    watch = np.array(recording.metadata["catch"]["watch"])
    depths = [(c.depth, c.b if c.a == "ball" else c.a) for row in recording.contacts for c in row]
    in_palm, in_bin = (max(depth for depth, body in depths if body == name) for name in ("palm", ""))
    assert in_bin / 0.005 > in_palm / 0.012 > 0.2  # the bin's walls are thin
    assert PART_NAMES[int(watch[w.DEEP_PART])] == "bin"
    assert (
        0.9 * watch[w.DEEPEST] < in_bin <= watch[w.DEEPEST] * (1 + 1e-9)
    )  # every step is watched, every 50th recorded
    assert watch[w.DEPTH_SHARE] == pytest.approx(watch[w.DEEPEST] / 0.005)


def test_first_and_last_touches_are_those_of_the_recording():
    _, recording = caught_recording()
    watch, opened = (
        np.array(recording.metadata["catch"]["watch"]),
        recording.metadata["catch"]["open_time"] - BEFORE_OPENING,
    )
    rows = [(t, {part_of(c.b if c.a == "ball" else c.a) for c in row})
            for t, row in zip(recording.time, recording.contacts, strict=True) if t < opened]  # fmt: skip
    for part in range(w.PARTS):
        times = [t for t, parts in rows if part in parts]
        first, last = watch[w.FIRST_BY + part], watch[w.LAST_BY + part]
        if times:
            assert times[0] - 1e-3 <= first <= times[0] + 1e-9 and times[-1] - 1e-9 <= last <= times[-1] + 1e-3
        else:
            assert first == last == -1 or last - first < 1e-3
    assert watch[w.FIRST_BY + w.BIN_PART] == -1


def test_touches_know_the_parts_and_how_thick_they_are():
    catcher = CompiledCatch(Catch(gains="thesis").numbers())
    touches = ball_touches(catcher.mechanism, catcher.engine)
    assert set(touches[:, w.PART]) == set(range(w.PARTS))
    palm = touches[touches[:, w.PART] == w.PALM_PART, w.HALF_THICKNESS]
    assert sorted(palm) == [0.010, 0.010, 0.012, 0.014]  # rims, box, heel
    assert set(touches[touches[:, w.PART] == w.BIN_PART, w.HALF_THICKNESS]) == {0.005}


def test_open_joints_and_a_ledger_that_does_not_close():
    watch = fresh_watch()
    assert broken_bound(watch, True) == ""
    assert "energy" in broken_bound(watch, False)
    watch[w.WIDEST] = 1.01 * largest_gap()
    assert "a joint was open by 6.4 mm" in broken_bound(watch, True)
    assert largest_gap() < 0.2 * allowed_gap(
        CompiledCatch(Catch(gains="thesis").numbers()).mechanism
    )  # the ball waits far away


def test_energy_that_comes_from_nowhere_is_noticed():
    task, recording = caught_recording()
    catcher = task.compiled(1.0, 1.0)
    assert recorded_is_kept(catcher.engine, recording)
    wrong = Recording.__new__(Recording)
    wrong.__dict__.update(recording.__dict__)
    wrong.energy = dict(recording.energy) | {
        "kinetic": recording.energy["kinetic"] + np.linspace(0, 2, len(recording.time))
    }
    assert not recorded_is_kept(catcher.engine, wrong)
    start, plan = grid_case(catcher, 3)
    first = catcher.run(start, [plan], 0)[0]
    last, _, work, lost = catcher.run(start, [plan], 20)
    assert energy_is_kept(catcher.engine, first, last, work, lost)
    assert not energy_is_kept(catcher.engine, first, last, work + 1.0, lost)
