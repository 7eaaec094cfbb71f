"""Scene: the only builder. Robots, objects and fixed shapes, put together into one Model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.drawers import Drawn
from carpal.errors import InputError, unknown_name
from carpal.model.loading import load
from carpal.model.model import STANDARD_GRAVITY, Model
from carpal.model.parts import NV, checked_pose, real_array
from carpal.model.shapes import GREY, PlacedShape, Shape
from carpal.model.state import State
from carpal.spatial import Array, pose

MOUNTS = ("fixed", "free", "slide_xy")
ORANGE = (0.9, 0.5, 0.15, 1.0)
SURFACE = ("mu", "restitution", "tip", "torsion", "compliance", "mu_static", "rolling")


@dataclass(frozen=True, eq=False)
class SceneRobot:
    """A robot of a scene: its model, where and how it is mounted, how its joints begin to move, and where it came from."""

    name: str
    model: Model
    X_WM: Array
    mount: str
    q: Array
    v: Array
    source: str | None
    options: dict[str, Any]


@dataclass(frozen=True, eq=False)
class SceneObject:
    """A free body of a scene, with the pose and twist with which it begins."""

    name: str
    shape: Shape
    mass: float
    X_WB: Array
    twist: Array
    rgba: tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class SceneFixed:
    """A shape that stands in the world."""

    name: str
    shape: Shape
    X_WS: Array
    rgba: tuple[float, float, float, float]


class Scene(Drawn):
    """Collects what there is; `build()` gives the constant Model, `start()` the State in which it begins.

    Args:
        name: of the model that comes out.
        gravity: acceleration (3) [m/s^2] in the world.

    Example:
        >>> scene = Scene("table")
        >>> scene.add_robot("so101", name="arm", pose=[0.0, 0.0, 0.7])
        >>> scene.add_object("ball", Sphere(0.03), mass=0.05, pose=[0.3, 0.0, 1.0])
        >>> scene.add_fixed("floor", Plane())
        >>> model = scene.build()
    """

    def __init__(self, name: str = "scene", gravity: ArrayLike = STANDARD_GRAVITY) -> None:
        self.name = _text(name, "the name of a scene")
        self.gravity = real_array(gravity, "gravity")
        if self.gravity.shape != (3,) or not np.isfinite(self.gravity).all():
            raise InputError(f"gravity must be 3 finite numbers [m/s^2]; got {self.gravity.tolist()!r:.60}.")
        self.robots: list[SceneRobot] = []
        self.objects: list[SceneObject] = []
        self.fixed: list[SceneFixed] = []
        self.exclusions: list[tuple[str, str]] = []
        self.payload: dict[str, Any] | None = None
        """What a gripper holds and may turn in it, as data; planners read it (`carpal.planning.payload_from_dict`)."""
        self.surfaces: list[dict[str, Any]] = []
        """How things touch, as `add_surface` took it; engines with contact read it (`carpal.engines.surfaces_of_scene`)."""

    def add_robot(
        self,
        robot: str | os.PathLike[str] | Model,
        *,
        name: str | None = None,
        pose: ArrayLike | None = None,
        mount: str = "fixed",
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        **robot_options: Any,
    ) -> Scene:
        """Add a robot.

        Args:
            robot: a name of the catalogue, a path to a robot file, or a Model.
            name: its parts are called "<name>/<part>"; by default the robot's own name.
            pose: X_WM of its mount: a pose (4, 4) or only a position (3) [m].
            mount: "fixed"; "free" (a free joint "<name>/free"); "slide_xy" (slides "<name>/slide_x", "<name>/slide_y"
                along the mount's x and y).
            q: the configuration (nq of the robot) with which it begins; by default its home.
            v: the velocities (nv of the robot) with which it begins; by default rest. The mount begins at rest.
            robot_options: options of a catalogue robot, as of `load`.

        Returns:
            The scene, so that calls can be chained.
        """
        if isinstance(robot, Model) and robot_options:
            raise InputError(f"options are for robots given by name; got {', '.join(sorted(robot_options))}.")
        model = robot if isinstance(robot, Model) else load(robot, **robot_options)
        source = None if isinstance(robot, Model) else os.fspath(robot)
        name = self._new_name(model.name.replace("/", "_") if name is None else name)
        if mount not in MOUNTS:
            raise unknown_name(f"mount of robot '{name}'", mount, MOUNTS)
        start = np.array(model.q_home) if q is None else real_array(q, f"q of robot '{name}'")
        if start.shape != (model.nq,) or not np.isfinite(start).all():
            raise InputError(
                f"q of robot '{name}' must be {model.nq} finite numbers ({', '.join(model.joint_names[:12])}); "
                f"got {start.tolist()!r:.80}."
            )
        speed = np.zeros(model.nv) if v is None else real_array(v, f"v of robot '{name}'")
        if speed.shape != (model.nv,) or not np.isfinite(speed).all():
            raise InputError(f"v of robot '{name}' must be {model.nv} finite numbers; got {speed.tolist()!r:.80}.")
        X = _place(pose, f"the pose of robot '{name}'")
        self.robots.append(SceneRobot(name, model, X, mount, start, speed, source, dict(robot_options)))
        return self

    def add_object(
        self,
        name: str,
        shape: Shape,
        *,
        mass: float,
        pose: ArrayLike | None = None,
        twist: ArrayLike | None = None,
        rgba: ArrayLike | None = None,
    ) -> Scene:
        """Add a free body: a homogeneous solid.

        Args:
            name: of its body and of its free joint.
            shape: its form; its frame is the body's.
            mass: [kg].
            pose: X_WB with which it begins: (4, 4), or only a position (3) [m].
            twist: (v_WB, w_WB) (6) with which it begins [m/s, rad/s].
            rgba: colour, four numbers from 0 to 1.
        """
        name = self._new_name(name)
        X = _place(pose, f"the pose of object '{name}'")
        speed = np.zeros(6) if twist is None else real_array(twist, f"the twist of object '{name}'")
        if speed.shape != (6,) or not np.isfinite(speed).all():
            raise InputError(
                f"the twist of object '{name}' must be 6 finite numbers (v, w); got {speed.tolist()!r:.80}."
            )
        placed = PlacedShape(name, name, shape, rgba=ORANGE if rgba is None else rgba)  # type: ignore[arg-type]
        try:
            weight = shape.inertia(mass).mass
        except InputError as error:
            raise InputError(f"object '{name}': {error}") from None
        self.objects.append(SceneObject(name, shape, weight, X, speed, placed.rgba))
        return self

    def add_fixed(
        self, name: str, shape: Shape, *, pose: ArrayLike | None = None, rgba: ArrayLike | None = None
    ) -> Scene:
        """Add a shape that stands in the world.

        Args:
            name: of the shape.
            shape: its form.
            pose: X_WS, (4, 4) or only a position (3) [m].
            rgba: colour, four numbers from 0 to 1.
        """
        name = self._new_name(name)
        X = _place(pose, f"the pose of '{name}'")
        placed = PlacedShape(name, None, shape, X, GREY if rgba is None else rgba)  # type: ignore[arg-type]
        self.fixed.append(SceneFixed(name, shape, X, placed.rgba))
        return self

    def exclude(self, a: str, b: str) -> Scene:
        """Declare that two things may touch: their contact does not count in collision queries.

        Args:
            a, b: names as in the built model: a shape ("arm/palm_box"), a body ("arm/palm"), a robot ("arm"), an object or
                a fixed shape. They are resolved when the scene is built.
        """
        self.exclusions.append((_text(a, "a name in an exclusion"), _text(b, "a name in an exclusion")))
        return self

    def add_surface(self, *between: str, **values: Any) -> Scene:
        """Say how things touch.

        Args:
            between: no name: of all pairs of which nothing else is said; one: whatever touches it; two: of these two. Names as
                for `exclude`; later ones go before earlier ones.
            values: mu, restitution (a number, or kind, a and b), tip, torsion, compliance, mu_static, rolling: as of
                `carpal.engines.Surface`, which checks them; what is not given is as there.
        """
        if len(between) > 2:
            raise InputError(f"a surface is between two things at most; got {', '.join(map(str, between))}.")
        names = [_text(name, "a name of a surface") for name in between]
        if not values:
            raise InputError(f"a surface needs one of {', '.join(SURFACE)}.")
        for key in values:
            if key not in SURFACE:
                raise unknown_name("entry of a surface", key, SURFACE)
        if any(sorted(names) == sorted(known["between"]) for known in self.surfaces):
            raise InputError(f"scene '{self.name}' already has a surface of {' and '.join(names) or 'all pairs'}.")
        self.surfaces.append({"between": names, **values})
        return self

    def __iter__(self) -> Iterator[SceneRobot | SceneObject | SceneFixed]:
        """Everything, in the order in which it is built: robots, objects, fixed shapes."""
        yield from self.robots
        yield from self.objects
        yield from self.fixed

    def _new_name(self, name: str) -> str:
        name = _text(name, "the name of a thing in a scene")
        if "/" in name:
            raise InputError(f"'{name}' cannot be a name in a scene: '/' stands between a robot and its parts.")
        for thing in self:
            if thing.name == name:
                what = {SceneRobot: "a robot", SceneObject: "an object", SceneFixed: "a fixed shape"}[type(thing)]
                raise InputError(
                    f"scene '{self.name}' already has {what} named '{name}'; every name may be given once."
                )
        return name

    def build(self) -> Model:
        """The constant part: one Model of everything, robots first, then objects; `q_home` is how it begins.

        Bodies, joints, frames and shapes of a robot are named "<robot>/<name>"; the tool is the first robot's.
        """
        from carpal.model.scene_build import build_scene

        return build_scene(self)

    def start(self) -> State:
        """The State in which the scene begins: `q_home`, velocities of robots and twists of objects."""
        model = self.build()
        v = np.zeros(model.nv)
        for robot in self.robots:
            for joint, start in zip(robot.model.joint_names, robot.model.joint_slices(), strict=True):
                here, there, width = robot.model.v_index(joint), model.v_index(f"{robot.name}/{joint}"), NV[start[0]]
                v[there : there + width] = robot.v[here : here + width]
        for thing in self.objects:
            first = model.v_index(thing.name)
            v[first : first + 6] = thing.twist
        return State.home(model, v=v)

    def to_toml(self) -> str:
        """The scene as TOML, every digit kept."""
        from carpal.model.scene_toml import toml_text

        return toml_text(self)

    @staticmethod
    def from_toml(source: str | os.PathLike[str]) -> Scene:
        """A scene from TOML: a text, or a path that ends in .toml."""
        from carpal.model.scene_toml import read_toml

        return read_toml(source)

    def to_mjcf(self) -> str:
        """The built scene as MJCF, which MuJoCo opens; see `Model.to_mjcf`."""
        from carpal.model.writers.scene_mjcf import mjcf_of_scene

        return mjcf_of_scene(self)

    @staticmethod
    def from_mjcf(source: str | os.PathLike[str]) -> Scene:
        """A scene from MJCF: a text that begins with '<', or a path."""
        from carpal.model.writers.scene_mjcf import scene_of_mjcf

        return scene_of_mjcf(source)

    def __repr__(self) -> str:
        names = ", ".join(thing.name for thing in self)
        return f"<Scene '{self.name}': {names or 'empty'}>"


def _text(name: object, what: str) -> str:
    if not isinstance(name, str) or not name:
        raise InputError(f"{what} must be a text that is not empty; got {name!r:.60}.")
    return name


def _place(given: ArrayLike | None, what: str) -> Array:
    """A pose (4, 4) from a pose, a position or nothing."""
    if given is None:
        return np.eye(4)
    array = real_array(given, what)
    return checked_pose(pose(p=array) if array.shape == (3,) else array, what)
