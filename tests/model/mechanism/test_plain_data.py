"""A mechanism as plain data: hostile data is one sentence, never a traceback of another kind."""

import copy
import json

import pytest
from mechanism_inputs import whole

from carpal.errors import CarpalError
from carpal.model import Mechanism


def test_infinite_limits_survive_json():
    data = json.loads(json.dumps(whole().to_dict(), allow_nan=False))
    assert data["actuators"][0]["limit"] == "inf"
    assert Mechanism.from_dict(data).actuators[0].limit == float("inf")


@pytest.mark.parametrize(
    "group", ["bodies", "joints", "springs", "actuators", "friction", "prescribed", "fixed", "untouched"]
)
@pytest.mark.parametrize("bad", [None, 3, "x", [None], [3], [{}], [{"kind": "nothing"}], [["a", "b", "c"]]])
def test_hostile_data_is_one_sentence(group, bad):
    data = copy.deepcopy(whole().to_dict())
    data[group] = bad
    with pytest.raises(CarpalError):
        Mechanism.from_dict(data)


def test_an_unknown_entry_is_named():
    data = whole().to_dict()
    data["joints"][0]["stifness"] = 1.0
    with pytest.raises(CarpalError, match="did you mean 'stiffness'"):
        Mechanism.from_dict(data)
