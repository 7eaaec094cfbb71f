"""The general step from Python: which models take it, and what it says."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from closed_loops import bar, four_bar

from carpal.engines import RigidEngine
from carpal.engines.rigid.general import lifted_model
from carpal.errors import DivergedError, InputError
from carpal.model import Coupling, Model, ModelTendon, State


def test_only_models_that_need_it_take_the_general_step() -> None:
    rod = Model("rod", (bar("rod", None, 0.0, 0.3, damping=0.01),))
    assert RigidEngine(rod).general is None
    for other in (
        rod.replace(bodies=(dataclasses.replace(rod.bodies[0], gravity_compensation=0.5),)),
        rod.replace(couplings=(Coupling("held", "hinge_rod", None, (0.0,)),)),
        rod.replace(tendons=(ModelTendon("t", {"hinge_rod": 1.0}, damping=0.1),)),
        Model("rod", (bar("rod", None, 0.0, 0.3, stiffness=1.0),)),
        four_bar(),
    ):
        assert RigidEngine(other).general is not None
    assert RigidEngine(rod, integrator="implicit").general is not None
    assert RigidEngine(rod.replace(tendons=(ModelTendon("t", {"hinge_rod": 1.0}),))).general is None


def test_the_compensated_masses_are_a_model() -> None:
    rod = bar("rod", None, 0.0, 0.3)
    assert lifted_model(Model("rod", (rod,))) is None
    half = lifted_model(Model("rod", (dataclasses.replace(rod, gravity_compensation=0.5),)))
    assert half is not None and half.bodies[0].inertia is not None and half.bodies[0].inertia.mass == 0.5
    with pytest.raises(InputError, match="gravity_compensation of body 'rod' must be finite, zero or above; got -1"):
        lifted_model(Model("rod", (dataclasses.replace(rod, gravity_compensation=-1.0),)))


def test_bad_numbers_and_fast_joints_are_named() -> None:
    model = Model("rod", (bar("rod", None, 0.0, 0.3, stiffness=1.0),))
    engine = RigidEngine(model)
    with pytest.raises(InputError, match=r"u\[0\] is nan"):
        engine.step(State.home(model), [np.nan])
    with pytest.raises(DivergedError, match="diverged at joint 'hinge_rod'"):
        engine.run(State.home(model), [1e9], 10)
    with pytest.raises(InputError, match=r"q\[0\] is inf"):
        engine.accelerations(State(0.0, np.array([np.inf]), np.zeros(1)), [0.0])
