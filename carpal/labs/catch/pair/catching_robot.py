"""An arm and a hand as one robot that catches: which joints are the arm's, which drives close the hand, and their gains."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from carpal.dynamics import mass_matrix
from carpal.errors import InputError, unknown_name
from carpal.kinematics import fk, satisfy_constraints
from carpal.model import Actuator, Body, Model, PlacedShape, attached, driven_joints, load, lock_joints
from carpal.spatial import Array, pose

SYMMETRIC = 0.1
"""A revolute joint whose range is centred on zero within this share spreads the digits; it is held in the middle."""
FIRM = 4.0
"""Strokes over which the spring of a drive with a largest force has that force."""
HAND_RATE = 100.0
"""[rad/s] circular frequency of a drive whose file says nothing of its gains."""
CLEARANCE = 2e-3
"""[m] between the arm's last link and a hand that is put on it without a pose."""


@dataclass(frozen=True)
class Drive:
    """One drive of a hand: its joint, its positions when open and closed [rad or m], its gains, and its target when it grips.

    A drive with a largest force is sent far beyond its end with a weak spring, so that it pulls with nearly that force.
    """

    joint: str
    opened: float
    closed: float
    stiffness: float
    damping: float
    grip: float

    def target(self, share: float) -> float:
        """Position of the cup that is this share closed."""
        return self.opened + share * (self.closed - self.opened)


@dataclass(frozen=True, eq=False)
class CatchingRobot:
    """What catches.

    Args:
        model: arm and hand in one tree, with the effort limits of its drives at the joints.
        base: body of the hand that does not move against the arm's last link.
        arm_joints: the moving joints between the world and `base`.
        drives: of the hand.
    """

    model: Model
    base: str
    arm_joints: tuple[str, ...]
    drives: tuple[Drive, ...]

    @property
    def hand_joints(self) -> tuple[str, ...]:
        """All other moving joints."""
        return tuple(name for name in self.model.joint_names if name not in self.arm_joints)

    @functools.cached_property
    def rigid(self) -> Model:
        """The arm with the open hand as one piece; its tool is `base`."""
        return lock_joints(self.model, self.hand_joints, self.posture(0.0)).with_tool(self.base)

    @functools.cached_property
    def arm_rows(self) -> Array:
        """Where the arm's joints are in v (and in q: the tree stands in the world)."""
        return np.array([self.model.v_index(name) for name in self.arm_joints])

    def posture(self, share: float, q: Array | None = None) -> Array:
        """Q (nq) with the drives this share closed, and all joints that follow from them; the arm at home or as in q."""
        return posture_of(self.model, self.drives, share, q)

    def hand_alone(self) -> Model:
        """The hand, its base fixed where the arm's home has it."""
        return lock_joints(self.model, self.arm_joints, self.posture(0.0))


def posture_of(model: Model, drives: tuple[Drive, ...], share: float, q: Array | None = None) -> Array:
    """Configuration (nq) with the drives a share closed, couplings and loops satisfied as far as they can be."""
    out = np.array(model.q_home if q is None else q, float)
    steps = 8 if model.loops else 1  # a loop is followed from where it is closed
    start = np.array([out[model.q_index(drive.joint)] for drive in drives])
    goal = np.array([drive.opened + share * (drive.closed - drive.opened) for drive in drives])
    for k in range(1, steps + 1):
        for drive, value in zip(drives, start + k / steps * (goal - start), strict=True):
            out[model.q_index(drive.joint)] = value
        if model.is_constrained:
            out = np.asarray(satisfy_constraints(model, out).q)
    return out


