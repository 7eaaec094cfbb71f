"""Thesis 5's four targets by damped least squares: no damping leaves a steady error (erratum E13)."""

import numpy as np
import pytest

import carpal

TARGETS = {
    "I": (0.081, 0.16, 1.25),
    "II": (-0.1603, 1.01575, 0.317),  # the text rounds to 1.016
    "III": (0.6, 0.6, 0.6),
    "IV": (0.8, 0.0, 0.6),
}
PRINTED_II = np.array([-0.1603, 1.016, 0.317])
ARM = carpal.load("sawyer_dh")


def damped(target, damping, **options):
    """One search from the thesis's start pose, which is doubly singular."""
    options = {"attempts": 1, "steps": 100_000, "position_tolerance": 1e-9, **options}
    return carpal.ik(ARM, np.array(target), ARM.q_home, method="dls", damping=damping, **options)


@pytest.mark.parametrize("damping", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("name", TARGETS)
def test_no_steady_error(name, damping, figure):
    target = np.array(TARGETS[name])
    result = damped(target, damping)
    miss = np.linalg.norm(carpal.fk(ARM, result.q)[:3, 3] - target)
    figure(
        f"thesis 5, target {name}, damping {damping}: error of dls [m]",
        miss,
        1e-9,
        note=f"{int(result.iterations)} steps from the start pose",
    )
    assert ((result.q >= ARM.q_min) & (result.q <= ARM.q_max)).all()


def test_damping_only_slows():
    """More damping, more steps to the same end."""
    for name in ("I", "III", "IV"):
        steps = [int(damped(TARGETS[name], damping).iterations) for damping in (0.1, 0.5, 1.0)]
        assert steps[0] < steps[1] < steps[2], (name, steps)


def test_the_printed_second_target_lies_beyond_the_straight_arm(figure):
    """Turning the first joint of the start pose misses it by 0.25 mm (E3), and from there no joint leads outward.

    The point is not out of reach: other shapes of the arm get there, which the first search from this pose cannot see.
    """
    q = ARM.q_home + np.linspace(0, np.pi, 200_001)[:, None] * np.eye(7)[0]
    nearest = np.linalg.norm(carpal.fk(ARM, q)[:, :3, 3] - PRINTED_II, axis=1).min()
    figure(
        "thesis 5, E3: printed target II, miss by turning joint 1 alone, against 0.247 mm", abs(nearest - 2.47e-4), 1e-6
    )
    stuck = damped(PRINTED_II, 1.0)
    assert not stuck
    assert str(stuck) == "singular: one singular value below 1e-9; the best of 1 start is 0.247 mm short."
    values = np.linalg.svd(carpal.jacobian(ARM, stuck.q)[:3], compute_uv=False)
    assert (values < 1e-9).sum() == 1
    elsewhere = carpal.ik(ARM, PRINTED_II, method="dls", damping=0.1)
    assert elsewhere
    assert np.linalg.norm(carpal.fk(ARM, elsewhere.q)[:3, 3] - PRINTED_II) <= 1e-6
