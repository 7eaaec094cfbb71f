"""Learn to hold a sliding table still while an arm moves on it: a linear policy by the cross-entropy method, in a minute.

Each of 64 worlds runs a policy of its own. The observation is the table's place and speed and the arm's predicted reaction;
what the search finds is a feed-forward of that reaction with a little feedback.
"""

import numpy as np

from carpal.tasks import TaskVectorEnv

WORLDS, BEST, GENERATIONS = 64, 8, 25
env = TaskVectorEnv("mount", num_envs=WORLDS, case=3, duration=0.6)
scale = np.array([50.0, 50.0, 5.0, 5.0] + [1.0] * (env.single_observation_space.shape[0] - 4))


def returns(policies: np.ndarray, seed: int) -> np.ndarray:
    """Sum of rewards of every policy (WORLDS, 2, n) over one episode, all from the same start."""
    seen, _ = env.reset(seed=[seed] * WORLDS)
    total = np.zeros(WORLDS)
    for _ in range(env.lesson.periods):
        actions = np.einsum("wan,wn->wa", policies, scale * seen)
        seen, reward, _, _, _ = env.step(np.clip(actions, -1.0, 1.0))
        total += reward
    return total


rng = np.random.default_rng(0)
mean, spread = np.zeros((2, scale.size)), np.full((2, scale.size), 0.5)
nothing = returns(np.zeros((WORLDS, *mean.shape)), seed=1000)[0]
for generation in range(GENERATIONS):
    policies = mean + spread * rng.normal(size=(WORLDS, *mean.shape))
    best = policies[np.argsort(returns(policies, seed=generation))[-BEST:]]
    mean, spread = best.mean(0), best.std(0) + 0.02
learned = returns(np.broadcast_to(mean, (WORLDS, *mean.shape)), seed=1000)[0]
print(f"return of an episode: {nothing:.0f} without a policy, {learned:.0f} with the one that was learned")
assert learned > 0.3 * nothing  # both are negative
