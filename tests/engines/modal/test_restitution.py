"""Restitution at the edge: two laws, cut to 0..1, and what is refused."""

import numpy as np
import pytest

from carpal.engines import Restitution
from carpal.errors import CarpalError


def test_two_laws():
    assert np.array_equal(Restitution.constant(0.4).at([0.0, 1.0]), [0.4, 0.4])
    law = Restitution.exponential()
    assert np.allclose(law.at([0, 1e-4, 1e-3]), [0.95, 0.8744 + 0.0756 * np.exp(0.1), 1.0])
    assert law.numbers == (1, 0.8744, 0.0756) and Restitution.constant(1).numbers == (0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Restitution.constant(1.2), "from 0 to 1; got 1.2"),
        (lambda: Restitution.constant(-0.1), "from 0 to 1; got -0.1"),
        (lambda: Restitution.constant("a lot"), "a of a Restitution must be a finite number; got 'a lot'"),
        (lambda: Restitution.exponential(b=np.nan), "b of a Restitution must be a finite number"),
        (lambda: Restitution("newton", 0.5), "must be one of constant, exponential; got 'newton'"),
        (lambda: Restitution.constant(0.5).at("deep"), "depth must be real numbers"),
        (lambda: Restitution.constant(0.5).at(np.inf), "depth must be finite"),
    ],
)
def test_bad_input_gets_one_clear_sentence(make, says):
    with pytest.raises(CarpalError, match=says):
        make()
