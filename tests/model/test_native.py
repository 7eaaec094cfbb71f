from __future__ import annotations

import json

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.model import NativeMjcf, Scene, model_from_dict, model_to_dict
from carpal.model.readers.reading import read_text
from carpal.spatial import pose

TEXT = '<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>'


def test_a_model_keeps_its_file_until_more_than_looks_changes():
    model = read_text(TEXT)
    (part,) = model.native
    assert (part.bodies, part.joints, part.prefix, part.mount) == (("a",), ("j",), "", None)
    assert model.replace(q_home=[0.3], notes=("x",), gravity=[0.0, 0.0, 0.0], tool="a").native == (part,)
    assert model.replace(shapes=()).native == ()
    assert model.with_payload(1.0).native == ()


def test_mounting_and_scenes_say_where_it_stands():
    model, X = read_text(TEXT), pose(p=np.array([1.0, 2.0, 3.0]))
    assert np.array_equal(model.mounted(X).native[0].X_MF, X)
    fixed = Scene("s").add_robot(model, name="r", pose=X).build().native[0]
    assert (fixed.prefix, fixed.mount) == ("r/", None)
    assert np.array_equal(fixed.X_MF, X)
    free = Scene("s").add_robot(model, name="r", pose=X, mount="free").build().native[0]
    assert (free.prefix, free.mount) == ("r/", "r/free")
    assert np.array_equal(free.X_MF, np.eye(4))


def test_plain_data_and_back():
    model = read_text(TEXT).mounted(pose(p=np.array([0.1, 0.2, 0.3])))
    back = model_from_dict(json.loads(json.dumps(model_to_dict(model))))
    assert back.native[0].to_dict() == model.native[0].to_dict()


def test_a_file_without_text_is_refused():
    with pytest.raises(InputError, match="needs its text"):
        NativeMjcf("", (), ())
