# %% [markdown]
# # Plan a motion around an obstacle

# %%
import numpy as np

import carpal
from carpal.model import Box

scene = carpal.Scene("cell")
scene.add_robot("panda", name="arm")
scene.add_fixed("post", Box((0.12, 0.12, 0.8)), pose=[0.45, 0.0, 0.4])
model = scene.build()
start = np.array([-0.9, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8, 0.02, 0.02])
model.plot(q=start)

# %% [markdown]
# The plan is a result: it says whether there is a path, how long it is, and what it took.

# %%
goal = start.copy()
goal[0] = 0.9
plan = carpal.plan(scene, start, goal, seed=1)
plan

# %%
plan.plot()

# %% [markdown]
# The straight line between both hits the post; the found path does not.

# %%
line = start + np.linspace(0, 1, 50)[:, None] * (goal - start)
print(
    any(bool(carpal.contact.collides(scene, q)) for q in line),
    any(bool(carpal.contact.collides(scene, q)) for q in plan.path),
)
