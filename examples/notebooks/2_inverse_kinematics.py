# %% [markdown]
# # Inverse kinematics
# The answer is a result with a sentence, and truthy where the target is reached.

# %%
import numpy as np

import carpal

arm = carpal.load("srs7")
q = np.array([0.2, 0.6, -0.3, 1.2, 0.4, -0.5, 0.1])
X_WT = carpal.fk(arm, q)
found = carpal.ik(arm, X_WT)
found

# %%
found.plot()

# %% [markdown]
# # Out of reach
# The sentence says why.

# %%
far = X_WT.copy()
far[:3, 3] *= 4
print(carpal.ik(arm, far))

# %% [markdown]
# # The arm angle
# Seven joints leave one freedom: the elbow turns about the line from shoulder to wrist.

# %%
print(np.degrees(carpal.arm_angle(arm, q)))
carpal.arm_angle_intervals(arm, X_WT)

# %%
carpal.ik_all(arm, X_WT, arm_angle=carpal.arm_angle(arm, q)).q.shape
