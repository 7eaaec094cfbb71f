"""Lanes call nothing free that touches; where spheres are exact they agree with the exact checks and with plain numpy."""

import numpy as np
import pytest
from collision_scenes import capsule_arm
from lane_inputs import among_boxes, deepest, pair_names, sphere_arm
from planning_scenes import boxes_and_spheres, table

from carpal.contact import collision_checker, sphere_checker
from carpal.errors import CarpalError, InputError
from carpal.kinematics import random_configurations


@pytest.mark.parametrize("seed", range(2))
def test_exact_spheres_agree_with_the_exact_checks_and_numpy(seed, figure):
    checker = collision_checker(among_boxes(sphere_arm(seed), seed))
    lanes = sphere_checker(checker)
    q = random_configurations(checker.model, 1003, seed=seed)
    exact = checker.collides(q).hit
    assert lanes.exact and 0.05 < exact.mean() < 0.95
    differ = np.flatnonzero(lanes(q) != exact)
    near = [abs(deepest(checker.model, pair_names(checker.tables), q[[i]])) for i in differ]
    assert max(near, default=0.0) < 1e-4 and not (exact & ~lanes(q)).any()
    for i in range(40):
        assert (deepest(checker.model, pair_names(checker.tables), q[[i]]) < 0) == exact[i]
    figure(
        f"sphere arm {seed}: share of 1,003 configurations that lanes and exact checks call differently",
        len(differ) / 1003,
        0.002,
    )


def test_what_spheres_call_free_is_free():
    for scene in (boxes_and_spheres(0), table(capsule_arm())):
        checker = collision_checker(scene)
        q = random_configurations(checker.model, 3000, seed=3)
        exact, lanes = checker.collides(q).hit, sphere_checker(checker)(q)
        assert not (exact & ~lanes).any() and (lanes & ~exact).mean() < 0.03


def test_a_margin_widens_and_batches_equal_single():
    scene = among_boxes(sphere_arm(1), 1)
    q = random_configurations(scene.build(), 100, seed=5)
    thin, wide = sphere_checker(scene), sphere_checker(scene, margin=0.05)
    assert (wide(q) >= thin(q)).all() and wide(q).sum() > thin(q).sum()
    assert wide(q).tolist() == [bool(wide(row)) for row in q] == wide(q.reshape(10, 10, -1)).ravel().tolist()
    assert wide(q[:0]).shape == (0,)


@pytest.mark.parametrize("q", [np.zeros(3), np.full((2, 7), np.nan), "there", np.float64(0)])
def test_bad_input(q):
    checker = sphere_checker(among_boxes(sphere_arm()))
    with pytest.raises(CarpalError) as caught:
        checker(q)
    assert "\n" not in str(caught.value)


def test_options_belong_to_the_checker():
    with pytest.raises(InputError, match="prepared already"):
        sphere_checker(collision_checker(among_boxes(sphere_arm())), margin=0.1)
