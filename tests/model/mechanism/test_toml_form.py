"""Mechanisms as TOML: every bit there and back, and short texts as people write them."""

import json

import numpy as np
import pytest
from linkage_inputs import NAMES, linkage

from carpal.errors import CarpalError, ModelError
from carpal.model import Mechanism, SlotJoint

PENDULUM = """
name = "pendulum"
format = "carpal-mechanism-1"
[[bodies]]
name = "rod"
inertia = {mass = 1.0, com = [0, 0, -0.1], about_com = [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]}
[[joints]]
name = "pin/0"
p_AP = [0, -0.05, 0]
b = "rod"
p_BP = [0, -0.05, 0]
[[joints]]
name = "guide"
a = "rod"
p_AP = [0, 0.05, 0]
path = [[0, 0.05, -1], [0, 0.05, 1]]
stiffness = 1e5
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_bit_survives(name):
    made = linkage(name).mechanism()
    again = Mechanism.from_toml(made.to_toml())
    assert json.dumps(again.to_dict()) == json.dumps(made.to_dict())


def test_a_short_text_has_its_defaults(tmp_path):
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM)
    made = Mechanism.from_toml(file)
    assert made.joints[0].a is None and made.joints[0].stiffness == 1e6
    assert isinstance(made.joints[1], SlotJoint) and made.joints[1].b is None and made.joints[1].stiffness == 1e5
    assert made.gravity.tolist() == [0, 0, -9.81] and np.array_equal(made.bodies[0].X_WB, np.eye(4))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("b = \"rod\"", "b = \"rot\""), "rot"),
        (("a = \"rod\"\np_AP = [0, 0.05", "p_AP = [0, 0.05"), "joins the world to itself"),
        (("mass = 1.0", "mass = 0.0"), "needs mass and principal inertias above zero"),
        (("0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]", "0, 0, 0, 0, 0.01, 0, 0, 0, 0.01]"), "principal inertias above zero"),
        (("carpal-mechanism-1", "carpal-mechanism-9"), "format"),
        (("name = \"pendulum\"", "name = \"pendulum\"\ngravitas = 1"), "gravitas"),
        (("stiffness = 1e5", "stiffnes = 1e5"), "stiffnes"),
        (("[[bodies]]", "[bodies]"), "must be tables, each under"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence(change, told):
    with pytest.raises(CarpalError, match=told) as caught:
        Mechanism.from_toml(PENDULUM.replace(*change))
    assert "\n" not in str(caught.value)


def test_actuators_need_a_kind():
    text = PENDULUM + '[[actuators]]\nname = "m"\nb = "rod"\n'
    with pytest.raises(CarpalError, match="linear, rotary"):
        Mechanism.from_toml(text)
    with pytest.raises(ModelError, match="cannot be read"):
        Mechanism.from_toml("none.toml")
