"""What can be chosen of `dexterity`; a number below zero leaves what the example says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carpal.errors import InputError
from carpal.labs.dexterity.example_file import Example, changed, read_example
from carpal.labs.dexterity.robot import FINGERS
from carpal.model import shape_to_dict
from carpal.tasks import option

SHAPES = ("as_example", "box", "sphere", "cylinder", "capsule", "ellipsoid")
KEPT = -1.0


@dataclass(frozen=True)
class DexterityOptions:
    """What can be chosen."""

    example: int = option(1, "Chan's example, 1 to 10.")
    scene: str = option("", "A TOML file with a scene of your own instead.")
    engine: str = option("modal", "What moves it.", choices=("modal", "penalty", "mujoco"))
    friction: float = option(KEPT, "Of tips and object; below zero: the example's.")
    restitution: float = option(KEPT, "Of tips and object, 0 to 1; below zero: the example's.")
    mass: float = option(KEPT, "Of the object; below zero: the example's.", unit="kg")
    shape: str = option("as_example", "Of the object, as wide as the example's or as `size` says.", choices=SHAPES)
    size: tuple[float, ...] = option((), "Of the object: three edges or widths; empty: the example's.", unit="m")
    joints: tuple[float, ...] = option(
        (), "The 15 joint angles that the hand starts with and holds; empty: the example's.", unit="deg"
    )
    gravity: float = option(KEPT, "Downwards; below zero: the example's.", unit="m/s²")
    length: float = option(KEPT, "Of the run; below zero: the example's.", unit="s")
    dt: float = option(KEPT, "Step; below zero: the example's, or what the engine needs.", unit="s")
    glove: str = option("", "Targets from a glove: a CSV file, or udp:PORT on this machine.")
    glove_map: str = option("", "A TOML file that maps sensors to joints instead of Chan's table.")
    feedback: str = option("", "Stream fingertip wrenches back to udp:PORT on this machine.")
    feedback_rate: float = option(500.0, "Of that stream, 200 or above.", unit="Hz", at_least=200.0)
    wrench_noise: float = option(0.0, "Standard deviation of the sensed forces.", unit="N", at_least=0.0)

    def changed_example(self) -> Example:
        """The example with what was chosen."""
        if self.scene and self.example != 1:
            raise InputError("give an example or a scene of your own, not both.")
        example = read_example(self.scene if self.scene else self.example)
        if self.scene and not self.scene.endswith(".toml"):
            raise InputError(f"a scene is a file that ends in .toml; got '{self.scene}'.")
        changes: dict[str, Any] = {}
        if self.friction >= 0:
            changes["surface.friction"] = self.friction
        if self.restitution >= 0:
            changes["surface.restitution"] = self.restitution
        if self.mass >= 0:
            changes["object.mass"] = self.mass
        if self.gravity >= 0:
            changes["gravity"] = self.gravity
        if self.length >= 0:
            changes["duration"] = self.length
        if self.dt >= 0:
            changes["dt"] = self.dt
        if self.shape != "as_example" or self.size:
            changes["object.shape"] = self._shape(example)
        if self.joints:
            if len(self.joints) != 15:
                raise InputError(f"joints needs 15 angles [deg], three for each finger; got {len(self.joints)}.")
            for k, finger in enumerate(FINGERS):
                changes[f"fingers.{finger}"] = {"start": list(self.joints[3 * k : 3 * k + 3])}
        return changed(example, changes) if changes else example

    def resolved(self) -> dict[str, Any]:
        """The example's own numbers, by the name of the option that is left to it; only where it is one number."""
        example = self.changed_example()
        found = {
            "friction": example.friction, "restitution": example.data["surface"].get("restitution"), "mass": example.mass,
            "gravity": example.gravity, "length": example.duration, "dt": example.dt,
            "size": _widths(shape_to_dict(example.shape)),
        }  # fmt: skip
        return {name: value for name, value in found.items() if isinstance(value, int | float | tuple)}

    def _shape(self, example: Example) -> dict[str, Any]:
        """The chosen shape with the widths of the example's or of `size`."""
        given = shape_to_dict(example.shape)
        kind = given["kind"] if self.shape == "as_example" else self.shape
        if self.size and (len(self.size) != 3 or not min(self.size) > 0):
            raise InputError(f"size needs 3 widths above zero [m]; got {' '.join(map(str, self.size))}.")
        a, b, c = self.size or _widths(given)
        if kind == "box":
            return {"kind": "box", "size": [a, b, c]}
        if kind == "sphere":
            return {"kind": "sphere", "radius": a / 2}
        if kind == "ellipsoid":
            return {"kind": "ellipsoid", "radii": [a / 2, b / 2, c / 2]}
        if kind == "capsule":
            return {"kind": "capsule", "radius": a / 2, "length": max(c - a, 1e-3)}
        return {"kind": "cylinder", "radius": a / 2, "length": c}


def _widths(shape: dict[str, Any]) -> tuple[float, float, float]:
    """Width of a shape along its three axes [m]."""
    if "size" in shape:
        return tuple(shape["size"])
    if "radii" in shape:
        return tuple(2 * r for r in shape["radii"])
    d = 2 * shape["radius"]
    return d, d, shape.get("length", d) + (d if shape["kind"] == "capsule" else 0.0)
