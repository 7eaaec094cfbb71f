"""The same catch in MuJoCo: paths before the contact, and what becomes of the ball."""

import numpy as np
import pytest
from catch_inputs import caught_recording

from carpal.kinematics import fk
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.series import series_of
from carpal.labs.catch.task import Catch
from carpal.model import load


def _before(recording):
    """Hand and ball (rows, 3) [m] until the ball first touches, from joint angles and the ball's own place."""
    watch = np.array(recording.metadata["catch"]["watch"])
    rows = int((recording.time < watch[w.TOUCHED] - 1e-3).sum())
    hand = fk(load("catcher_arm"), series_of(recording, "measured")[:rows])[:, :3, 3]
    return hand, recording.q[:rows, -7:-4]


def _apart(ours, theirs):
    rows = min(len(ours[0]), len(theirs[0]))
    assert rows > 700
    return [float(np.linalg.norm(a[:rows] - b[:rows], axis=1).max()) for a, b in zip(ours, theirs, strict=True)]


def test_one_catch_agrees(figure):
    _, ours = caught_recording()
    task = Catch(gains="thesis", engine="mujoco")
    result = task.run(0)
    assert result.ok, result.status
    hand, ball = _apart(_before(ours), _before(result.recording))
    figure("catch in MuJoCo, middle of the grid: hand before the contact [m]", hand, 2e-3)
    figure("catch in MuJoCo, middle of the grid: ball before the contact [m]", ball, 2e-3)
    assert task.summary(result.score)["engine"] == "mujoco"


def test_tuned_gains_hold_the_weight_there_too():
    result = Catch(engine="mujoco").run(0)
    assert result.ok, result.status
    assert result.score.numbers["mean_position_error_mm"] < 1.5


def test_the_best_controller_catches_in_air_there_too(figure):
    """The same plan from the same sightings: the ball is caught, and as softly as in ours."""
    options = {"controller": "best", "drag": 0.47, "gains": "thesis"}
    theirs = Catch(engine="mujoco", **options).score_seeds([0])[0]
    assert theirs.ok, theirs.status
    ours = Catch(**options).score_seeds([0])[0]
    assert theirs.numbers["matched_share"] == ours.numbers["matched_share"] > 0
    ratio = theirs.numbers["peak_contact_force_N"] / ours.numbers["peak_contact_force_N"]
    figure("catch best in MuJoCo: largest force on the ball over ours, apart from 1", abs(ratio - 1.0), 0.35)


@pytest.mark.full
def test_thirty_outcomes_agree(figure):
    same, hand, ball = 0, 0.0, 0.0
    ours, theirs = Catch(gains="thesis", grid=True), Catch(gains="thesis", grid=True, engine="mujoco")
    for seed in range(30):
        a, b = ours.run(seed), theirs.run(seed)
        same += all(bool(a.score.numbers[n]) == bool(b.score.numbers[n]) for n in ("caught", "in_bin"))
        apart = _apart(_before(a.recording), _before(b.recording))
        hand, ball = max(hand, apart[0]), max(ball, apart[1])
    figure("catch in MuJoCo, 30 points: outcomes that agree", same, 27, at_least=True)
    figure("catch in MuJoCo, 30 points: hand before the contact [m]", hand, 2e-3)
    figure("catch in MuJoCo, 30 points: ball before the contact [m]", ball, 2e-3)
