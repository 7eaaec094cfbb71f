"""What is no model or scene is named, with what would make one; `tests/test_front_door.py` asks every public function."""

import pytest

import carpal
from carpal.errors import InputError
from carpal.model import need_model, need_scene, wrong_model, wrong_scene


def test_models_and_scenes_pass():
    model = carpal.load("so101_old")
    need_model(model, "fk")
    need_scene(model, "collides")
    need_scene(carpal.Scene("cell"), "collides")


def test_the_sentence_names_the_function_the_value_and_the_remedy():
    with pytest.raises(InputError) as caught:
        need_model("so101_old", "fk")
    assert str(caught.value) == "fk needs a Model; got the str 'so101_old'; carpal.load('so101_old') makes one."
    with pytest.raises(InputError, match=r"collides needs a Scene or a Model; got None; carpal\.Scene"):
        need_scene(None, "collides")
    assert "got the scene 'cell'; its build() makes one." in str(wrong_model(carpal.Scene("cell"), "fk"))
    assert "carpal.Scene.from_toml('a.toml') reads it." in str(wrong_scene("a.toml", "plan"))
    assert len(str(wrong_model(list(range(1000)), "fk"))) < 160
