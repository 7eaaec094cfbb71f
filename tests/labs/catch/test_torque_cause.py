"""What makes the thesis's torques: both habits of its script, each alone, and the impact without them."""

import numpy as np
import pytest

from carpal.labs.catch.torque_cause import Run, cause_text, compared_runs, shared_rows
from carpal.tasks import make_task


@pytest.fixture(scope="module")
def runs():
    return compared_runs(make_task("catch"), 0)


def peak(run, name="peak_torque_Nm"):
    return max(run.numbers[name])


def test_the_impact_alone_does_not_ask_for_200_newton_metres(runs, figure):
    figure("thesis's settings, largest torque [N m]", peak(runs["differenced", "kick"]), 200, at_least=True)
    figure(
        "differenced rates alone, largest torque [N m]",
        peak(runs["differenced", "ramp"]),
        200,
        at_least=True,
        note="E12",
    )
    figure(
        "kick of the digits alone, largest torque [N m]", peak(runs["smooth", "kick"]), 200, at_least=True, note="E24"
    )
    figure("neither, impact included, largest torque [N m]", peak(runs["smooth", "ramp"]), 100)
    kicked = runs["smooth", "kick"]
    assert peak(kicked, "peak_torque_before_Nm") == peak(kicked)  # before the ball has touched anything
    text = cause_text(runs)
    assert "The impact by itself" in text and "(E12" in text and "(E24)" in text


def test_all_four_are_the_same_catch(runs):
    assert all(run.numbers["caught"] for run in runs.values())
    assert len({run.numbers["catch_time_s"] for run in runs.values()}) == 1
    assert all(np.abs(run.torque).max() <= peak(run) * (1 + 1e-9) for run in runs.values())


def made_up(before, peak):
    return Run(np.arange(3.0), np.ones((3, 6)), {"peak_torque_before_Nm": [before], "peak_torque_Nm": [1.0, peak]})


@pytest.mark.parametrize(
    ("peaks", "said", "unsaid"),
    [
        ((300, 50, 250, 20), "(E12", "(E24)"),
        ((300, 250, 50, 20), "(E24)", "(E12"),
        ((300, 250, 250, 220), "Here the impact itself asks for over 200 N m.", "(E12"),
        ((150, 50, 50, 20), "None of the script's two habits", "(E12"),
    ],
)
def test_the_paragraph_says_what_the_runs_show(peaks, said, unsaid):
    keys = [("differenced", "kick"), ("smooth", "kick"), ("differenced", "ramp"), ("smooth", "ramp")]
    text = cause_text({key: made_up(5, value) for key, value in zip(keys, peaks, strict=True)})
    assert said in text and unsaid not in text


def test_runs_of_different_lengths_share_their_rows():
    long, short = Run(np.arange(5.0), np.arange(30.0).reshape(5, 6), {}), Run(np.arange(3.0), np.zeros((3, 6)), {})
    time, values = shared_rows([long, short], 1, 1.0, 9.0)
    assert np.array_equal(time, [1, 2]) and np.array_equal(values, [[7, 0], [13, 0]])
