"""Restitution: the kernel's number is the public one's, and never above one (E19)."""

import numpy as np
import pytest

from carpal.engines import Restitution
from carpal.engines.modal.kernels.impact_restitution import restitution_at


@pytest.mark.parametrize(
    "law", [Restitution.constant(0.3), Restitution.exponential(), Restitution.exponential(-0.5, 0.2)]
)
def test_the_kernel_and_the_public_edge_agree(law):
    for depth in (0.0, 1e-4, 5e-4, 6e-4, 1e-3, 1.0):
        e = restitution_at(*law.numbers, 1e3 * depth)
        assert e == pytest.approx(float(law.at(depth)), abs=1e-15) and 0 <= e <= 1


def test_the_exponential_law_exceeds_one_beyond_half_a_millimetre():
    law = Restitution.exponential()
    assert float(law.at(0.0)) == pytest.approx(0.95) and np.array_equal(law.at([0.00051, 0.001, 1e6]), [1.0, 1.0, 1.0])
    assert float(law.at(0.00050)) < 1.0
