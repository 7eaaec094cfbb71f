"""The control kernels: clean scratch use, limits, refusals; their formulas are tested in tests/control/test_joint.py."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal.control.kernels.joint import (
    ACTUATED,
    GAIN_COLUMNS,
    GRAVITY_SCRATCH,
    KD,
    KP,
    LARGEST,
    TORQUE_SCRATCH,
    computed_torque,
    computed_torque_batch,
    gravity_pd,
    gravity_pd_batch,
    pd,
    pd_batch,
)

GAINS = np.zeros((MODEL.nv, GAIN_COLUMNS))
GAINS[:, KP], GAINS[:, KD], GAINS[:, ACTUATED], GAINS[:, LARGEST] = 3.0, 2.0, 1.0, np.inf
TARGET, SPEED = q[::-1].copy(), 0.5 * v


def empty() -> np.ndarray:
    return np.full((WORLDS, MODEL.nv), 7.0)


def run(law: str, gains: np.ndarray = GAINS, work: float = np.nan) -> np.ndarray:
    u, more = empty(), empty()
    if law == "pd":
        bad = pd(JOINTS, gains, TARGET, SPEED, q, v, u, WORLD)
    elif law == "gravity":
        memory = np.full_like(scratch(GRAVITY_SCRATCH), work)
        bad = gravity_pd(JOINTS, BODIES, gains, TARGET, SPEED, q, v, u, more, memory, WORLD, SLOT)
    else:
        memory = np.full_like(scratch(TORQUE_SCRATCH), work)
        bad = computed_torque(JOINTS, BODIES, gains, TARGET, SPEED, vdot, q, v, u, more, memory, WORLD, SLOT)
    assert bad == 0 and (u[[0, 2]] == 7.0).all() and (more[[0, 2]] == 7.0).all()
    return u[WORLD]


def test_old_scratch_does_not_leak_into_the_answer() -> None:
    for law in ("gravity", "torque"):
        assert np.array_equal(run(law), run(law, work=1.0))


def test_limits_and_missing_actuators() -> None:
    gains = GAINS.copy()
    gains[2, ACTUATED], gains[3, LARGEST] = 0.0, 0.25
    for law in ("pd", "gravity"):
        free, held = run(law), run(law, gains)
        assert held[2] == 0.0 and held[3] == np.clip(free[3], -0.25, 0.25) and abs(free[3]) > 0.25
        assert np.array_equal(np.delete(free, [2, 3]), np.delete(held, [2, 3]))
    assert run("torque", gains)[2] == 0.0


def test_bad_worlds_are_named() -> None:
    span = (0, WORLDS, 1, SLOT)
    whole = [TARGET, SPEED, q, v]
    for i in range(4):
        numbers = [spoiled(array) if k == i else array for k, array in enumerate(whole)]
        target, speed, a, b = numbers
        assert pd_batch(JOINTS, GAINS, *numbers, empty(), *span) == WORLD + 1
        memory = scratch(GRAVITY_SCRATCH)
        assert gravity_pd_batch(JOINTS, BODIES, GAINS, *numbers, empty(), empty(), memory, *span) == WORLD + 1
        memory = scratch(TORQUE_SCRATCH)
        assert computed_torque_batch(
            JOINTS, BODIES, GAINS, target, speed, vdot, a, b, empty(), empty(), memory, *span
        ) == WORLD + 1  # fmt: skip
