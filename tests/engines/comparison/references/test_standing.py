"""Limit analysis of an arch against Heyman's thickness; cards and pinches at their limits."""

import numpy as np
import pytest

from carpal.engines.comparison.references import standing


def test_the_thinnest_arch_is_heymans():
    """Heyman 1969 gives 0.106, Milankovitch 0.1075; an arch of few stones may be a little thinner."""
    low, high = 0.05, 0.2
    assert standing.arch_stands(high, 64) and not standing.arch_stands(low, 64)
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if standing.arch_stands(middle, 64) else (middle, high)
    assert high == pytest.approx(0.1075, abs=0.002)
    assert standing.arch_stands(0.15) and not standing.arch_stands(0.09)


def test_cards_and_pinches_at_their_limits():
    assert standing.cards_stand(0.135, 15) and not standing.cards_stand(0.133, 15)
    limit = 0.2 * 9.81 / 10
    t = np.array([0.0, 0.1])
    assert standing.pinch_path(t, limit + 1e-12)[1] == pytest.approx(0.5)
    assert standing.pinch_path(t, 0.0)[1] == pytest.approx(0.5 - 0.5 * 9.81 * 0.01)
