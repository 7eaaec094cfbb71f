"""The edge of `sweep`: options, sentences. (Truth is in kernels/test_sweep.py.)"""

import numpy as np
import pytest

from carpal.contact import sweep
from carpal.errors import InputError
from carpal.model import Scene, Sphere

SCENE = Scene("two").add_object("egg", Sphere(0.1), mass=1.0).add_fixed("nest", Sphere(0.2), pose=[1.0, 0, 0])
START, THROUGH, ASIDE = ([x, y, 0, 1, 0, 0, 0.0] for x, y in ((0, 0), (2, 0), (0, 2)))


def test_sentences():
    met, free = sweep(SCENE, START, THROUGH), sweep(SCENE, START, ASIDE)
    assert not met and free
    assert met.names() == ("egg", "nest") and free.names() is None
    assert str(met).startswith("at 35 % of the path 'egg' and 'nest' are ")
    assert str(free).startswith("the path is free (proven by distances, ")
    assert "checked every 10 mm or closer" in str(sweep(SCENE, START, ASIDE, resolution=0.01))
    assert "overlap by" in str(sweep(SCENE, THROUGH, START, resolution=0.3))
    both = sweep(SCENE, START, [ASIDE, THROUGH])
    assert both.ok.tolist() == [True, False]
    assert str(both).startswith("1 of 2 paths are free; of (1,): at 35 %")
    assert str(sweep(SCENE, START, [ASIDE, ASIDE])) == "2 of 2 paths are free."


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"resolution": 0.0}, "above zero"), ({"resolution": -1.0}, "above zero"), ({"resolution": np.nan}, "finite"),
        ({"tolerance": 0.0}, "above zero"), ({"tolerance": "x"}, "a number"),
    ],
)  # fmt: skip
def test_wrong_options_are_one_sentence(options, match):
    with pytest.raises(InputError, match=match):
        sweep(SCENE, START, THROUGH, **options)


def test_a_path_that_is_too_long_is_undecided_not_free():
    far = [1e9, 5.0, 0, 1, 0, 0, 0.0]
    start = [-1e9, 5.0, 0, 1, 0, 0, 0.0]
    found = sweep(SCENE, start, far, tolerance=1e-4)
    assert found.ok or found.names() is None
    assert "undecided" in str(sweep(SCENE, [0, 5, 0, 1, 0, 0, 0.0], [0.1, 5, 0, 1, 0, 0, 0.0], resolution=1e-9))


def test_ends_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="do not fit together"):
        sweep(SCENE, [START] * 2, [THROUGH] * 3)
    with pytest.raises(InputError, match=r"q1.* must be finite"):
        sweep(SCENE, START, [np.nan] * 7)
