"""Scenes as TOML, which people write and read.

    name = "table"
    exclude = [["arm/gripper", "ball"]]
    [[robot]]
    name = "arm"
    robot = "so101"
    position = [0.0, 0.0, 0.7]
    [[object]]
    name = "ball"
    shape = {kind = "sphere", radius = 0.03}
    mass = 0.05
    [[fixed]]
    name = "floor"
    shape = {kind = "plane"}
    [[surface]]
    between = ["ball", "floor"]
    mu = 0.3
    restitution = 0.8

A shape may come from a mesh file: {kind = "triangles", file = "bowl.obj", scale = 0.001}; the path is relative to the working
directory. A surface without `between` is of all pairs; engines with contact read them. A table [payload] is kept as it is: what
a gripper holds and may turn in it; `carpal plan` reads it.
A pose is `position` [m] and one of `wxyz`, `rpy` [rad] or `rotation` (9 numbers, row by row). What is written keeps every
bit: `rotation` where no quaternion gives it back exactly. A robot that was given as a Model is written as its JSON.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError, ModelError, unknown_name
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh
from carpal.model.parts import real_array
from carpal.model.readers.toml_files import toml_data, toml_line
from carpal.model.scene import SURFACE, Scene
from carpal.model.serialise import model_from_json, model_to_json
from carpal.model.shapes import Shape, shape_from_dict, shape_to_dict
from carpal.spatial import Array, pose, rotation_from_rpy, rotation_from_wxyz, wxyz_from_rotation

TOP = ("name", "gravity", "robot", "object", "fixed", "exclude", "surface", "payload")
PLACE = ("position", "wxyz", "rpy", "rotation")
KEYS = {
    "robot": ("name", "robot", "model", "mount", "q", "v", "options", *PLACE),
    "object": ("name", "shape", "mass", "twist", "rgba", *PLACE),
    "fixed": ("name", "shape", "rgba", *PLACE),
    "surface": ("between", *SURFACE),
}
MAX_BYTES = 32_000_000


def toml_text(scene: Scene) -> str:
    """The scene as TOML."""
    lines = [toml_line("name", scene.name), toml_line("gravity", scene.gravity.tolist())]
    if scene.exclusions:
        lines.append(toml_line("exclude", scene.exclusions))
    for robot in scene.robots:
        lines += ["", "[[robot]]", toml_line("name", robot.name)]
        if robot.source is None:
            lines.append(toml_line("model", model_to_json(robot.model)))
        else:
            lines.append(toml_line("robot", robot.source))
        lines += [toml_line("mount", robot.mount), *_pose_lines(robot.X_WM), toml_line("q", robot.q.tolist())]
        lines += [toml_line("v", robot.v.tolist())] if robot.v.any() else []
        if robot.options:
            lines += ["[robot.options]", *(toml_line(key, value) for key, value in robot.options.items())]
    for thing in scene.objects:
        lines += ["", "[[object]]", toml_line("name", thing.name), toml_line("shape", shape_to_dict(thing.shape))]
        lines += [toml_line("mass", thing.mass), *_pose_lines(thing.X_WB)]
        lines += [toml_line("twist", thing.twist.tolist()), toml_line("rgba", list(thing.rgba))]
    for wall in scene.fixed:
        lines += ["", "[[fixed]]", toml_line("name", wall.name), toml_line("shape", shape_to_dict(wall.shape))]
        lines += [*_pose_lines(wall.X_WS), toml_line("rgba", list(wall.rgba))]
    for surface in scene.surfaces:
        lines += ["", "[[surface]]", *(toml_line(key, value) for key, value in surface.items())]
    if scene.payload is not None:
        lines += ["", "[payload]", *(toml_line(key, value) for key, value in scene.payload.items())]
    return "\n".join([*lines, ""])


def _pose_lines(X: Array) -> list[str]:
    R = X[:3, :3]
    lines = [toml_line("position", X[:3, 3].tolist())]
    if np.array_equal(R, np.eye(3)):
        return lines
    wxyz = wxyz_from_rotation(R)
    if np.array_equal(rotation_from_wxyz(wxyz), R):
        return [*lines, toml_line("wxyz", wxyz.tolist())]
    return [*lines, toml_line("rotation", R.ravel().tolist())]


def read_toml(source: str | os.PathLike[str]) -> Scene:
    """The scene of a TOML text or file; anything wrong is one sentence with the line or the thing it is in."""
    return scene_of_data(*toml_data(source, MAX_BYTES))


def scene_of_data(data: dict[str, Any], what: str) -> Scene:
    """The scene of a file's data; `what` is what sentences call the file."""
    for key in data:
        if key not in TOP:
            raise unknown_name(f"entry of {what}", key, TOP)
    scene = Scene(data.get("name", "scene"), data.get("gravity", (0.0, 0.0, -9.81)))
    adders = {"robot": _add_robot, "object": _add_object, "fixed": _add_fixed, "surface": _add_surface}
    for kind, add in adders.items():
        entries = data.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ModelError(f"{kind} in {what} must be tables, each under [[{kind}]].")
        for number, entry in enumerate(entries, start=1):
            where = f"[[{kind}]] {number} of {what}"
            for key in entry:
                if key not in KEYS[kind]:
                    raise unknown_name(f"entry of {where}", key, KEYS[kind])
            try:
                add(scene, entry)
            except KeyError as error:
                raise ModelError(f"{where} lacks {error.args[0]}.") from None
            except CarpalError as error:
                raise type(error)(f"{where}: {error}") from None
    excluded = data.get("exclude", [])
    if not isinstance(excluded, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in excluded):
        raise ModelError(f"exclude in {what} must be a list of pairs of names; got {excluded!r:.80}.")
    for a, b in excluded:
        scene.exclude(a, b)
    if not isinstance(data.get("payload", {}), dict):
        raise ModelError(f"payload in {what} must be a table, under [payload]; got {data['payload']!r:.60}.")
    scene.payload = data.get("payload")
    return scene


