"""A scene or a tree model in full coordinates: every moving joint becomes point and slot joints (Yesmunt 2014, section 2.2).

| joint | becomes |
|---|---|
| revolute | two point joints on the axis (`hinge`) |
| prismatic | three points of the child on two parallel lines of the parent; the lines end at the joint's limits |
| ball | one point joint |
| free | nothing |
| fixed | one body |

Bodies that are fixed to each other become one. What is fixed to the world and has shapes is a held body, so that it touches
what the model lets it touch; what has none is the world. `TreeMechanism.notes` says what a mechanism cannot hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact import pairs_that_may_touch
from carpal.engines.penalty.tree_joints import STOP, actuators_of, joints_of, resistances_of
from carpal.errors import InputError, ModelError
from carpal.kinematics import fk, jacobian
from carpal.model import (
    Mechanism,
    MechanismBody,
    Model,
    PlacedShape,
    PrescribedMotion,
    Scene,
    State,
    real_array,
    rigid_groups,
)  # fmt: skip
from carpal.spatial import Array, Inertia, inverse

HELD = Inertia(1.0, np.zeros(3), 1e-2 * np.eye(3))  # of a held body without mass: nobody feels it
CARRIAGE_RADIUS = 0.05
"""Radius [m] of the ball that stands in for a body without mass, where `massless` gives it one. Assumed."""


@dataclass(frozen=True, eq=False)
class TreeMechanism:
    """A model as a mechanism.

    Args:
        model: the tree.
        mechanism: the same in full coordinates, at the configuration that was asked for.
        group: for each body of the model the mechanism's body that holds it; None is the world.
        X_GB: for each body its pose (4, 4) in that body, or in the world.
        driven: joints with an actuator, in the order of the command vector.
        offsets: (driven) what to add to a joint's q to get its command: zero for hinges, a length [m] for slides.
        notes: what the mechanism leaves out, one sentence each.
    """

    model: Model
    mechanism: Mechanism
    group: dict[str, str | None]
    X_GB: dict[str, Array]
    driven: tuple[str, ...]
    offsets: Array
    notes: tuple[str, ...]

    def command(self, q: ArrayLike) -> Array:
        """The command vector (*batch, driven) [rad, m] that asks for a configuration (*batch, nq) of the model."""
        values = np.asarray(q, float)
        return values[..., [self.model.q_index(joint) for joint in self.driven]] + self.offsets

    def poses(self, q: ArrayLike) -> dict[str, Array]:
        """Pose (*batch, 4, 4) of every body of the model, from the engine's q (*batch, 7 bodies)."""
        from carpal.spatial import rotation_from_wxyz

        rows = np.asarray(q, float)
        rows = rows.reshape(*rows.shape[:-1], -1, 7)
        out = {}
        for body, owner in self.group.items():
            X = np.broadcast_to(np.eye(4), (*rows.shape[:-2], 4, 4)).copy()
            if owner is not None:
                row = rows[..., self.mechanism.body_index(owner), :]
                X[..., :3, 3], X[..., :3, :3] = row[..., :3], rotation_from_wxyz(row[..., 3:])
            out[body] = X @ self.X_GB[body]
        return out


def mechanism_of(
    what: Scene | Model,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    *,
    drives: bool = False,
    massless: float | None = None,
) -> TreeMechanism:
    """A scene or a model as a mechanism, with joints of the mechanism's default stiffness (see `stiffened`).

    Args:
        what: it must have inertias.
        q: configuration (nq) to start at; by default where the scene begins, or the model's home.
        v: velocities (nv) to start with; by default the scene's twists, or rest.
        drives: give every hinge and slide a PD actuator without gains (see `tune`); its limit is the joint's tau_max.
        massless: mass [kg] for bodies between two joints that have none; without it they are refused, because each
            body of a mechanism has six freedoms of its own.
    """
    if not isinstance(what, Scene | Model):
        raise InputError(f"mechanism_of() takes a Scene or a Model; got {type(what).__name__}.")
    start = what.start() if isinstance(what, Scene) else State.home(what)
    model = what.build() if isinstance(what, Scene) else what
    model.require_inertia()
    if massless is not None and not 0 < massless < np.inf:
        raise InputError(f"massless must be a mass above zero [kg]; got {massless!r:.40}.")
    q_now = real_array(start.q if q is None else q, "q")
    v_now = real_array(start.v if v is None else v, "v")
    if q_now.shape != (model.nq,) or v_now.shape != (model.nv,) or not np.isfinite(np.r_[q_now, v_now]).all():
        raise InputError(
            f"a mechanism starts from one finite q ({model.nq},) and v ({model.nv},); got {q_now.shape}, {v_now.shape}."
        )
    return _Tree(model, q_now, v_now, massless).made(drives)


