"""Everything beside the tree as plain data and back, and with a robot's name before it in a scene."""

from __future__ import annotations

import json
import math

import numpy as np
from extended_models import extended_model

from carpal.model import Scene, model_from_dict, model_to_dict
from carpal.model.serialise_extensions import extensions_in, extensions_out


def test_nothing_is_lost() -> None:
    model = extended_model()
    data = json.loads(json.dumps(model_to_dict(model), allow_nan=False))
    back = model_from_dict(data)
    assert model_to_dict(back) == model_to_dict(model)
    assert back.actuators[0].force_range == (-5.0, 5.0) and back.actuators[0].ctrl_range == (-math.inf, math.inf)
    assert back.body("c").gravity_compensation == 0.5 and back.body("b").joint.stiffness == 2.0
    assert (back.shapes[0].contype, back.shapes[0].conaffinity) == (2, 4)
    assert back.tendons[1].path[2].divisor == 2.0


def test_data_without_extensions_has_none() -> None:
    assert all(value == () for value in extensions_in({}).values())
    assert set(extensions_in({})) == set(extensions_out(extended_model()))


def test_a_scene_puts_the_robot_s_name_before_every_name() -> None:
    place = np.array([0.0, 0.0, 1.0])
    for mount, world in (("fixed", None), ("free", "r/free")):
        built = Scene("s").add_robot(extended_model(), name="r", pose=place, mount=mount).build()
        assert built.couplings[0].follower == "r/hinge_c" and built.couplings[0].leader == "r/hinge_a"
        assert built.loops[0].body_a == "r/c" and built.loops[0].body_b == world
        assert list(built.tendons[0].joints) == ["r/hinge_a", "r/hinge_b"]
        assert [step.name for step in built.tendons[1].path] == ["r/tip", "r/root", "", "r/root", "r/tip"]
        assert built.actuators[1].tendon == "r/pull" and built.actuators[0].joint == "r/hinge_a"
        assert built.contact_pairs == (("r/ball_a", "r/ball_c"),)
        assert built.visuals[1].body == world
        moved = place if mount == "fixed" else np.zeros(3)
        assert np.allclose(built.visuals[1].X_BV[:3, 3], np.array([1.0, 0.0, 0.0]) + moved)
        assert np.allclose(built.loops[0].X_BL[:3, 3], np.array([0.9, 0.0, 0.0]) + moved)
        assert built.body("r/c").gravity_compensation == 0.5