def catching_robot(
    arm: str | Model, hand: str | Model | None = None, *, frame: str | None = None, X_FH: Array | None = None,
    base: str | None = None, opened: Mapping[str, float] | None = None, closed: Mapping[str, float] | None = None,
) -> CatchingRobot:  # fmt: skip
    """Put a hand on an arm and find what moves what.

    Args:
        arm: a name, a file or a model; with `hand` None it has its hand already.
        hand: the same.
        frame: of the arm where the hand is put; its tool by default.
        X_FH: pose (4, 4) of the hand there; by default just clear of the arm's last link, along the frame's z.
        base: body of the hand that does not move against the arm's last link; found by default.
        opened, closed: positions of drives by joint; found by default.
    """
    arm = arm if isinstance(arm, Model) else load(arm)
    if hand is None:
        model = arm
        base = base or _own_base(model)
    else:
        hand = hand if isinstance(hand, Model) else load(hand)
        if X_FH is None:
            X_FH = pose(p=(0.0, 0.0, _gap(arm, hand, frame)))
        root = next(body.name for body in hand.bodies if body.parent is None)
        model, base = attached(arm, hand, frame, X_FH), base or f"hand/{root}"
        last = _last_link(model, base)
        model = model.replace(exclusions=(*model.exclusions, (last, base)))
    model.require_inertia()
    if any(kind not in ("revolute", "prismatic") for kind, _ in model.joint_slices()):
        raise InputError(
            f"model '{model.name}' has a ball or free joint; an arm and a hand that catch have single axes."
        )
    if base not in [body.name for body in model.bodies]:
        raise unknown_name(f"body of model '{model.name}'", base, [body.name for body in model.bodies])
    above = _chain(model, base)
    joints = tuple(name for name in model.joint_names if name in above)
    if len(joints) < 5:
        raise InputError(
            f"the arm of '{model.name}' has {len(joints)} moving joints up to '{base}'; catching needs 5 or more."
        )
    drives = _drives(model, base, set(joints), opened or {}, closed or {})
    limits = dict(_effort_limits(model))
    bodies = [_with_effort(body, limits.get(body.joint.name, np.inf)) for body in model.bodies]
    free = model.replace(bodies=tuple(bodies), tool=base)
    free = free.replace(q_home=posture_of(free, drives, 0.0))
    return CatchingRobot(free, base, joints, drives)


def _with_effort(body: Body, limit: float) -> Body:
    return replace(body, joint=replace(body.joint, tau_max=min(body.joint.tau_max, limit)))


def _effort_limits(model: Model) -> list[tuple[str, float]]:
    """Largest force of joints [N m or N] as their drives' files have it."""
    found = []
    for each in model.actuators:
        most = max(abs(each.force_range[0]), abs(each.force_range[1]))
        if each.joint is not None and math.isfinite(most):
            found.append((each.joint, most * abs(each.gear)))
    return found


def _chain(model: Model, body: str) -> set[str]:
    """Joints between the world and a body."""
    found = set()
    at: str | None = body
    while at is not None:
        each = model.body(at)
        found.add(each.joint.name)
        at = each.parent
    return found


def _last_link(model: Model, base: str) -> str:
    """The body that carries `base`: the first above it with shapes that touch."""
    solid = {shape.body for shape in model.shapes if shape.collides}
    at = model.body(base).parent
    while at is not None and at not in solid:
        at = model.body(at).parent
    return base if at is None else at


def _own_base(model: Model) -> str:
    """The last body from which the digits branch: the deepest that carries all but one of a robot's ends is the hand's base."""
    children: dict[str | None, list[str]] = {}
    for body in model.bodies:
        children.setdefault(body.parent, []).append(body.name)

    def moving(name: str) -> int:
        own = model.body(name).joint.kind != "fixed"
        return int(own) + sum(moving(child) for child in children.get(name, []))

    at = children[None][0]
    while True:
        ways = [child for child in children.get(at, []) if moving(child)]
        if len(ways) != 1:
            if not ways:
                raise InputError(
                    f"model '{model.name}' is one chain without a hand; give a hand, or the body that is its base."
                )
            return at
        at = ways[0]


