"""Painleve's paradox: the margin of a sliding rod against its closed form."""

import numpy as np
import pytest

from carpal.engines.modal.kernels.impact_painleve import painleve_margin, worst_painleve_margin


@pytest.mark.parametrize("angle", [0.3, 0.8, 1.1, 1.4])
def test_a_sliding_rod(angle):
    """A uniform rod at an angle: the paradox needs mu > (1 + 3 cos^2) / (3 sin cos), 4/3 at least over all angles."""
    c, s = np.cos(angle), np.sin(angle)
    K = (1 + 3 * s * s, 4.0, 1 + 3 * c * c, 0.0, 3 * s * c, 0.0)
    critical = (1 + 3 * c * c) / (3 * s * c)
    assert critical >= 4 / 3 - 1e-12
    assert painleve_margin(K, (1.0, 0.0, 0.0), critical) == pytest.approx(0.0, abs=1e-14)
    assert painleve_margin(K, (2.0, 0.0, 0.0), 1.01 * critical) < 0 < painleve_margin(K, (-1.0, 0, 0), 1.01 * critical)
    assert worst_painleve_margin(K, 0.5) == pytest.approx(painleve_margin(K, (1.0, 0.0, 0.0), 0.5))


def test_no_slip_and_no_mass_to_move_are_no_paradox():
    assert painleve_margin((1.0, 1.0, 1.0, 0.0, 0.9, 0.0), (0.0, 0.0, 0.0), 5.0) == 1.0
    assert worst_painleve_margin((1.0, 1.0, 0.0, 0.0, 0.0, 0.0), 5.0) == 1.0
