"""mount as a lesson: the predicted reaction as a policy holds the table, doing nothing does not."""

import numpy as np
import pytest

from carpal.tasks import TaskVectorEnv, make_task


@pytest.mark.parametrize("base", ["table", "rail"])
def test_feeding_the_observed_reaction_forward_holds_the_table(base):
    totals = {}
    for gain in (0.0, 1.0):
        env = TaskVectorEnv("mount", num_envs=2, case=3, base=base, duration=1.0)
        seen, _ = env.reset(seed=0)
        assert np.abs(seen[:, 1]).max() == 0.0 if base == "rail" else np.abs(seen[:, 1]).max() > 0.0
        total = 0.0
        for _ in range(env.lesson.periods):
            table, speed, ahead = seen[:, :2], seen[:, 2:4], seen[:, 4:6]
            hold = (-4000.0 * table - 400.0 * speed) / (1.5 * env.lesson._peak)
            seen, reward, _, _, info = env.step(gain * np.clip(ahead / 1.5 + hold, -1.0, 1.0))
            total += reward.mean()
        totals[gain] = total, info["is_success"].all()
    assert totals[1.0][0] > 0.2 * totals[0.0][0] and totals[1.0][1] and not totals[0.0][1]


def test_the_arm_follows_its_motion():
    task = make_task("mount", case=3, duration=0.5)
    lesson = task.lesson()
    state, drawn = lesson.begin(np.random.default_rng(0))
    for _ in range(lesson.periods):
        state = lesson.advance(state, drawn, np.zeros(2))
    assert np.allclose(state.q[2:], task.motion.q[round(0.5 / task.dt)], atol=1e-9)
