"""What an actuator feels: the inertia, load and passive stiffness of a mechanism along the motion that it drives.

Joints count as rigid, other actuators as locked. The motion n of all bodies that moves the actuator by one unit is in
the null space of the joints' rows; freedoms that nothing holds follow with the least kinetic energy. Then the inertia
is n' M n, the load n' f of weights and springs, the passive damping n' C n. For a tree these are the mass matrix's
diagonal and the gravity torque.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carpal.engines.penalty.gaps import body_poses
from carpal.errors import ModelError
from carpal.model import LinearActuator, Mechanism, RotaryActuator, RotarySpring, SlotJoint
from carpal.spatial import Array, rotation_about, skew, wxyz_from_rotation

RANK = 1e-9  # singular values below this share of the largest are none


class Felt(NamedTuple):
    """Of one actuator: inertia [kg m^2 or kg], load [N m or N] towards larger values, damping, and the motion (6 bodies)."""

    inertia: float
    load: float
    damping: float
    motion: Array


class Response:
    """A mechanism at one pose, linearised.

    Args:
        mechanism: what.
        q: the engine's q (7 bodies) of one world.
    """

    def __init__(self, mechanism: Mechanism, q: Array) -> None:
        self.mechanism, self.q = mechanism, np.asarray(q, float)
        self.R, self.p = body_poses(mechanism, q)
        self.width = 6 * len(mechanism.bodies)
        self.com = [R @ body.inertia.com + p for body, R, p in zip(mechanism.bodies, self.R, self.p, strict=False)]
        held = {motion.body for motion in mechanism.prescribed}
        self.free = np.repeat([body.name not in held for body in mechanism.bodies], 6)
        self.M = np.zeros((self.width, self.width))
        self.weight = np.zeros(self.width)
        for i, body in enumerate(mechanism.bodies):
            at = slice(6 * i, 6 * i + 3), slice(6 * i + 3, 6 * i + 6)
            self.M[at[0], at[0]] = body.inertia.mass * np.eye(3)
            self.M[at[1], at[1]] = self.R[i] @ body.inertia.about_com @ self.R[i].T
            self.weight[at[0]] = body.inertia.mass * mechanism.gravity
        self.joint_rows = np.concatenate(
            [self._joint(joint) for joint in mechanism.joints] or [np.zeros((0, self.width))]
        )

    def _point(self, side: str | None, p: Array) -> tuple[Array, Array]:
        """Where a body's point is, and its velocity's rows (3, 6 bodies)."""
        i, rows = self.mechanism.body_index(side), np.zeros((3, self.width))
        at = self.R[i] @ p + self.p[i]
        if side is not None and self.free[6 * i]:
            rows[:, 6 * i : 6 * i + 3] = np.eye(3)
            rows[:, 6 * i + 3 : 6 * i + 6] = -skew(at - self.com[i])
        return at, rows

    def _joint(self, joint: object) -> Array:
        at, rows = self._point(joint.a, joint.p_AP)  # type: ignore[attr-defined]
        b = joint.b  # type: ignore[attr-defined]
        i = self.mechanism.body_index(b)
        local = self.R[i].T @ (at - self.p[i])
        other = self._point(b, local)[1]  # the point of B under A's: gaps are small
        if not isinstance(joint, SlotJoint):
            return np.asarray(other - rows)
        starts, ways = joint.path[:-1], np.diff(joint.path, axis=0)
        shares = ((local - starts) * ways).sum(1) / (ways * ways).sum(1)
        best = int(np.argmin(np.linalg.norm(starts + np.clip(shares, 0, 1)[:, None] * ways - local, axis=1)))
        along = self.R[i] @ ways[best] / np.linalg.norm(ways[best])
        return np.asarray((np.eye(3) - np.outer(along, along)) @ (other - rows))

    def measure_row(self, part: RotaryActuator | LinearActuator | RotarySpring) -> Array:
        """Rate (6 bodies) of what an actuator or spring measures."""
        if isinstance(part, LinearActuator):
            (start, a), (end, b) = self._point(part.a, part.p_AP), self._point(part.b, part.p_BP)
            along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-12)
            return np.asarray(along @ (b - a))
        row, i, j = np.zeros(self.width), self.mechanism.body_index(part.a), self.mechanism.body_index(part.b)
        axis = self.R[i] @ part.axis
        for side, place, sign in ((part.a, i, -1.0), (part.b, j, 1.0)):
            if side is not None and self.free[6 * place]:
                row[6 * place + 3 : 6 * place + 6] = sign * axis
        return row

    def felt(self, actuator: int) -> Felt:
        """What the actuator of that number feels; other actuators with a command are locked."""
        parts = self.mechanism.actuators
        others = [self.measure_row(p) for k, p in enumerate(parts) if k != actuator and p.command is not None]
        rows = np.concatenate([self.joint_rows, np.array(others).reshape(-1, self.width)])[:, self.free]
        root = np.linalg.cholesky(self.M[np.ix_(self.free, self.free)])
        scaled = np.linalg.solve(root, rows.T).T  # unit inertia in every direction
        size = float(np.abs(scaled).max()) if scaled.size else 0.0
        _, values, turned = np.linalg.svd(scaled / size if size else scaled)
        rank = int((values > RANK * values[0]).sum()) if len(values) else 0
        row = np.linalg.solve(root, self.measure_row(parts[actuator])[self.free])
        left = turned[rank:] @ row
        ease = float(left @ left)
        if ease <= 1e-12 * float(row @ row):
            raise ModelError(
                f"actuator '{parts[actuator].name}' of mechanism '{self.mechanism.name}' cannot move anything at this "
                "pose while its joints and the other actuators hold: it stands on a toggle, or is held twice."
            )
        motion = np.zeros(self.width)
        motion[self.free] = np.linalg.solve(root.T, turned[rank:].T @ left) / ease
        load, damping = float(motion @ self.weight), 0.0
        values_now = self._spring_terms()
        for spring, (force, loss) in values_now.items():
            way = float(self.measure_row(self._named(spring)) @ motion)
            load, damping = load + force * way, damping + loss * way * way
        return Felt(1.0 / ease, load, damping, motion)

    def _named(self, name: tuple[str, int]) -> RotarySpring | RotaryActuator | LinearActuator:
        group, place = name
        return self.mechanism.springs[place] if group == "spring" else self.mechanism.actuators[place]

    def _spring_terms(self) -> dict[tuple[str, int], tuple[float, float]]:
        """Force towards larger values, and damping, of springs and of actuators with a constant target."""
        from carpal.engines.penalty.gaps import actuator_values

        out = {}
        for k, spring in enumerate(self.mechanism.springs):
            R_a, R_b = (self.R[self.mechanism.body_index(side)] for side in (spring.a, spring.b))
            line_A, line_B = R_a @ spring.line_A, R_b @ spring.line_B
            angle = np.arctan2((R_a @ spring.axis) @ np.cross(line_A, line_B), line_A @ line_B)
            away = (angle - spring.rest + np.pi) % (2 * np.pi) - np.pi
            out["spring", k] = (-spring.stiffness * away, spring.damping)
        values = actuator_values(self.mechanism, self.q)
        for k, part in enumerate(self.mechanism.actuators):
            if part.command is None:
                out["actuator", k] = (-part.P * (values[k] - part.target), part.D)
        return out

    def moved(self, motion: Array) -> Response:
        """The same with every body displaced by a small motion (6 bodies) [m, rad] of its centre of mass."""
        q = self.q.copy().reshape(-1, 7)
        for i, body in enumerate(self.mechanism.bodies):
            shift, turn = motion[6 * i : 6 * i + 3], motion[6 * i + 3 : 6 * i + 6]
            angle = float(np.linalg.norm(turn))
            R = self.R[i] if angle == 0 else rotation_about(turn / angle, angle) @ self.R[i]
            q[i, :3], q[i, 3:] = self.com[i] + shift - R @ body.inertia.com, wxyz_from_rotation(R)
        return Response(self.mechanism, q.ravel())
