"""A model as MJCF with 17 digits, which MuJoCo opens without changing a number.

MuJoCo's own writer keeps six digits. Joints map to MuJoCo as follows (X_PB(q) = X_PJ motion(q) X_JB):

- revolute, prismatic, fixed: body at X_PJ X_JB, axis and anchor turned into the body. A chain of massless bodies
  with one joint each becomes one MuJoCo body with several joints, because MuJoCo refuses massless bodies that move.
- ball: body at X_PJ; where X_JB turns, the body is fixed inside a frame that carries the joint, so that q means the
  same.
- free: MuJoCo's free joint where it stands on the world at X_PJ = 1, else three slides and a ball, which have the
  same q.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import ModelError
from carpal.model.model import Model
from carpal.model.parts import JOINT_NUMBERS, NQ, Body, Joint
from carpal.model.plain_values import number_out, pose_out
from carpal.model.writers.mjcf_contacts import contact_elements
from carpal.model.writers.mjcf_extensions import Extensions
from carpal.model.writers.mjcf_extras import BODIES_TEXT, MODEL_TEXT
from carpal.model.writers.mjcf_inertia import inertial_of
from carpal.model.writers.mjcf_shapes import geom_of, mesh_of, shape_extras
from carpal.model.writers.xml_attributes import attributes
from carpal.spatial import Array, wxyz_from_rotation

COMPILER = (
    '<compiler angle="radian" autolimits="true" boundmass="0" boundinertia="0" '
    'balanceinertia="false" inertiafromgeom="false" fusestatic="false" alignfree="false"/>'
)
TYPES = {"revolute": "hinge", "prismatic": "slide", "ball": "ball", "free": "free"}
MAX_DEPTH = 180  # readers stop at XML nested deeper than 200 elements


def mjcf_text(model: Model) -> str:
    """The model as MJCF.

    MuJoCo gives it the same kinematics and mass matrix, and reading it back gives the same model. MuJoCo numbers joints
    depth first; where the model's own order differs, q must be permuted by joint names to use it in MuJoCo.
    """
    return _Writer(model).text()


def _place(X: Array) -> dict[str, ArrayLike | None]:
    """Attributes pos and quat, left out where they are neutral."""
    turned = not np.array_equal(X[:3, :3], np.eye(3))
    moved = X[:3, 3].any()
    return {"pos": X[:3, 3] if moved else None, "quat": wxyz_from_rotation(X[:3, :3]) if turned else None}


def _is_neutral(X: Array) -> bool:
    return np.array_equal(X, np.eye(4))


class _Writer:
    """Walks the tree once and collects lines, extras and the order of q."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lines: list[str] = []
        self.extras: dict[str, dict[str, Any]] = {}
        self.absorbed: set[str] = set()  # bodies that became joints of their child's MuJoCo body
        self.order: list[str] = []  # bodies depth first, as MuJoCo numbers them
        self.children: dict[str | None, list[Body]] = {}
        for body in model.bodies:
            self.children.setdefault(body.parent, []).append(body)
        self.extensions = Extensions(model)
        self.sites = [*model.extra_frames, *self.extensions.sites]
        self.framed = {frame.body for frame in self.sites} | {shape.body for shape in model.shapes}
        names = {body.name for body in model.bodies}
        self.world = "world_"  # MuJoCo's own world has the name
        while self.world in names:
            self.world += "_"
        self.joints = {body.joint.name for body in model.bodies}

    def text(self) -> str:
        model = self.model
        self._sites(None, 2)
        for body in self.children.get(None, []):
            self._unit(body, 2)
        about = {
            "tool": model.tool,
            "tool_axis": model.tool_axis.tolist(),
            "source": model.source,
            "notes": model.notes,
        }
        about |= {"order": [body.name for body in model.bodies], "frames": [f.name for f in model.extra_frames]}
        about |= shape_extras(model)
        about |= self.extensions.about()
        texts = {MODEL_TEXT: about, BODIES_TEXT: self.extras}
        return "\n".join(
            [
                f"<mujoco {attributes(model=model.name)}>",
                "  <!-- Written by Carpal. Custom texts hold what MJCF has no field for. -->",
                f"  {COMPILER}",
                f"  <option {attributes(gravity=model.gravity)}/>",
                "  <custom>",
                *(f"    <text {attributes(name=name, data=json.dumps(data))}/>" for name, data in texts.items()),
                "  </custom>",
                *self._assets(),
                "  <worldbody>",
                *self.lines,
                "  </worldbody>",
                *self._contacts(),
                *self.extensions.lines(),
                *self._keyframe(),
                "</mujoco>",
                "",
            ]
        )

    def _assets(self) -> list[str]:
        meshes = [mesh for shape in self.model.shapes if (mesh := mesh_of(shape)) is not None]
        if not meshes:
            return []
        return ["  <asset>", *(f"    <mesh {attributes(**mesh)}/>" for mesh in meshes), "  </asset>"]

    def _contacts(self) -> list[str]:
        excluded, paired = contact_elements(self.model, self.absorbed, {"world": self.world})
        lines = [f"    <exclude {attributes(body1=a, body2=b)}/>" for a, b in excluded]
        lines += [f"    <pair {attributes(geom1=a, geom2=b)}/>" for a, b in paired]
        return ["  <contact>", *lines, "  </contact>"] if lines else []

    def _keyframe(self) -> list[str]:
        if not self.model.nq:
            return []
        home, first = {}, 0
        for body in self.model.bodies:
            n = NQ[body.joint.kind]
            home[body.name] = np.asarray(self.model.q_home)[first : first + n]
            first += n
        qpos = np.concatenate([home[name] for name in self.order])
        return ["  <keyframe>", f"    <key {attributes(name='home', qpos=qpos)}/>", "  </keyframe>"]

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def _sites(self, body: str | None, depth: int) -> None:
        for frame in self.sites:
            if frame.body == body:
                self._line(depth, f"<site {attributes(name=frame.name, **_place(frame.X_BF))}/>")
        for shape in self.model.shapes:
            if shape.body == body:
                self._line(depth, f"<geom {attributes(**geom_of(shape), **_place(shape.X_BS))}/>")

    def _absorbed(self, body: Body) -> bool:
        """Whether a massless body can be one of several joints on the MuJoCo body of its only child."""
        below = self.children.get(body.name, [])
        slidable = ("revolute", "prismatic")
        if body.gravity_compensation:
            return False
        if body.inertia is None or body.inertia.mass or body.inertia.about_com.any() or body.inertia.com.any():
            return False
        simple = body.joint.kind in slidable and len(below) == 1 and below[0].joint.kind in slidable
        return simple and body.name not in self.framed

    def _unit(self, body: Body, depth: int) -> None:
        """One MuJoCo body (or two, where a ball or free joint is not at the body's own frame), and all below it."""
        if depth > MAX_DEPTH:
            raise ModelError(
                f"model '{self.model.name}' is a chain of more than {MAX_DEPTH - 2} bodies, too deep for MJCF."
            )
        chain = [body]
        while self._absorbed(chain[-1]):
            self.absorbed.add(chain[-1].name)
            chain += self.children[chain[-1].name]
        last = chain[-1]
        label = self.world if last.name == "world" else last.name
        if not all(part.name and part.joint.name for part in chain):
            raise ModelError(f"model '{self.model.name}' has a body or joint without a name, which MJCF cannot hold.")
        entry: dict[str, Any] = {} if label == last.name else {"name": last.name}
        if last.joint.kind in ("ball", "free"):
            levels = self._open_ball_or_free(last, label, entry, depth)
        else:
            levels = self._open_chain(chain, label, entry, depth)
        entry |= self._numbers(last.joint)
        if last.joint.kind == "fixed":
            entry["joint"] = last.joint.name
        element, comment, exact = inertial_of(last, self._welded(last))
        if comment:
            self._line(depth + levels, f"<!-- {comment} -->")
        if element:
            self._line(depth + levels, f"<inertial {attributes(**element)}/>")
        entry |= exact
        if entry:
            self.extras[label] = entry
        self.order += [part.name for part in chain]
        self._sites(last.name, depth + levels)
        for child in self.children.get(last.name, []):
            self._unit(child, depth + levels)
        for level in reversed(range(levels)):
            self._line(depth + level, "</body>")

    def _welded(self, body: Body) -> list[Body]:
        """The bodies that are fixed to this one: MuJoCo accepts a massless body that carries mass."""
        out, todo = [], [body]
        while todo:
            fixed = [child for child in self.children.get(todo.pop().name, []) if child.joint.kind == "fixed"]
            out += fixed
            todo += fixed
        return out

    def _open_chain(self, chain: list[Body], label: str, entry: dict[str, Any], depth: int) -> int:
        S, joints, places = np.eye(4), [], []
        for i, part in reversed(list(enumerate(chain))):
            joint = part.joint
            S = joint.X_JB @ S
            if joint.kind != "fixed":
                anchor = -S[:3, :3].T @ S[:3, 3] if joint.kind == "revolute" and S[:3, 3].any() else None
                joints.append(self._joint(joint, joint.name, axis=S[:3, :3].T @ joint.axis, pos=anchor))
            place: dict[str, Any] = {"X_JB": pose_out(joint.X_JB)}
            if i:
                place["X_PJ"] = pose_out(joint.X_PJ)
            if i < len(chain) - 1:
                place |= {"name": part.name} | self._numbers(joint)
            places.append(place)
            S = joint.X_PJ @ S
        only = chain[0].joint
        turned = not np.array_equal(only.X_JB[:3, :3], np.eye(3))
        if len(chain) > 1 or turned or (only.kind != "revolute" and only.X_JB[:3, 3].any()):
            entry["chain"] = places[::-1]
        self._line(
            depth, f"<body {attributes(name=label, gravcomp=chain[-1].gravity_compensation or None, **_place(S))}>"
        )
        for line in reversed(joints):
            self._line(depth + 1, line)
        return 1

    def _open_ball_or_free(self, body: Body, label: str, entry: dict[str, Any], depth: int) -> int:
        joint = body.joint
        plain = joint.kind == "free" and body.parent is None and _is_neutral(joint.X_PJ)
        turned = not np.array_equal(joint.X_JB[:3, :3], np.eye(3))
        inner = turned or (joint.kind == "free" and joint.X_JB[:3, 3].any())
        outside = f"{label}/moving" if inner else label
        while inner and any(outside == other.name for other in self.model.bodies):
            outside += "_"
        anchor = -joint.X_JB[:3, 3] if joint.kind == "ball" and not inner and joint.X_JB[:3, 3].any() else None
        X = joint.X_PJ if anchor is None else joint.X_PJ @ joint.X_JB
        carried = body.gravity_compensation or None
        self._line(depth, f"<body {attributes(name=outside, gravcomp=None if inner else carried, **_place(X))}>")
        if joint.kind == "free" and not plain:
            for axis, suffix in zip(np.eye(3), "xyz", strict=True):
                name = f"{joint.name}/{suffix}"
                while name in self.joints:
                    name += "_"
                self._line(depth + 1, self._joint(joint, name, kind="slide", axis=axis))
            self._line(depth + 1, self._joint(joint, joint.name, kind="ball"))
            self.extras[outside] = {"free": True}
        else:
            self._line(depth + 1, self._joint(joint, joint.name, pos=anchor))
        if not inner:
            if joint.kind == "free" and not plain:
                entry["free"] = True
            return 1
        entry["inner"] = True
        self._line(depth + 1, f"<body {attributes(name=label, gravcomp=carried, **_place(joint.X_JB))}>")
        return 2

    @staticmethod
    def _numbers(joint: Joint) -> dict[str, Any]:
        """The joint's numbers that its MJCF element does not hold."""
        neutral = Joint("")
        held = {"armature", "damping", "friction"} if joint.kind != "fixed" else set()
        if joint.kind in ("revolute", "prismatic"):
            held |= {"q_min", "q_max"} if joint.q_min < joint.q_max else set()
            held |= {"tau_max"} if joint.tau_max > 0 else set()
            held |= {"stiffness", "q_spring"} if joint.stiffness > 0 else set()
        return {
            what: number_out(getattr(joint, what))
            for what in JOINT_NUMBERS
            if what not in held and getattr(joint, what) != getattr(neutral, what)
        }

    @staticmethod
    def _joint(
        joint: Joint, name: str, *, kind: str = "", axis: ArrayLike | None = None, pos: ArrayLike | None = None
    ) -> str:
        slidable = joint.kind in ("revolute", "prismatic")
        limited = slidable and joint.q_min < joint.q_max and np.isfinite([joint.q_min, joint.q_max]).any()
        effort = slidable and 0 < joint.tau_max < np.inf
        values = attributes(
            name=name,
            type=kind or TYPES[joint.kind],
            pos=pos,
            axis=axis,
            range=[joint.q_min, joint.q_max] if limited else None,
            actuatorfrcrange=[-joint.tau_max, joint.tau_max] if effort else None,
            armature=joint.armature or None,
            damping=joint.damping or None,
            frictionloss=joint.friction or None,
            stiffness=(joint.stiffness or None) if slidable else None,
            springref=joint.q_spring if slidable and joint.stiffness and joint.q_spring else None,
        )
        return f"<joint {values}/>"
