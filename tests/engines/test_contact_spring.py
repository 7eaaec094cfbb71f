"""Restitution of a spring and damper that cannot pull, against its own equation of motion."""

import numpy as np
import pytest

from carpal.engines import Restitution, Surface
from carpal.engines.contact_spring import LEAST_RESTITUTION, damping_ratio_of, restitution_number, restitution_of
from carpal.errors import InputError


@pytest.mark.parametrize("ratio", [0.0, 0.05, 0.3, 0.7, 0.75, 1.0, 1.5, 4.0])
def test_closed_form_is_that_of_the_equation_of_motion(ratio):
    """x'' = -x - 2 z x', from x = 0 at speed 1, until the force is zero; by the matrix exponential in small steps."""
    from scipy.linalg import expm

    h = 1e-4
    step, state = expm(h * np.array([[0.0, 1.0], [-1.0, -2.0 * ratio]])), np.array([0.0, 1.0])
    for _ in range(2_000_000):
        state = step @ state
        if state[0] + 2 * ratio * state[1] <= 0.0:
            break
    assert restitution_of(ratio) == pytest.approx(-state[1], abs=2e-4)


def test_inverse_and_limits():
    for e in (0.02, 0.135, 0.5, 0.9, 1.0):
        assert restitution_of(damping_ratio_of(e)) == pytest.approx(e, abs=1e-9)
    assert damping_ratio_of(0.0) == damping_ratio_of(LEAST_RESTITUTION) > 4.0
    assert restitution_number(Surface(restitution=0.3)) == 0.3
    assert restitution_number(Surface(restitution=Restitution.exponential(0.8, 0.1))) == pytest.approx(0.9)
    for call in (lambda: restitution_of(-1.0), lambda: damping_ratio_of(1.1), lambda: restitution_of(float("nan"))):
        with pytest.raises(InputError):
            call()
