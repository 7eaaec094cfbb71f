"""The edge of `first_contact`: input and sentences. (Truth is in kernels/test_first_contact.py.)"""

import numpy as np
import pytest

from carpal.contact import first_contact
from carpal.errors import InputError
from carpal.model import Box, Plane, Sphere
from carpal.spatial import pose

BALL, PLATE, REST = Sphere(0.005), Box((1, 1, 0.001)), np.zeros(6)
ABOVE, DOWN = pose(p=[0, 0, 1.0]), [0, 0, -20, 0, 0, 0]


def test_sentences():
    hit = first_contact(BALL, ABOVE, DOWN, PLATE, np.eye(4), REST, 1.0)
    assert hit and str(hit) == "they touch after 0.049725 s at (0, 0, 0.0005) m."
    assert str(first_contact(BALL, ABOVE, DOWN, PLATE, np.eye(4), REST, 0.01)) == "no touch within 0.01 s."
    many = first_contact(BALL, ABOVE, DOWN, PLATE, np.eye(4), REST, [0.01, 1.0, 2.0])
    assert many.hit.tolist() == [False, True, True] and str(many) == "2 of 3 pairs touch."


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"shape_a": "ball"}, "must be a Shape"),
        ({"X_WA": np.eye(3)}, "X_WA"),
        ({"X_WA": np.full((4, 4), np.nan)}, "must be finite"),
        ({"X_WB": np.diag([2.0, 1, 1, 1])}, "not a rotation"),
        ({"V_WA": np.zeros(5)}, "V_WA"),
        ({"V_WB": np.full(6, np.inf)}, "must be finite"),
        ({"duration": -1.0}, "zero or above"),
        ({"duration": np.nan}, "finite"),
        ({"tolerance": 0.0}, "above zero"),
        ({"shape_b": Plane(), "V_WB": np.ones(6)}, "a plane cannot turn"),
        ({"shape_a": Plane(), "shape_b": Plane()}, "two planes"),
        ({"duration": np.ones(2), "X_WA": np.stack([ABOVE] * 3)}, "do not fit together"),
    ],
)
def test_wrong_input_is_one_sentence(change, match):
    given = {
        "shape_a": BALL, "X_WA": ABOVE, "V_WA": DOWN, "shape_b": PLATE, "X_WB": np.eye(4), "V_WB": REST, "duration": 1.0,
    }  # fmt: skip
    with pytest.raises(InputError, match=match) as error:
        first_contact(**(given | change))
    assert "\n" not in str(error.value)
