"""The front door: nouns and rooms are reachable from `carpal`; whatever is no model or scene gets one clear sentence."""

import importlib
import inspect

import numpy as np
import pytest

import carpal
from carpal.errors import InputError

ROOMS = ("kinematics", "dynamics", "contact", "control", "planning")
NOUNS = ("Model", "Scene", "State", "Engine", "Trajectory", "Task", "Recording")
OF_MODELS = {"model": "a Model", "hand": "a Model", "scene": "a Scene", "target": "a Scene"}
TAKES_A_PREPARED_SCENE = ("follow_payload",)


def functions():
    """(name, function, the argument that is a model or a scene) of every public function and control law."""
    found = []
    for room in ROOMS:
        module = importlib.import_module(f"carpal.{room}")
        for name in module.__all__:
            value = getattr(module, name)
            if (inspect.isclass(value) and room != "control") or not callable(value) or name in TAKES_A_PREPARED_SCENE:
                continue
            names = list(inspect.signature(value).parameters)
            first = "hand" if "hand" in names else names[0] if names else ""
            if first in ("model", "hand", "scene") or name == "cast_rays":
                found.append((name, value, first))
    return found


FUNCTIONS = functions()


def call(function, first, value):
    """Call a function with a value for its model, and something for every other required argument."""
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        required = parameter.default is inspect.Parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        if name == first:
            given[name] = value
        elif required:
            given[name] = [np.array([1.0, 0.0, 0.0])]
    return function(**given)


def test_every_function_that_takes_a_model_is_here():
    assert len(FUNCTIONS) >= 55
    assert {"fk", "ik", "ik_all", "mass_matrix", "plan", "collides", "track_point"} <= {row[0] for row in FUNCTIONS}


@pytest.mark.parametrize("value", ["so101_old", None, 3, [1.0]], ids=["str", "None", "int", "list"])
@pytest.mark.parametrize(("name", "function", "first"), FUNCTIONS, ids=[row[0] for row in FUNCTIONS])
def test_what_is_no_model_is_named(name, function, first, value):
    with pytest.raises(InputError) as caught:
        call(function, first, value)
    text = str(caught.value)
    assert text.startswith(f"{name} needs {OF_MODELS[first]}"), text
    got = "None" if value is None else f"the {type(value).__name__} {value!r}"
    assert f"; got {got}; carpal." in text and "\n" not in text, text
    assert value != "so101_old" or "carpal.load('so101_old') makes" in text


def test_a_scene_in_place_of_a_model_says_how_to_build_it():
    scene = carpal.Scene("cell").add_robot(carpal.load("so101_old"), name="arm")
    with pytest.raises(InputError, match=r"fk needs a Model; got the scene 'cell'; its build\(\) makes one"):
        carpal.fk(scene, np.zeros(5))
    with pytest.raises(InputError, match=r"collides needs a Scene or a Model; .*from_toml\('cell.toml'\) reads it"):
        carpal.contact.collides("cell.toml", np.zeros(5))


@pytest.mark.parametrize(
    "name", [*NOUNS, *ROOMS, "model", "spatial", "engines", "perception", "tasks", "report", "labs"]
)
def test_nouns_and_rooms_are_attributes_of_the_package(name):
    assert getattr(carpal, name) is not None and name in dir(carpal)
