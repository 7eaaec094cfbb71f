"""What a frame is asked, and the answer: reached targets are reached, others get the sentence and the nearest place."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.viewer.reaching import freedoms, moved_frames, reach, target_of, usual_question


@pytest.mark.parametrize(
    ("name", "count", "asked"),
    [
        ("sawyer", 6, "pose"),
        ("k10", 5, "point and direction"),
        ("cuhk_hand", 3, "point"),
    ],
)
def test_the_usual_question(name, count, asked):
    model = carpal.load(name)
    assert freedoms(model, model.tool) == count and usual_question(model, model.tool) == asked
    assert moved_frames(model)[0] == model.tool


@pytest.mark.parametrize("name", ["sawyer", "k10", "cuhk_hand"])
def test_a_target_nearby_is_reached_from_where_the_robot_is(name):
    model = carpal.load(name)
    rng = np.random.default_rng(2)
    home = np.clip(np.asarray(model.q_home) + rng.uniform(0.1, 0.3, model.nq), model.q_min, model.q_max)
    for frame in moved_frames(model)[:1]:
        for _ in range(5):
            X = target_of(model, frame, np.clip(home + rng.uniform(-0.1, 0.1, model.nq), model.q_min, model.q_max))
            answer = reach(model, frame, X, home, usual_question(model, frame), attempts=1)
            assert answer.ok, answer.status
            assert np.linalg.norm(carpal.fk(model, answer.q, frame)[:3, 3] - X[:3, 3]) < 1e-5
            assert (answer.q >= model.q_min).all() and (answer.q <= model.q_max).all()


def test_out_of_reach_and_bad_questions():
    model = carpal.load("sawyer")
    X = target_of(model, model.tool, np.asarray(model.q_home)).copy()
    X[:3, 3] *= 9
    answer = reach(model, model.tool, X, model.q_home, "pose", attempts=1)
    assert not answer.ok and "out of reach by" in answer.status and np.isfinite(answer.q).all()
    with pytest.raises(InputError, match="asks for one of"):
        reach(model, model.tool, X, model.q_home, "everything")
    still = reach(model, "base", X, model.q_home, "pose")
    assert not still.ok and "no joint" in still.status
