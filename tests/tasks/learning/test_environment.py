"""Environments of tasks: Gymnasium's own checker, single worlds beside many, seeds, and what cannot be."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from carpal.errors import InputError
from carpal.tasks import TaskEnv, TaskVectorEnv, learnable, register_environments

register_environments()
OPTIONS = {"reach": {"robot": "srs7", "inertia": "assumed", "duration": 0.2}, "mount": {"case": 2, "duration": 0.1}}


@pytest.mark.parametrize("name", learnable())
def test_gymnasium_finds_and_accepts_it(name):
    env = gymnasium.make(f"carpal/{name.capitalize()}-v0", **OPTIONS.get(name, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_many_worlds_are_single_ones(name):
    """Same bits, over the end of an episode: the step after it begins the next one."""
    count, rng = 3, np.random.default_rng(0)
    known = f"carpal/{name.capitalize()}-v0"
    many = gymnasium.make_vec(known, num_envs=count, vectorization_mode="vector_entry_point", **OPTIONS[name])
    single = [TaskEnv(name, **OPTIONS[name]) for _ in range(count)]
    seen = many.reset(seed=7)[0]
    assert np.array_equal(seen, [env.reset(seed=7 + i)[0] for i, env in enumerate(single)])
    assert len(np.unique(seen, axis=0)) == count, "every world is drawn for itself"
    ended = np.zeros(count, bool)
    for _ in range(2 * many.lesson.periods + 3):
        actions = rng.uniform(-1.2, 1.2, many.action_space.shape)
        seen, reward, lost, over, info = many.step(actions)
        for i, env in enumerate(single):
            if ended[i]:
                assert np.array_equal(seen[i], env.reset()[0]) and reward[i] == 0 and not over[i]
            else:
                one = env.step(actions[i])
                assert (
                    np.array_equal(seen[i], one[0]) and reward[i] == one[1] and over[i] == one[3] and lost[i] == one[2]
                )
                assert info["is_success"][i] == one[4]["is_success"]
        ended = over | lost
    assert many.reset(seed=7)[0].shape == seen.shape and np.array_equal(
        many.reset(seed=[7, 8, 9])[0], many.reset(seed=7)[0]
    )


def test_a_world_that_diverges_ends_alone():
    env = TaskVectorEnv("mount", num_envs=2, case=2, duration=0.1)
    env.reset(seed=0)
    worlds = env.worlds
    v = worlds.state.v.copy()
    v[0, 0] = 1e300
    worlds.state = worlds.state.replace(v=v)
    _, reward, lost, over, _ = env.step(np.zeros((2, 2)))
    assert lost.tolist() == [True, False] and reward[0] == 0.0 and reward[1] < 0.0 and not over.any()


def test_what_cannot_be_is_one_sentence():
    env = TaskEnv("mount", **OPTIONS["mount"])
    env.reset(seed=0)
    for action in ([0.1], [np.nan, 0.0], "left", [[0.0, 0.0]]):
        with pytest.raises(InputError, match="an action must be"):
            env.step(action)
    with pytest.raises(InputError, match=r"has no environment yet; those with one: .*mount.*reach"):
        TaskEnv("sign")
    with pytest.raises(InputError, match="not rendered"):
        TaskEnv("mount", render_mode="human")
    with pytest.raises(InputError, match="num_envs"):
        TaskVectorEnv("mount", num_envs=0)
    with pytest.raises(InputError, match="seed needs one number, or 2"):
        TaskVectorEnv("mount", num_envs=2, **OPTIONS["mount"]).reset(seed=[1])
    with pytest.raises(InputError, match="the environment of mount needs"):
        TaskEnv("mount", base="floating")
