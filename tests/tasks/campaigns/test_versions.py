import numpy as np

import carpal
from carpal.tasks.campaigns.versions import versions


def test_what_the_numbers_depend_on_is_named():
    found = versions()
    assert found["carpal"] == carpal.__version__ and found["numpy"] == np.__version__
    assert set(found) == {"carpal", "kernels", "python", "numpy", "numba", "mujoco"} and versions() == found
