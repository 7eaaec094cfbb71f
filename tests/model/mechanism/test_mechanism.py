"""A mechanism in full coordinates: what it accepts, what it refuses with a sentence, and that it survives a round trip."""

import json

import numpy as np
import pytest
from mechanism_inputs import SOLID, pair, whole

from carpal.errors import CarpalError
from carpal.model import (
    LinearActuator,
    Mechanism,
    MechanismBody,
    PointJoint,
    PrescribedMotion,
    RotaryActuator,
    SlotJoint,
)
from carpal.spatial import Inertia


def test_commands_and_indices():
    made = whole()
    assert made.commands == 2
    assert [made.body_index(name) for name in ("a", "b", None)] == [0, 1, -1]
    with pytest.raises(CarpalError, match="unknown body of mechanism 'pair' 'c'"):
        made.body_index("c")


def test_parts_are_frozen():
    with pytest.raises(ValueError, match="read-only"):
        whole().bodies[0].X_WB[0, 3] = 1.0


def test_round_trip_keeps_every_bit():
    text = json.dumps(whole().to_dict(), allow_nan=False)
    back = Mechanism.from_dict(json.loads(text))
    assert json.dumps(back.to_dict()) == text
    for kind in ("bodies", "joints", "actuators", "prescribed"):
        for one, other in zip(getattr(whole(), kind), getattr(back, kind), strict=True):
            arrays = [key for key, value in vars(one).items() if isinstance(value, np.ndarray)]
            assert all(np.array_equal(getattr(one, key), getattr(other, key)) for key in arrays), one.name


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: PointJoint("j", "a", (0, 0, 0), "a", (0, 0, 0)), "joins body 'a' to itself"),
        (lambda: PointJoint("j", None, (0, 0, 0), None, (0, 0, 0)), "joins the world to itself"),
        (lambda: PointJoint("j", "a", (0, 0, np.nan), "b", (0, 0, 0)), "p_AP of 'j' must be finite"),
        (lambda: PointJoint("j", "a", (0, 0), "b", (0, 0, 0)), "must be shape"),
        (lambda: PointJoint("j", "a", (0, 0, 0), "b", (0, 0, 0), -1.0), "stiffness of 'j' must be zero or above"),
        (lambda: SlotJoint("j", "a", (0, 0, 0), "b", [[0, 0, 0], [0, 0, 0]]), "two or more corners"),
        (lambda: MechanismBody("b", Inertia.nothing()), "needs mass and principal inertias above zero"),
        (lambda: MechanismBody("b", Inertia(1.0, np.zeros(3), np.diag([1.0, 1.0, 0.0]))), "least moment of 0"),
        (lambda: MechanismBody("b", SOLID, points=[[0, 0, 0]]), "areas of body 'b' must be shape"),
        (lambda: MechanismBody("b", SOLID, points=[[0, 0, 0]], areas=[0.0]), "above zero"),
        (lambda: MechanismBody("b", SOLID, vertices=np.eye(3), triangles=[[0, 1, 3]]), "name vertex 3"),
        (lambda: RotaryActuator("r", "a", "b", (0, 0, 1), (0, 0, 1), (1, 0, 0)), "at right angles to its axis"),
        (lambda: RotaryActuator("r", "a", "b", (0, 0, 1), (1, 0, 0), (1, 0, 0), command=-1), "index from 0"),
        (lambda: LinearActuator("l", "a", (0, 0, 0), "b", (0, 0, 0), limit=0.0), "limit of actuator 'l'"),
        (lambda: PrescribedMotion("a", [0.0, 0.0], [np.eye(4)] * 2), "must rise"),
        (lambda: Mechanism("m", ()), "has no bodies"),
        (lambda: Mechanism("m", (*pair(), pair()[0])), "two bodies named 'a'"),
        (lambda: Mechanism("m", pair(), (PointJoint("j", "a", (0, 0, 0), "c", (0, 0, 0)),)), "body of 'j'"),
        (lambda: Mechanism.from_dict({"format": "x"}), "format 'carpal-mechanism-1'"),
        (lambda: Mechanism.from_dict({"format": "carpal-mechanism-1"}), "incomplete"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(make, sentence):
    with pytest.raises(CarpalError) as caught:
        make()
    assert sentence in str(caught.value)
