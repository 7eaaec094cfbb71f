"""The one check of a model or a scene that a public function gets: anything else is named, with what would make one."""

from __future__ import annotations

from carpal.errors import InputError
from carpal.model.model import Model
from carpal.model.scene import Scene


def need_model(model: object, function: str) -> None:
    """Refuse anything but a `Model`, in the name of a public function."""
    if type(model) is not Model:
        raise wrong_model(model, function)


def need_scene(scene: object, function: str) -> None:
    """Refuse anything but a `Scene` or a `Model`."""
    if not isinstance(scene, Scene | Model):
        raise wrong_scene(scene, function)


def wrong_model(model: object, function: str) -> InputError:
    """The error for what is no model."""
    if isinstance(model, Scene):
        return InputError(f"{function} needs a Model; got the scene '{model.name}'; its build() makes one.")
    made = f"carpal.load({model!r:.60})" if isinstance(model, str) else "carpal.load(name)"
    return InputError(f"{function} needs a Model; got {_named(model)}; {made} makes one.")


def wrong_scene(scene: object, function: str, choices: str = "a Scene or a Model") -> InputError:
    """The error for what is no scene, model or other accepted thing."""
    made = "carpal.Scene.from_toml(file) and carpal.load(name) make them"
    if isinstance(scene, str):
        reads = f"carpal.Scene.from_toml({scene!r}) reads it"
        made = reads if scene.endswith(".toml") else f"carpal.load({scene!r:.60}) makes a Model"
    return InputError(f"{function} needs {choices}; got {_named(scene)}; {made}.")


def _named(value: object) -> str:
    return "None" if value is None else f"the {type(value).__name__} {value!r:.60}"
