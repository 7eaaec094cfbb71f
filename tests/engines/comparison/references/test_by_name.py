"""Every reference gives rows for the times asked for."""

import numpy as np
import pytest

from carpal.engines.comparison.references.by_name import REFERENCES


@pytest.mark.parametrize("name", REFERENCES)
def test_paths_have_a_row_for_each_time(name):
    made = REFERENCES[name](np.linspace(0, 0.01, 4))
    assert all(path.shape == (4, 3) and np.isfinite(path).all() for path in made.paths.values())
    assert set(made.points) <= set(made.paths) and (made.paths or made.values)