class _Tree:
    """The conversion's moving parts."""

    def __init__(self, model: Model, q: Array, v: Array, massless: float | None) -> None:
        self.model, self.q, self.massless = model, q, massless
        self.first = rigid_groups(model)
        self.X_WB = {body.name: fk(model, q, body.name) for body in model.bodies}
        self.V_WB = {body.name: jacobian(model, q, body.name) @ v for body in model.bodies}
        self.standing = {
            body.name
            for body in model.bodies
            if (lead := model.body(str(self.first[body.name]))).parent is None and lead.joint.kind == "fixed"
        }
        solid = {self.first[shape.body] for shape in model.shapes if shape.collides and shape.body is not None}
        self.group: dict[str, str | None] = {}
        for body in model.bodies:
            leader = str(self.first[body.name])
            self.group[body.name] = None if body.name in self.standing and leader not in solid else leader
        self.notes: list[str] = []

    def made(self, drives: bool) -> TreeMechanism:
        model = self.model
        names = list(dict.fromkeys(lead for lead in self.group.values() if lead is not None))
        if not [name for name in names if name not in self.standing]:
            raise ModelError(f"model '{model.name}' has no moving joint, so there is nothing to simulate.")
        bodies = {name: self._body(name) for name in names}
        X_GB = {
            body.name: self.X_WB[body.name] if (lead := self.group[body.name]) is None
            else inverse(self.X_WB[lead]) @ self.X_WB[body.name]
            for body in model.bodies
        }  # fmt: skip
        places = {name: None if lead is None else bodies[lead] for name, lead in self.group.items()}
        springs, friction, dampers, left_out = resistances_of(model, places, X_GB)
        joints = joints_of(model, self.q, places, X_GB)
        actuators, driven, offsets = actuators_of(model, places, X_GB) if drives else ([], [], [])
        held = [PrescribedMotion(name, np.zeros(1), self.X_WB[name][None]) for name in names if name in self.standing]
        fixed = [
            replace(shape, body=None, X_BS=shape.X_BS if shape.body is None else X_GB[shape.body] @ shape.X_BS)
            for shape in model.shapes
            if shape.body is None or self.group[shape.body] is None
        ]
        mechanism = Mechanism(
            model.name, tuple(bodies.values()), tuple(joints), tuple(springs), (*actuators, *dampers), tuple(friction),
            tuple(held), model.gravity, tuple(fixed), *self._untouched(names),
        )  # fmt: skip
        notes = (*self.notes, *left_out, *self._left_out())
        return TreeMechanism(model, mechanism, self.group, X_GB, tuple(driven), np.array(offsets), notes)

    def _body(self, lead: str) -> MechanismBody:
        """All bodies of a rigid group as one, in the frame of its first."""
        X_LW, total, shapes = inverse(self.X_WB[lead]), Inertia.nothing(), []
        for body in self.model.bodies:
            if self.group[body.name] == lead:
                assert body.inertia is not None  # require_inertia has checked it
                total = total + body.inertia.moved(X_LW @ self.X_WB[body.name])
        for shape in self.model.shapes:
            if shape.body is not None and self.group[shape.body] == lead:
                X = X_LW @ self.X_WB[shape.body] @ shape.X_BS
                shapes.append(replace(shape, body=lead, X_BS=X))
        joint = self.model.body(lead).joint
        if lead in self.standing:
            total = total if total.mass > 0 and np.linalg.eigvalsh(total.about_com)[0] > 0 else HELD
        elif total.mass == 0:
            total = self._carriage(lead)
        if joint.armature:
            axis = joint.X_JB[:3, :3].T @ joint.axis
            if joint.kind == "revolute":
                total = Inertia(total.mass, total.com, total.about_com + joint.armature * np.outer(axis, axis))
                self.notes.append(f"the rotor inertia of joint '{joint.name}' turns with its child body.")
            else:
                self.notes.append(f"the rotor inertia of {joint.kind} joint '{joint.name}' is left out.")
        return MechanismBody(lead, total, self.X_WB[lead], self.V_WB[lead], tuple(shapes))

    def _carriage(self, lead: str) -> Inertia:
        if self.massless is None:
            raise ModelError(
                f"body '{lead}' has no mass, and a body of the penalty engine has six freedoms of its own; give it one "
                "(massless= in Python, --massless on the command line), or use the engines rigid and mujoco."
            )
        self.notes.append(f"body '{lead}' has no mass of its own and was given {self.massless:g} kg.")
        return Inertia(self.massless, np.zeros(3), 0.4 * self.massless * CARRIAGE_RADIUS**2 * np.eye(3))

    def _untouched(
        self, names: list[str]
    ) -> tuple[tuple[tuple[str | None, str | None], ...], tuple[tuple[str, str], ...]]:
        """Pairs of bodies none of whose shapes may touch, and pairs of shapes that may not where others of theirs may."""
        shapes: list[PlacedShape] = [shape for shape in self.model.shapes if shape.collides]
        sides = [None if shape.body is None else self.group[shape.body] for shape in shapes]
        fixed = {None, *self.standing}
        rows = [0 if side in fixed else 1 + names.index(str(side)) for side in sides]
        pairs = {(int(a), int(b)) for a, b in pairs_that_may_touch(self.model, shapes, rows)}
        touch = {frozenset((sides[a], sides[b])) for a, b in pairs}
        every: list[str | None] = [*names, None]
        bodies = tuple((a, b) for i, a in enumerate(every) for b in every[i + 1 :] if frozenset((a, b)) not in touch)
        apart = tuple(
            (one.name, shapes[b].name)
            for a, one in enumerate(shapes)
            for b in range(a + 1, len(shapes))
            if frozenset((sides[a], sides[b])) in touch and sides[a] != sides[b] and (a, b) not in pairs
        )
        return bodies, apart

    def _left_out(self) -> list[str]:
        limited, endless = [], []
        for body in self.model.bodies:
            joint = body.joint
            if joint.kind == "revolute" and np.isfinite([joint.q_min, joint.q_max]).any():
                limited.append(joint.name)
            if joint.kind == "prismatic" and not np.isfinite([joint.q_min, joint.q_max]).all():
                endless.append(joint.name)
        notes = [f"limits of hinges do not act ({_listed(limited)})."] if limited else []
        return notes + ([f"slides without limits end after {STOP:g} m ({_listed(endless)})."] if endless else [])


def _listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
