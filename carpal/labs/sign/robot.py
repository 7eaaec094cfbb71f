"""The signing robot: a hand on an arm or on a stand as one model, the receiver in front of it, columns of its configuration."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.sign.hand.link_shapes import with_link_shapes
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.model import Body, Capsule, Frame, Joint, Model, PlacedShape, load, robots
from carpal.spatial import Array, Inertia, pose

RECEIVER_RADIUS, RECEIVER_HEIGHTS = 0.16, (0.30, 0.95)
"""[m] of the receiver's trunk: a standing capsule, its axis as far away as the behaviour file says."""
NO_ARM = "none"
RECEIVER_COLOUR = (0.45, 0.62, 0.80, 0.45)


@dataclass(frozen=True, eq=False)
class MountedHand:
    """An arm that carries a hand.

    Args:
        model: arm and hand, parts named "arm/..." and "hand/...", `tool` the palm's frame.
        arm: the arm alone with the hand as a payload of no size, its tool the palm at a straight wrist; a stand has no joints.
        hand: the hand alone with its commands.
        arm_columns, hand_columns: where their configurations are in the model's.
        X_TP: (4, 4) palm at a straight wrist in the arm's tool, of a stand in the world.
    """

    model: Model
    arm: Model
    hand: SignHand
    arm_columns: np.ndarray
    hand_columns: np.ndarray
    X_TP: Array

    @property
    def stands(self) -> bool:
        """Whether the hand has no arm."""
        return self.arm.nq == 0

    def configuration(self, q_arm: ArrayLike, q_hand: ArrayLike) -> Array:
        """(*batch, nq) of arm and hand together."""
        a, h = np.asarray(q_arm, float), np.asarray(q_hand, float)
        batch = np.broadcast_shapes(a.shape[:-1], h.shape[:-1])
        q = np.zeros((*batch, self.model.nq))
        q[..., self.arm_columns] = a
        q[..., self.hand_columns] = h
        return q


def _renamed(
    model: Model, prefix: str, root: str | None, X: Array
) -> tuple[list[Body], list[Frame], list[PlacedShape]]:
    """Bodies, frames and shapes of a model with a prefix, its roots carried by the body `root` at X."""

    def new(name: str | None) -> str | None:
        return root if name is None else f"{prefix}/{name}"

    bodies = []
    for body in model.bodies:
        joint = dataclasses.replace(body.joint, name=f"{prefix}/{body.joint.name}")
        if body.parent is None:
            joint = dataclasses.replace(joint, X_PJ=X @ joint.X_PJ)
        bodies.append(Body(f"{prefix}/{body.name}", new(body.parent), joint, body.inertia))
    frames = [
        Frame(f"{prefix}/{frame.name}", new(frame.body), frame.X_BF if frame.body else X @ frame.X_BF)
        for frame in model.extra_frames
    ]
    shapes = [
        dataclasses.replace(
            shape,
            name=f"{prefix}/{shape.name}",
            body=new(shape.body),
            X_BS=shape.X_BS if shape.body else X @ shape.X_BS,
        )
        for shape in model.shapes
    ]
    return bodies, frames, shapes


def _tool_of(model: Model) -> tuple[str | None, Array]:
    """The body that carries the tool, and the tool's pose in it."""
    for frame in model.extra_frames:
        if frame.name == model.tool:
            return frame.body, frame.X_BF
    return model.tool, np.eye(4)


def _with_inertia(name: str) -> Model:
    model = load(name, untrusted=name not in robots())
    if model.has_inertia:
        return model
    try:
        return load(name, inertia="assumed")
    except ValueError:
        return model