def _add_robot(scene: Scene, entry: dict[str, Any]) -> None:
    if ("robot" in entry) == ("model" in entry):
        raise ModelError("a robot needs either robot (a name or a path) or model (its data).")
    options = entry.get("options", {})
    if not isinstance(options, dict):
        raise ModelError(f"options must be a table; got {options!r:.60}.")
    for key in options:
        if key in ("name", "pose", "mount", "q", "v"):
            raise ModelError(f"{key} is no option of a robot; write it beside them.")
    robot = model_from_json(str(entry["model"])) if "model" in entry else entry["robot"]
    scene.add_robot(
        robot, name=entry.get("name"), pose=_pose(entry), mount=entry.get("mount", "fixed"), q=entry.get("q"),
        v=entry.get("v"), **options,
    )  # fmt: skip


def _add_object(scene: Scene, entry: dict[str, Any]) -> None:
    scene.add_object(
        entry["name"],
        _shape(entry["shape"]),
        mass=entry["mass"],
        pose=_pose(entry),
        twist=entry.get("twist"),
        rgba=entry.get("rgba"),
    )


def _add_fixed(scene: Scene, entry: dict[str, Any]) -> None:
    scene.add_fixed(entry["name"], _shape(entry["shape"]), pose=_pose(entry), rgba=entry.get("rgba"))


def _shape(data: Any) -> Shape:
    """A shape as data; {kind = "convex" or "triangles", file = "mesh.obj", scale = 0.001} reads its points from a mesh file."""
    if not isinstance(data, dict) or "file" not in data:
        return shape_from_dict(data)
    kind = data.get("kind", "triangles")
    if kind not in ("convex", "triangles"):
        raise unknown_name("kind of shape from a file", kind, ("convex", "triangles"))
    for key in data:
        if key not in ("kind", "file", "scale"):
            raise unknown_name("entry of a shape from a file", key, ("kind", "file", "scale"))
    scale = real_array(data.get("scale", 1.0), "scale of a mesh file")
    if scale.shape not in ((), (3,)) or not (np.isfinite(scale) & (scale > 0)).all():
        raise InputError(f"scale of a mesh file must be one number or three, above zero; got {data['scale']!r:.60}.")
    path = Path(str(data["file"]))
    if not path.is_file():
        raise InputError(f"there is no mesh file '{path}'.")
    from carpal.model.readers.collision_meshes import load_mesh

    points, faces = load_mesh(path, np.broadcast_to(scale, 3))
    return ConvexMesh(points) if kind == "convex" else TriangleMesh(points, faces)


def _add_surface(scene: Scene, entry: dict[str, Any]) -> None:
    between = entry.get("between", [])
    if not isinstance(between, list):
        raise ModelError(f"between must be a list of one or two names; got {between!r:.60}.")
    scene.add_surface(*between, **{key: value for key, value in entry.items() if key != "between"})


def _pose(entry: dict[str, Any]) -> Array:
    turns = [key for key in ("wxyz", "rpy", "rotation") if key in entry]
    if len(turns) > 1:
        raise InputError(f"a pose has one of wxyz, rpy and rotation; got {' and '.join(turns)}.")
    widths = {"position": 3, "wxyz": 4, "rpy": 3, "rotation": 9}
    numbers = {}
    for key in ("position", *turns):
        numbers[key] = real_array(entry.get(key, [0.0, 0.0, 0.0]), key)
        if numbers[key].shape != (widths[key],) or not np.isfinite(numbers[key]).all():
            raise InputError(f"{key} must be {widths[key]} finite numbers; got {entry.get(key)!r:.60}.")
    R = np.eye(3)
    if "wxyz" in numbers:
        R = rotation_from_wxyz(numbers["wxyz"])
    elif "rpy" in numbers:
        R = rotation_from_rpy(numbers["rpy"])
    elif "rotation" in numbers:
        R = numbers["rotation"].reshape(3, 3)
    return pose(R, numbers["position"])