def _gap(arm: Model, hand: Model, frame: str | None) -> float:
    """How far along the frame's z a hand must be moved to be clear of the arm's last link [m]."""
    known = {each.name: each for each in arm.extra_frames}
    name = arm.tool if frame is None else frame
    if name not in arm.frames:
        raise unknown_name(f"frame of model '{arm.name}'", name, arm.frames)
    body, X_BF = (known[name].body, known[name].X_BF) if name in known else (name, np.eye(4))
    at = body
    solid = {shape.body for shape in arm.shapes if shape.collides}
    X_FB: Array = np.asarray(np.linalg.inv(X_BF), np.float64)
    while at is not None and at not in solid and arm.body(at).joint.kind == "fixed":
        joint = arm.body(at).joint
        X_FB = np.asarray(X_FB @ np.linalg.inv(joint.X_PJ @ joint.X_JB), np.float64)
        at = arm.body(at).parent
    top = max((_extent(shape, X_FB)[1] for shape in arm.shapes if shape.body == at and shape.collides), default=0.0)
    root = next(each for each in hand.bodies if each.parent is None)
    X_WR = fk(hand, np.asarray(hand.q_home), root.name)
    low = min(
        (_extent(shape, X_WR)[0] for shape in hand.shapes if shape.body == root.name and shape.collides), default=0.0
    )
    return max(0.0, top - low + CLEARANCE)


def _extent(shape: PlacedShape, X: Array) -> tuple[float, float]:
    """Lowest and highest z [m] of a shape in a frame, by its bounding points."""
    X = X @ shape.X_BS
    points = corner_points(shape)
    z = points @ X[2, :3] + X[2, 3]
    return float(z.min()), float(z.max())


def corner_points(shape: PlacedShape) -> Array:
    """Points (n, 3) [m] of a shape's frame whose hull holds the shape."""
    own = shape.shape
    points = getattr(own, "points", None)
    if points is not None:
        return np.asarray(points, float)
    if hasattr(own, "size"):
        half = 0.5 * np.asarray(own.size, float)
    elif hasattr(own, "radii"):
        half = np.asarray(own.radii, float)
    else:
        r, length = float(getattr(own, "radius", 0.0)), float(getattr(own, "length", 0.0))
        round_end = type(own).__name__ == "Capsule" or not length
        half = np.array([r, r, 0.5 * length + (r if round_end else 0.0)])
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1).T
    return np.asarray(signs * half)


def _drives(
    model: Model, base: str, arm: set[str], opened: Mapping[str, float], closed: Mapping[str, float]
) -> tuple[Drive, ...]:
    """Drives of the hand with their ends: a drive closes to the side that brings the digits' tips together."""
    leaders = {each.follower: (each.leader, each.coefficients) for each in model.couplings if each.leader}
    said = {name for each in model.actuators for name in driven_joints(model, each)}
    names = [name for name in model.joint_names if name not in arm]
    free = [name for name in names if name in model.independent_joints]
    names = [name for name in names if name in said] or [
        n for n in names if n in free or leaders.get(n, ("",))[0] in free
    ]
    for name in (*opened, *closed):
        if name not in names:
            raise unknown_name(f"drive of the hand of '{model.name}'", name, names)
    if not names:
        raise InputError(f"model '{model.name}' has no drive beyond '{base}', so its hand cannot close.")
    low, high = model.coupled_limits
    ends = {}
    for name in names:
        i = model.q_index(name)
        if not (np.isfinite(low[i]) and np.isfinite(high[i])) and not (name in opened and name in closed):
            raise InputError(f"joint '{name}' has no limits, so open and closed must be given in the setup file.")
        ends[name] = (float(low[i]), float(high[i]))
    gains = _gains(model, ends)
    side = {
        name: _closing_side(model, base, names, ends, name)
        for name in names
        if leaders.get(name, ("",))[0] not in names
    }
    for name in names:
        if name not in side:  # it goes as its leader does
            leader, coefficients = leaders[name]
            side[name] = side[str(leader)] * (1 if sum(coefficients[1:]) > 0 else -1)
    made = []
    for name in names:
        a, b = ends[name] if side[name] >= 0 else ends[name][::-1]
        if side[name] == 0:
            a = b = float(np.clip(0.0, *ends[name]))
        elif ends[name][0] < 0 < ends[name][1] and model.body(_body_of(model, name)).joint.kind == "revolute":
            a = 0.0  # beyond straight a finger bends back
        a, b = float(opened.get(name, a)), float(closed.get(name, b))
        stiffness, damping, firm = gains[name]
        made.append(Drive(name, a, b, stiffness, damping, a + firm * (b - a)))
    return tuple(made)


def _body_of(model: Model, joint: str) -> str:
    return next(body.name for body in model.bodies if body.joint.name == joint)