def mount_hand(hand: SignHand, arm: str = "", *, receiver: float | None = None) -> MountedHand:
    """The hand of a driver on its own arm or on another.

    Args:
        hand: from `sign_hand`.
        arm: a catalogue name or a robot file; the driver's own by default; "none" puts the hand on a stand, upright, its palm to
            the receiver.
        receiver: distance [m] of the receiver's axis along x; None leaves the receiver out.
    """
    from carpal.kinematics import fk

    name = arm or hand.driver.arm
    if name == NO_ARM:
        return _on_stand(hand, receiver)
    bare = _with_inertia(name)
    for body in bare.bodies:
        if body.joint.kind in ("ball", "free"):
            raise InputError(
                f"a hand needs an arm of revolute and prismatic joints; '{name}' has a {body.joint.kind} joint."
            )
    if not bare.nq:
        raise InputError(f"'{name}' has no moving joint: it is no arm.")
    shaped = with_link_shapes(bare, hand.driver.link_radius)
    carrier, X_BT = _tool_of(shaped)
    X_BM = X_BT @ hand.driver.X_TM
    X_MP = fk(hand.model, hand.home, hand.driver.palm)
    arm_parts = _renamed(shaped, "arm", None, np.eye(4))
    root = None if carrier is None else f"arm/{carrier}"
    hand_parts = _renamed(hand.model, "hand", root, X_BM)
    bodies, frames = arm_parts[0] + hand_parts[0], arm_parts[1] + hand_parts[1]
    shapes = arm_parts[2] + hand_parts[2]
    # the flange's own capsule ends inside the hand's foot: what is bolted together does not collide
    first = [body.name for body in hand_parts[0] if body.parent == root]
    exclusions = [(f"arm/{a}", f"arm/{b}") for a, b in shaped.exclusions] + [
        (f"hand/{a}", f"hand/{b}") for a, b in hand.model.exclusions
    ]
    near = _nearby(shaped, carrier)
    for mounted in first:
        if any(s.body == mounted for s in shapes):
            exclusions += [(f"arm/{link}", mounted) for link in near if any(s.body == f"arm/{link}" for s in shapes)]
    shapes += _trunk(receiver)
    model = Model(
        name=f"{hand.driver.name} on {bare.name}", bodies=tuple(bodies), extra_frames=tuple(frames),
        tool=f"hand/{hand.driver.palm}", shapes=tuple(shapes), exclusions=tuple(exclusions),
        q_home=np.concatenate([bare.q_home, hand.model.q_home]), gravity=bare.gravity,
        source=f"{bare.source}; {hand.model.source}", notes=(*bare.notes, *hand.model.notes),
    )  # fmt: skip
    X_TP = hand.driver.X_TM @ X_MP
    palm = Frame("sign_palm", carrier, X_BT @ X_TP)
    held = Body(
        "sign_hand",
        carrier,
        dataclasses.replace(hand.model.bodies[0].joint, name="sign_mount", X_PJ=X_BM),
        _lump(hand.model),
    )
    lumped = bare.replace(bodies=(*bare.bodies, held), extra_frames=(*bare.extra_frames, palm), tool="sign_palm")
    columns = np.arange(bare.nq), bare.nq + np.arange(hand.model.nq)
    return MountedHand(model, lumped, hand, *columns, X_TP)


def _on_stand(hand: SignHand, receiver: float | None) -> MountedHand:
    """The hand without an arm: fixed where its driver signs."""
    from carpal.kinematics import fk

    X_WP = pose(p=hand.driver.station)
    X_WM = X_WP @ np.linalg.inv(fk(hand.model, hand.home, hand.driver.palm))
    bodies, frames, shapes = _renamed(hand.model, "hand", None, X_WM)
    model = Model(
        name=f"{hand.driver.name} on a stand", bodies=tuple(bodies), extra_frames=tuple(frames), tool=f"hand/{hand.driver.palm}",
        shapes=tuple(shapes + _trunk(receiver)), q_home=hand.model.q_home, gravity=hand.model.gravity,
        exclusions=tuple((f"hand/{a}", f"hand/{b}") for a, b in hand.model.exclusions), source=hand.model.source,
        notes=hand.model.notes,
    )  # fmt: skip
    stand = Model(
        name="stand", bodies=(Body("stand", None, Joint("stand", "fixed")),),
        extra_frames=(Frame("sign_palm", "stand", X_WP),), tool="sign_palm",
    )  # fmt: skip
    return MountedHand(model, stand, hand, np.arange(0), np.arange(hand.model.nq), X_WP)


def _trunk(receiver: float | None) -> list[PlacedShape]:
    if receiver is None:
        return []
    low, high = RECEIVER_HEIGHTS
    where = pose(p=(receiver, 0, 0.5 * (low + high)))
    return [PlacedShape("receiver", None, Capsule(RECEIVER_RADIUS, high - low), where, RECEIVER_COLOUR)]


def _nearby(model: Model, carrier: str | None) -> list[str]:
    """The body that carries the tool and the two before it: their thick capsules surround a short wrist."""
    parents = {body.name: body.parent for body in model.bodies}
    out: list[str] = []
    while carrier is not None and len(out) < 3:
        out.append(carrier)
        carrier = parents[carrier]
    return out


def _lump(model: Model) -> Inertia | None:
    """The whole hand, straight, as one rigid body in its mount's frame."""
    from carpal.kinematics import fk

    if not model.has_inertia:
        return None
    total = Inertia.nothing()
    for body in model.bodies:
        if body.inertia is not None and body.inertia.mass > 0:
            total = total + body.inertia.moved(fk(model, np.array(model.q_home), body.name))
    return total
