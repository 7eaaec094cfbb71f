"""Tables and one state, laid out as kernels take them, for the kernels' own small tests."""

from __future__ import annotations

import numpy as np
from random_models import random_state, random_tree

from carpal.model import Model

# every joint kind; body_9 hangs behind free, revolute, fixed and ball joints
MODEL: Model = random_tree(0, joints=14).replace(tool="body_9")
WORLDS, WORLD, SLOT = 3, 1, 1
q, v, vdot = random_state(MODEL, np.random.default_rng(5), (WORLDS,))
JOINTS, BODIES, FRAMES = MODEL.tables.joints, MODEL.tables.bodies, MODEL.tables.frames
ROWS = range(1, len(JOINTS))


def scratch(columns: int) -> np.ndarray:
    """Two slots full of NaN: a kernel that reads what it did not write shows."""
    return np.full((2, len(JOINTS), columns), np.nan)


def spoiled(array: np.ndarray) -> np.ndarray:
    """A copy whose last number of the world under test is NaN."""
    out = array.copy()
    out[WORLD, -1] = np.nan
    return out
