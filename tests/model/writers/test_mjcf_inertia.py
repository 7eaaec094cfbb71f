from __future__ import annotations

import numpy as np
import pytest
from random_models import random_inertia

from carpal.errors import ModelError
from carpal.model import Body, Joint
from carpal.model.writers.mjcf_inertia import inertial_of, principal
from carpal.spatial import POINT_INERTIA, Inertia


def test_principal_axes_rebuild_the_matrix():
    rng = np.random.default_rng(0)
    for _ in range(100):
        inertia = random_inertia(rng)
        moments, axes = principal(inertia)
        assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-14)
        assert np.abs((axes * moments) @ axes.T - inertia.about_com).max() < 3e-15 * moments.max()


def test_a_diagonal_matrix_is_not_touched():
    moments, axes = principal(Inertia(1, np.zeros(3), np.diag([0.3, 0.1, 0.25])))
    assert moments.tolist() == [0.3, 0.1, 0.25]
    assert axes.tolist() == np.eye(3).tolist()


def test_placeholders_only_where_mujoco_needs_them():
    nothing = Inertia.nothing()
    heavy = Body("h", "a", Joint("w"), Inertia(1, np.zeros(3), np.eye(3)))
    moving, fixed = (Body("a", None, Joint("j", kind), nothing) for kind in ("revolute", "fixed"))
    element, comment, exact = inertial_of(moving, [])
    assert element["mass"] == POINT_INERTIA
    assert "stands in its place" in comment
    assert exact["inertia"]["mass"] == 0.0
    assert inertial_of(moving, [heavy]) == (None, "", {})
    assert inertial_of(fixed, []) == (None, "", {})
    assert inertial_of(Body("a", None, Joint("j")), []) == (None, "inertia unknown", {"inertia": None})


def test_rounding_is_mended_and_nonsense_refused():
    high = np.nextafter(0.1 + 0.2, 1)
    flat = Body("a", None, Joint("j"), Inertia(1, np.zeros(3), np.diag([0.1, 0.2, high])))
    element, _, _ = inertial_of(flat, [])
    a, b, c = element["diaginertia"]
    assert a + b >= c
    for bad in ([1.0, 1.0, 2.001], [-1e-3, 1.0, 1.0]):
        with pytest.raises(ModelError, match="no solid body could have"):
            inertial_of(Body("a", None, Joint("j"), Inertia(1, np.zeros(3), np.diag(bad))), [])
