"""Model: what a robot is, and never changes while it moves."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.drawers import Drawn
from carpal.errors import InputError, MissingInertiaError, ModelError, unknown_name
from carpal.model.actuators import Actuator, ModelTendon
from carpal.model.constraints import Coupling, Loop
from carpal.model.default_tool import default_tool
from carpal.model.extension_checks import check_extensions
from carpal.model.native import LOOKS, NativeMjcf
from carpal.model.parts import NQ, NV, UNIT, Body, Frame, Joint, real_array
from carpal.model.shapes import PlacedShape
from carpal.model.tables import Tables, build_tables
from carpal.model.visuals import Visual
from carpal.spatial import Array, Inertia

if TYPE_CHECKING:
    from carpal.model.dh import DHRow
    from carpal.model.kernels.constraint_tables import ConstraintTables

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True, eq=False, repr=False)
class Model(Drawn):
    """A robot: a tree of bodies, frozen. `print(model)` shows it as a table.

    Args:
        name: for people.
        bodies: parents before children; a body without parent stands in the world.
        extra_frames: further named frames (every body has a frame of its own name); `frames` lists all names.
        tool: the frame that `frame=None` means; by default at the tip of the longest actuated chain, see `default_tool`.
        tool_axis: unit vector (3) in the tool frame along which the tool points.
        gravity: acceleration (3) [m/s^2] in the world.
        q_home: a configuration (nq) to start from; by default zeros moved inside the limits, quaternions neutral.
        source: where the figures come from.
        notes: sentences that a user should see: assumptions, things a file had that were not kept.
        shapes: visual and collision shapes of bodies and the world; they carry no mass of their own.
        exclusions: pairs of names (a shape; a body: all its shapes; "x": all shapes "x/...") whose contact does not count.
        contact_pairs: pairs of shapes that may touch whatever masks, neighbours and exclusions say.
        visuals: what is drawn of the bodies; where a body has none, its shapes are drawn.
        couplings: joints that follow other joints.
        loops: bodies that are held together beside the tree. `q` holds every joint of the tree, also those that follow from
            couplings and loops (`dependent_joints`).
        tendons: lengths over several joints, with their springs.
        actuators: drives of joints and tendons.
        native: the MJCF file that it was read from, for MuJoCo; `replace` drops it where anything but looks changes.
        groups: names of joints by the name of a group, as an SRDF has them.
        configurations: (nq) by name, as an SRDF has them.
    """

    name: str
    bodies: tuple[Body, ...]
    extra_frames: tuple[Frame, ...] = ()
    tool: str | None = None
    tool_axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    gravity: Array = field(default_factory=lambda: np.array(STANDARD_GRAVITY))
    q_home: Array | None = None
    source: str = ""
    notes: tuple[str, ...] = ()
    shapes: tuple[PlacedShape, ...] = ()
    exclusions: tuple[tuple[str, str], ...] = ()
    contact_pairs: tuple[tuple[str, str], ...] = ()
    visuals: tuple[Visual, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    loops: tuple[Loop, ...] = ()
    tendons: tuple[ModelTendon, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    native: tuple[NativeMjcf, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    configurations: Mapping[str, Array] = field(default_factory=dict)

    # derived once, in __post_init__
    nq: int = field(init=False)
    nv: int = field(init=False)
    joint_names: tuple[str, ...] = field(init=False)
    frames: tuple[str, ...] = field(init=False)
    q_min: Array = field(init=False)
    q_max: Array = field(init=False)
    v_max: Array = field(init=False)
    vdot_max: Array = field(init=False)
    tau_max: Array = field(init=False)
    has_inertia: bool = field(init=False)
    tables: Tables = field(init=False)

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731 - frozen dataclass
        put("bodies", tuple(self.bodies))
        put("extra_frames", tuple(self.extra_frames))
        put("notes", tuple(self.notes))
        put("shapes", tuple(self.shapes))
        put("exclusions", _checked_exclusions(self.name, self.bodies, self.shapes, self.exclusions))
        _check_tree(self.name, self.bodies, self.extra_frames)
        _check_shapes(self.name, self.bodies, self.shapes)
        for name in ("contact_pairs", "visuals", "couplings", "loops", "tendons", "actuators", "native"):
            put(name, tuple(getattr(self, name)))
        check_extensions(self)
        moving = [body.joint for body in self.bodies if body.joint.kind != "fixed"]
        put("joint_names", tuple(joint.name for joint in moving))
        put("nq", sum(NQ[joint.kind] for joint in moving))
        put("nv", sum(NV[joint.kind] for joint in moving))
        names = [body.name for body in self.bodies] + [frame.name for frame in self.extra_frames]
        put("frames", tuple(names))
        put("tool", default_tool(self) if self.tool is None else self.tool)
        if self.tool not in names:
            raise unknown_name(f"tool frame of model '{self.name}'", self.tool, names)
        put("tool_axis", _unit(self.tool_axis, "tool_axis"))
        put("gravity", _frozen(self.gravity, (3,), "gravity"))
        put("q_min", _frozen([joint.q_min for joint in moving for _ in range(NQ[joint.kind])]))
        put("q_max", _frozen([joint.q_max for joint in moving for _ in range(NQ[joint.kind])]))
        put("v_max", _frozen([joint.v_max for joint in moving for _ in range(NV[joint.kind])]))
        put("vdot_max", _frozen([joint.vdot_max for joint in moving for _ in range(NV[joint.kind])]))
        put("tau_max", _frozen([joint.tau_max for joint in moving for _ in range(NV[joint.kind])]))
        put("has_inertia", all(body.inertia is not None for body in self.bodies))
        put("tables", build_tables(self.bodies, self.extra_frames, self.gravity))
        put("q_home", self._neutral() if self.q_home is None else _frozen(self.q_home, (self.nq,), "q_home"))

        put("groups", {name: tuple(joints) for name, joints in self.groups.items()})
        for joint in (joint for joints in self.groups.values() for joint in joints):
            self._first(joint, NQ)
        put(
            "configurations",
            {key: _frozen(q, (self.nq,), f"configuration '{key}'") for key, q in self.configurations.items()},
        )

    def _neutral(self) -> Array:
        q = np.clip(0.0, self.q_min, self.q_max)
        for kind, first in self.joint_slices():
            if kind in ("ball", "free"):
                q[first + NQ[kind] - 4 : first + NQ[kind]] = 1.0, 0.0, 0.0, 0.0
        return _frozen(q)

    def joint_slices(self) -> list[tuple[str, int]]:
        """(kind, first index in q) of every moving joint."""
        out, first = [], 0
        for body in self.bodies:
            kind = body.joint.kind
            if kind != "fixed":
                out.append((kind, first))
                first += NQ[kind]
        return out

    def q_index(self, joint: str) -> int:
        """First index of a moving joint in q."""
        return self._first(joint, NQ)

    def v_index(self, joint: str) -> int:
        """First index of a moving joint in v."""
        return self._first(joint, NV)

    def _first(self, joint: str, widths: dict[str, int]) -> int:
        first = 0
        for body in self.bodies:
            if body.joint.kind != "fixed":
                if body.joint.name == joint:
                    return first
                first += widths[body.joint.kind]
        raise unknown_name(f"moving joint of model '{self.name}'", joint, self.joint_names)

    def frame_index(self, frame: str | None) -> int:
        """Row of a named frame in the kernels' frame table; None is the tool."""
        try:
            return self.tables.frame_rows[self.tool if frame is None else frame]  # type: ignore[index]
        except (KeyError, TypeError):
            raise unknown_name(f"frame of model '{self.name}'", frame, self.frames) from None

    @property
    def is_constrained(self) -> bool:
        """Whether couplings or loops tie its joints."""
        return bool(self.couplings or self.loops)

    @functools.cached_property
    def constraint_tables(self) -> ConstraintTables:
        """Couplings and loops as the kernels read them."""
        from carpal.model.constraint_tables import build_constraint_tables

        return build_constraint_tables(self)

    @functools.cached_property
    def dependent_joints(self) -> tuple[str, ...]:
        """Moving joints that follow from the others: followers of couplings, and the joints that close the loops."""
        followers = {coupling.follower for coupling in self.couplings}
        closing = {self.joint_names[row - 1] for row in self.constraint_tables.dependent} if self.loops else set()
        return tuple(name for name in self.joint_names if name in followers or name in closing)

    @property
    def independent_joints(self) -> tuple[str, ...]:
        """Moving joints that can be chosen freely; without couplings and loops all of them."""
        dependent = set(self.dependent_joints)
        return tuple(name for name in self.joint_names if name not in dependent)

    @functools.cached_property
    def coupled_limits(self) -> tuple[Array, Array]:
        """Limits (q_min, q_max), each (nq), narrowed so that the followers of a joint inside them are inside their own."""
        from carpal.model.constraint_tables import coupled_limits

        return coupled_limits(self) if self.couplings else (self.q_min, self.q_max)

    def assembled(self) -> Model:
        """The same model with a `q_home` that satisfies couplings and loops, near the present one; itself where it does.

        Loops that cannot be closed are left as near as they come, with a sentence in `notes`.
        """
        from carpal.model.loop_partition import assembled

        return assembled(self) if self.is_constrained else self

    def body(self, name: str) -> Body:
        """The body of that name."""
        for body in self.bodies:
            if body.name == name:
                return body
        raise unknown_name(f"body of model '{self.name}'", name, [body.name for body in self.bodies])

    @property
    def mass(self) -> float:
        """Total mass [kg]."""
        self.require_inertia()
        return float(self.tables.bodies[:, 12].sum())

    def require_inertia(self) -> None:
        """Raise one clear sentence where masses are missing."""
        if self.has_inertia:
            return
        missing = [body.name for body in self.bodies if body.inertia is None]
        raise MissingInertiaError(
            f"model '{self.name}' has no published inertia for {', '.join(missing[:8])}"
            f"{' ...' if len(missing) > 8 else ''}, so its dynamics are refused; "
            'catalogue robots take inertia="assumed" in load(), others need inertias in their description.'
        )

    def mounted(self, X_WM: ArrayLike) -> Model:
        """The same robot with everything that stood in the world moved by X_WM (4, 4)."""
        X = real_array(X_WM, "X_WM")
        moved = [
            dataclasses.replace(body, joint=dataclasses.replace(body.joint, X_PJ=X @ body.joint.X_PJ))
            if body.parent is None
            else body
            for body in self.bodies
        ]
        frames = [
            dataclasses.replace(frame, X_BF=X @ frame.X_BF) if frame.body is None else frame
            for frame in self.extra_frames
        ]
        shapes = [
            dataclasses.replace(shape, X_BS=X @ shape.X_BS) if shape.body is None else shape for shape in self.shapes
        ]
        visuals = [
            dataclasses.replace(seen, X_BV=X @ seen.X_BV) if seen.body is None else seen for seen in self.visuals
        ]
        loops = [dataclasses.replace(loop, X_BL=X @ loop.X_BL) if loop.body_b is None else loop for loop in self.loops]
        return self.replace(
            bodies=tuple(moved),
            extra_frames=tuple(frames),
            shapes=tuple(shapes),
            visuals=tuple(visuals),
            loops=tuple(loops),
            native=tuple(part.moved(X) for part in self.native),
        )

    def with_payload(self, mass: float, p: ArrayLike = (0.0, 0.0, 0.0), *, name: str = "payload") -> Model:
        """The same robot holding a point mass [kg] at p (3) [m] in the tool frame."""
        body, X_BT = next(
            ((frame.body, frame.X_BF) for frame in self.extra_frames if frame.name == self.tool), (self.tool, np.eye(4))
        )
        held = Body(name, body, Joint(f"{name}_grip", X_PJ=X_BT), Inertia.point(mass, np.asarray(p, float)))
        return self.replace(bodies=(*self.bodies, held))

    def with_tool(self, frame: str, axis: ArrayLike = (0.0, 0.0, 1.0)) -> Model:
        """The same robot with another frame as its tool, which points along axis (3) in that frame."""
        if frame not in self.frames:
            raise unknown_name(f"tool frame of model '{self.name}'", frame, self.frames)
        return self if frame == self.tool else self.replace(tool=frame, tool_axis=axis)

    def replace(self, **changes: Any) -> Model:
        """A copy with some arguments changed; it is no longer its file's robot (`native`) where more than looks changes."""
        arguments = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}
        unknown = set(changes) - set(arguments)
        if unknown:
            raise unknown_name("argument of Model", min(unknown), arguments)
        if not set(changes) <= LOOKS:
            arguments["native"] = ()
        return Model(**(arguments | changes))

    @staticmethod
    def from_dh(rows: list[DHRow] | list[tuple[float, ...]], **options: Any) -> Model:
        """A chain from Denavit-Hartenberg rows; see `carpal.model.dh.model_from_dh`."""
        from carpal.model.dh import model_from_dh

        return model_from_dh(rows, **options)

    @staticmethod
    def from_screws(screws: ArrayLike, X_WT: ArrayLike, **options: Any) -> Model:
        """A chain from screw axes (product of exponentials); see `carpal.model.screws.model_from_screws`."""
        from carpal.model.screws import model_from_screws

        return model_from_screws(screws, X_WT, **options)

    def to_mjcf(self) -> str:
        """This model as MJCF with 17 digits; see `carpal.model.writers.mjcf_writer`."""
        from carpal.model.writers.mjcf_writer import mjcf_text

        return mjcf_text(self)

    def to_urdf(self) -> str:
        """This model as URDF; what URDF cannot hold is warned about. See `carpal.model.writers.urdf_writer`."""
        from carpal.model.writers.urdf_writer import urdf_text

        return urdf_text(self)

    def __str__(self) -> str:
        from carpal.model.printing import table_text

        return table_text(self)

    def __repr__(self) -> str:
        return f"<Model '{self.name}': {len(self.bodies)} bodies, nq {self.nq}, nv {self.nv}, tool '{self.tool}'>"


