import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns.factors import Factor, drawn_values


def test_levels():
    assert Factor.from_data("x", {"grid": [0.0, 0.4, 5]}).levels == [0.0, 0.1, 0.2, 0.30000000000000004, 0.4]
    assert Factor.from_data("word", ["a", "b"]).levels == ["a", "b"]


def test_a_hypercube_uses_each_part_once():
    factors = (Factor.from_data("x", {"hypercube": [1.0, 3.0]}), Factor.from_data("y", {"hypercube": [0.0, 1.0]}))
    values = drawn_values(factors, 50, seed=4)
    assert (np.sort(np.floor((values[:, 0] - 1.0) / 2.0 * 50)) == np.arange(50)).all()
    assert (np.sort(np.floor(values[:, 1] * 50)) == np.arange(50)).all()
    assert abs(np.corrcoef(values.T)[0, 1]) < 0.4


def test_a_factors_draws_do_not_depend_on_the_others():
    x, y = Factor.from_data("x", {"uniform": [0, 1]}), Factor.from_data("y", {"normal": [5, 2]})
    both = drawn_values((x, y), 2000, seed=1)
    assert (both[:, 1] == drawn_values((y,), 2000, seed=1)[:, 0]).all()
    assert abs(both[:, 1].mean() - 5) < 0.2 and abs(both[:, 1].std() - 2) < 0.15 and 0 <= both[:, 0].min() < 0.01
    assert (both != drawn_values((x, y), 2000, seed=2)).any()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"grid": [1, 0, 3]}, "low below high"), ({"grid": [0, 1]}, "count"), ({"grid": [0, 1, 2.5]}, "whole number"),
        ({"uniform": [0, float("nan")]}, "finite"), ({"normal": [0, -1]}, "0 or above"), ({"gird": [0, 1, 2]}, "grid"),
        ([], "at least one"), ([1, 1], "twice"), (3, "must be a list or one of"), ({"list": 3}, "needs list"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_factor(data, word):
    with pytest.raises(CarpalError, match=word) as caught:
        Factor.from_data("x", data)
    assert "'x'" in str(caught.value)