def tips_of(model: Model, base: str) -> list[tuple[str, Array]]:
    """Bodies at the ends of the hand's digits, each with the middle (3) [m] of its shapes."""
    below = {base}
    solid: dict[str, list[Array]] = {}
    for shape in model.shapes:
        if shape.collides and shape.body is not None:
            points = corner_points(shape) @ shape.X_BS[:3, :3].T + shape.X_BS[:3, 3]
            solid.setdefault(shape.body, []).append(points)
    for body in model.bodies:
        if body.parent in below:
            below.add(body.name)
    below.discard(base)
    ends = [name for name in below if name in solid and not _solid_below(model, name, set(solid))]
    return [(body.name, np.concatenate(solid[body.name]).mean(0)) for body in model.bodies if body.name in ends]


def _solid_below(model: Model, name: str, solid: set[str]) -> bool:
    below = {name}
    for body in model.bodies:
        if body.parent in below:
            below.add(body.name)
    return bool((below - {name}) & solid)


def tip_points(model: Model, base: str, q: Array) -> Array:
    """Middles (tips, 3) [m] of the digits' ends in the frame of `base`."""
    X = np.linalg.inv(fk(model, q, base))
    return np.array([(X @ fk(model, q, name) @ [*p, 1.0])[:3] for name, p in tips_of(model, base)])


def _closing_side(
    model: Model, base: str, names: list[str], ends: Mapping[str, tuple[float, float]], name: str
) -> int:  # fmt: skip
    """1 or -1: the end of a drive's range where the tips are nearer together; 0 for one that only spreads the digits."""
    low, high = ends[name]
    revolute = model.body(_body_of(model, name)).joint.kind == "revolute"
    if revolute and abs(low + high) < SYMMETRIC * (high - low) and len(names) > 2:
        return 0
    middle = tuple(Drive(each, 0.5 * sum(ends[each]), 0.5 * sum(ends[each]), 0.0, 0.0, 0.0) for each in names)
    spread = []
    for value in (low + 0.25 * (high - low), low + 0.75 * (high - low)):
        drives = tuple(Drive(d.joint, value, value, 0.0, 0.0, 0.0) if d.joint == name else d for d in middle)
        points = tip_points(model, base, posture_of(model, drives, 0.0))
        spread.append(float(np.linalg.norm(points - points.mean(0), axis=1).mean()))
    return 1 if spread[1] < spread[0] else -1


def _gains(model: Model, ends: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float, float]]:
    """Stiffness and damping of each drive, and how many strokes beyond its open end it is sent when it grips.

    The file's servo where it has no largest force; else a spring that has that force over `FIRM` strokes.
    """
    inertia = np.diag(mass_matrix(model, np.asarray(model.q_home)))
    found = {}
    for name, (low, high) in ends.items():
        M = float(inertia[model.v_index(name)])
        stiffness, most, firm = M * HAND_RATE**2, float(model.tau_max[model.v_index(name)]), 1.0
        for each in model.actuators:
            if name not in driven_joints(model, each):
                continue
            own = whole = abs(each.gear)
            if each.tendon is not None:
                tendon = next(t for t in model.tendons if t.name == each.tendon)
                own, whole = own * abs(tendon.joints[name]), whole * sum(abs(c) for c in tendon.joints.values())
            if each.bias[1] < 0:
                stiffness = -each.bias[1] * own * whole
            most = min(most, own * max(abs(each.force_range[0]), abs(each.force_range[1])))
        if math.isfinite(most) and high > low and stiffness * FIRM * (high - low) > most:
            stiffness, firm = most / (FIRM * (high - low)), FIRM
        found[name] = (stiffness, 2.0 * math.sqrt(stiffness * M), firm)
    return found


def servo_actuators(robot: CatchingRobot, prefix: str) -> tuple[Actuator, ...]:
    """The drives as position servos of a model in which the robot's names begin with `prefix`."""
    made = []
    for i, drive in enumerate(robot.drives):
        bias = (0.0, -drive.stiffness, -drive.damping)
        made.append(Actuator(f"servo_{i}", "position", joint=prefix + drive.joint, gain=drive.stiffness, bias=bias))
    return tuple(made)
