"""The arm and its table: parameters, cables, pulleys."""

import numpy as np
import pytest

from carpal.errors import MissingInertiaError
from carpal.labs.mount.robot import Table, arm_model, cables, pulleys
from carpal.tasks import make_task


def test_an_arm_without_masses_is_refused():
    with pytest.raises(MissingInertiaError, match="no published inertia"):
        arm_model("sia5", np.zeros(3))
    assert arm_model("sia5", np.zeros(3), inertia="assumed").has_inertia
    assert make_task("mount", table_mass=2.0).model.mass == pytest.approx(20.7345 + 2.0)


def test_stiff_cables_need_no_tendons_and_elastic_ones_have_two_sides_each():
    assert cables(Table()) == pulleys(Table()) == ()
    elastic = Table(stiffness=2e4, cable_damping=15.0, pretension=60.0, pulley_inertia=3e-4)
    assert len(cables(elastic)) == 4 and len(pulleys(elastic)) == 2


def test_a_tilted_table_has_gravity_along_x():
    g = Table(tilt=0.1).gravity
    assert g[0] == pytest.approx(9.81 * np.sin(0.1)) and np.linalg.norm(g) == pytest.approx(9.81)
    assert Table(pulley_inertia=2e-4, pulley_radius=0.02).added_mass == pytest.approx(1.0)
