"""reach as a lesson: speeds arrive, goals can be reached, and the obvious policy comes there."""

import numpy as np

import carpal
from carpal.kinematics import fk, jacobian
from carpal.tasks import TaskVectorEnv, make_task
from carpal.tasks.reach.lesson import NEAR

OPTIONS = {"robot": "sawyer", "duration": 2.0}


def test_asked_speeds_arrive():
    lesson = make_task("reach", **OPTIONS).lesson()
    state, drawn = lesson.begin(np.random.default_rng(0))
    action = np.array([0.5, 0.2, -0.3, 0.1, 0.4, 0.0, -0.5])
    for _ in range(15):
        state = lesson.advance(state, drawn, action)
    assert np.abs(state.v - action * np.minimum(lesson.model.v_max, 1.0)).max() < 0.02


def test_goals_are_drawn_where_the_arm_reaches_and_a_target_is_kept():
    lesson = make_task("reach", **OPTIONS).lesson()
    goals = [lesson.begin(np.random.default_rng(seed))[1] for seed in range(5)]
    assert len(np.unique(goals, axis=0)) == 5
    assert all(carpal.ik(lesson.model, goal, lesson.model.q_home) for goal in goals)
    kept = make_task("reach", target=(0.6, 0.1, 0.4), **OPTIONS).lesson()
    assert np.allclose(kept.begin(np.random.default_rng(3))[1], (0.6, 0.1, 0.4))


def test_the_jacobian_s_policy_succeeds_and_standing_still_does_not():
    ends = {}
    for name in ("still", "jacobian"):
        env = TaskVectorEnv("reach", num_envs=4, **OPTIONS)
        seen, _ = env.reset(seed=1)
        lesson = env.lesson
        model, total = lesson.model, 0.0
        for _ in range(lesson.periods):
            q, miss = seen[:, : model.nq], seen[:, -3:]
            J = jacobian(model, q)[:, :3]
            wish = np.einsum("bji,bj->bi", J, 8.0 * miss) / np.minimum(model.v_max, 1.0)
            seen, reward, _, _, info = env.step(np.clip(wish, -1, 1) if name == "jacobian" else 0 * wish)
            total += reward.mean()
        ends[name] = total, info["is_success"].mean(), np.linalg.norm(seen[:, -3:], axis=1).max()
        there = lesson.engine.model
        assert np.allclose(seen[:, -3:], env.worlds.drawn - fk(there, seen[:, : model.nq])[:, :3, 3])
    assert ends["jacobian"][1] == 1.0 and ends["jacobian"][2] < NEAR and ends["still"][1] == 0.0
    assert ends["jacobian"][0] > 0.5 * ends["still"][0]