def _frozen(values: ArrayLike, shape: tuple[int, ...] | None = None, what: str = "") -> Array:
    array = real_array(values, what) if what else np.array(values, float)
    if shape is not None and (array.shape != shape or not np.isfinite(array).all()):
        raise InputError(f"{what} must be {shape[0]} finite numbers; got {np.asarray(values).tolist()}.")
    array.setflags(write=False)
    return array


def _unit(axis: ArrayLike, what: str) -> Array:
    axis = _frozen(axis, (3,), what)
    length = float(np.linalg.norm(axis))
    if length == 0:
        raise InputError(f"{what} must not be zero.")
    return axis if abs(length - 1.0) <= UNIT else _frozen(axis / length)


def _check_tree(name: str, bodies: tuple[Body, ...], frames: tuple[Frame, ...]) -> None:
    if not bodies:
        raise ModelError(f"model '{name}' has no bodies.")
    seen: set[str] = set()
    joints: set[str] = set()
    for body in bodies:
        if body.parent is not None and body.parent not in seen:
            raise ModelError(
                f"body '{body.name}' of model '{name}' names the parent '{body.parent}', which does not come before it; "
                f"known so far: {', '.join(sorted(seen)) or 'none'}."
            )
        if body.name in seen or body.joint.name in joints:
            raise ModelError(f"model '{name}' has two bodies or joints named '{body.name}' / '{body.joint.name}'.")
        seen.add(body.name)
        joints.add(body.joint.name)
    for frame in frames:
        if frame.body is not None and frame.body not in {body.name for body in bodies}:
            raise unknown_name(f"body of frame '{frame.name}'", frame.body, sorted(seen))
        if frame.name in seen:
            raise ModelError(f"model '{name}' has two frames named '{frame.name}'.")
        seen.add(frame.name)


def _checked_exclusions(
    name: str, bodies: tuple[Body, ...], shapes: tuple[PlacedShape, ...], exclusions: Any
) -> tuple[tuple[str, str], ...]:
    known = dict.fromkeys([shape.name for shape in shapes] + [body.name for body in bodies])
    out = []
    for entry in exclusions:
        if not isinstance(entry, tuple | list) or len(entry) != 2:
            raise InputError(f"an exclusion of model '{name}' is two names; got {entry!r:.80}.")
        for thing in entry:
            if thing not in known and not any(label.startswith(f"{thing}/") for label in known):
                raise unknown_name(f"shape or body in an exclusion of model '{name}'", thing, known)
        out.append((entry[0], entry[1]))
    return tuple(out)


def _check_shapes(name: str, bodies: tuple[Body, ...], shapes: tuple[PlacedShape, ...]) -> None:
    known, seen = {body.name for body in bodies}, set()
    for shape in shapes:
        if shape.body is not None and shape.body not in known:
            raise unknown_name(f"body of shape '{shape.name}'", shape.body, sorted(known))
        if shape.name in seen:
            raise ModelError(f"model '{name}' has two shapes named '{shape.name}'.")
        seen.add(shape.name)
