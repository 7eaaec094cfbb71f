"""The metadata is plain, whole and the same every day."""

import json

import numpy as np
import pytest
from random_models import random_tree

from carpal.engines.metadata import json_text, run_metadata
from carpal.errors import InputError
from carpal.model import model_from_dict

MODEL = random_tree(3)


def test_everything_to_run_it_again():
    meta = run_metadata(MODEL, {"seed": np.int64(3), "options": {"gain": (1, np.inf), "on": True}})
    assert meta["seed"] == 3 and meta["options"] == {"gain": [1, "inf"], "on": True}
    assert meta["engine"] is None and meta["numpy"] == np.__version__
    assert model_from_dict(json.loads(json_text(meta))["model"]).joint_names == MODEL.joint_names


def test_the_same_data_gives_the_same_text():
    given = {"b": 1, "a": 2.5}
    assert json_text(run_metadata(MODEL, given)) == json_text(run_metadata(MODEL, dict(reversed(given.items()))))


def test_what_json_cannot_hold():
    with pytest.raises(InputError, match="'policy' must be plain data; got function"):
        run_metadata(MODEL, {"policy": test_what_json_cannot_hold})
    with pytest.raises(InputError, match="filled in by the recorder"):
        run_metadata(MODEL, {"carpal": "9"})
