"""The catch itself: one from throw to bin, points of the grid, a failure with its cause, the command line's words."""

import numpy as np
import pytest
from catch_inputs import caught_recording

from carpal.engines import Recording
from carpal.labs.catch import controller, toggle_angles
from carpal.labs.catch.task import Catch
from carpal.tasks import make_task, tasks

PUBLISHED = {"max_position_error_mm": 13.6, "max_position_error_before_mm": 8.4, "max_angle_error_deg": 4.3}


def test_it_is_registered():
    assert "catch" in tasks()
    assert make_task("catch", x=0.1).options.x == 0.1


def test_one_catch_from_throw_to_bin(figure, tmp_path):
    task, recording = caught_recording()
    score = task.score(recording)
    assert score.ok, score.status
    for name, published in PUBLISHED.items():
        figure(f"catch, thesis gains, middle of the grid: {name}", score.numbers[name], published)
    told = task.summary(score)
    assert told["cause"] == "none"
    assert told["caught"] and told["in_bin"]
    assert len(told["peak_torque_Nm"]) == 6
    again = Recording.load(recording.save(tmp_path / "catch.parquet"))
    assert task.score(again).status == score.status
    assert toggle_angles(task.compiled(1.0, 1.0).mechanism, recording.q).min() > 0  # no digit crosses a toggle


def test_the_ledger_of_a_catch(figure):
    _, recording = caught_recording()
    exchanged = np.ptp(recording.energy["dissipated"])
    figure(
        "catch: energy nobody accounts for over what is dissipated",
        np.abs(recording.energy["residual"]).max() / exchanged,
        2e-3,
    )


def test_as_the_thesis_two_points(figure):
    scores = Catch(grid=True, as_thesis=True).score_seeds([0, 29])
    for score in scores:
        assert score.ok, score.status
        assert (
            max(score.numbers["peak_torque_before_Nm"]) > 100
        )  # the differenced rates, before any ball is there (E12)
    worst = max(score.numbers["max_position_error_mm"] for score in scores)
    figure("catch as the thesis, corners of the grid: max_position_error_mm", worst, 13.6)


def test_one_run_and_the_same_seed_of_many_are_the_same():
    task, recording = caught_recording()
    many = Catch(gains="thesis").score_seeds([0])[0]
    assert many.numbers == task.score(recording).numbers


def test_a_hand_that_is_too_weak_says_so():
    score = Catch(torque_limit=2.0).score_seeds([0])[0]
    assert not score.ok
    assert "torque-limited" in score.status


def test_a_point_out_of_reach_is_a_cause_among_many():
    task = Catch(x=1.5)
    score = task.score_seeds([0])[0]
    assert not score.ok
    assert task.summary(score)["cause"] == "out of reach"


def test_a_plan_that_asks_for_too_much_speed_is_refused():
    """At 1 m/s the ball is there after 0.14 s."""
    score = Catch(speed=1.0).score_seeds([0])[0]
    assert not score.ok and score.status.startswith("too fast: the plan asks joint 6 for 24.7 rad/s")
    assert Catch().summary(score)["cause"] == "too fast"
    assert Catch(speed=1.0, speed_limit=0.0).score_seeds([0])[0].ok


def test_digits_that_are_closed_before_the_ball_comes():
    score = Catch(close_early=0.2, gains="thesis").score_seeds([0])[0]
    assert "(struck the digits): it struck the middle finger" in score.status and "100 % closed" in score.status


def test_one_throw_is_not_set_against_thirty():
    assert caught_recording()[0].score(caught_recording()[1]).published == []


def test_seen_instead_of_known():
    score = Catch(ball="estimated", gains="thesis").score_seeds([1])[0]
    assert score.ok, score.status


@pytest.mark.full
@pytest.mark.parametrize("options", [{"as_thesis": True}, {"gains": "tuned"}], ids=["as thesis", "tuned"])
def test_all_thirty_points(options, figure):
    scores = Catch(grid=True, **options).score_seeds(range(30))
    assert sum(bool(s.numbers["caught"]) for s in scores) == 30
    assert sum(bool(s.numbers["in_bin"]) for s in scores) == 30
    label = " ".join(options)
    means = {"mean_position_error_mm": 3.3, "mean_angle_error_deg": 0.27}
    for name, bound in (PUBLISHED | means).items():
        figure(f"catch --grid, {label}: {name}", max(s.numbers[name] for s in scores), bound)
    if "gains" in options:
        figure("catch --grid, tuned: peak torque [N m]", max(max(s.numbers["peak_torque_Nm"]) for s in scores), 100.0)
        figure(
            "catch --grid, tuned: mean_position_error_mm",
            np.mean([s.numbers["mean_position_error_mm"] for s in scores]),
            1.65,
        )


def test_a_case_is_planned_once(monkeypatch):
    task = Catch(gains="thesis")
    planned = []
    make = controller.plan_throw
    monkeypatch.setattr(controller, "plan_throw", lambda *given: planned.append(given) or make(*given))
    task.check()
    engine, _, _ = task.begin(0)
    assert task.duration > 2.0 and engine.plan(0.0) is task.current.plan
    assert len(planned) == 1
    task.begin(1)
    assert len(planned) == 2 and task.current.throw.seed == 1
