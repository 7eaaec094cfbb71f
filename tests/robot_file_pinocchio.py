"""A URDF beside Pinocchio; see `robot_file_checks`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from robot_file_contacts import contacts_apart
from robot_file_rows import DT, SPAN, Row, differing, opened, relative, some_q

import carpal
from carpal.engines import MuJoCoEngine, RigidEngine
from carpal.model import NV, Model, State
from carpal.spatial import rotation_from_wxyz


class BesidePinocchio:
    """A URDF in Pinocchio: q and v there from ours, by joint names."""

    def __init__(self, path: Path, model: Model) -> None:
        self.ours, self.path, self.model = model, path, pin.buildModelFromUrdf(str(path))
        self.model.gravity.linear = np.array(model.gravity)
        self.data = self.model.createData()
        missing = [name for name in model.joint_names if not self.model.existJointName(name)]
        if missing or self.model.nv != model.nv:
            raise ValueError(f"Pinocchio has {self.model.nv} freedoms, we {model.nv}; not there: {missing[:4]}")
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in model.joint_names]

    def q(self, q: np.ndarray) -> np.ndarray:
        out = pin.neutral(self.model)
        for (kind, i), joint in zip(self.ours.joint_slices(), self.joints, strict=True):
            if kind == "free":
                out[joint.idx_q : joint.idx_q + 7] = [*q[i : i + 3], *q[i + 4 : i + 7], q[i + 3]]
            elif kind == "ball":
                out[joint.idx_q : joint.idx_q + 4] = [*q[i + 1 : i + 4], q[i]]
            elif joint.nq == 2:  # continuous joints are (cos, sin) there
                out[joint.idx_q : joint.idx_q + 2] = np.cos(q[i]), np.sin(q[i])
            else:
                out[joint.idx_q] = q[i]
        return out

    def order(self) -> np.ndarray:
        """Where each component of our v is there; free and ball joints need axes turned, which `rates` does."""
        out: list[int] = []
        for (kind, _), joint in zip(self.ours.joint_slices(), self.joints, strict=True):
            out += range(joint.idx_v, joint.idx_v + NV[kind])
        return np.array(out, np.intp)

    def rates(self, q: np.ndarray) -> np.ndarray:
        """T with v there = T v."""
        T, column = np.zeros((self.ours.nv, self.ours.nv)), 0
        for (kind, i), joint in zip(self.ours.joint_slices(), self.joints, strict=True):
            n = NV[kind]
            block = np.eye(n)
            if kind in ("ball", "free"):
                wxyz = q[i : i + 4] if kind == "ball" else q[i + 3 : i + 7]
                block = np.kron(np.eye(n // 3), rotation_from_wxyz(wxyz).T)
            T[joint.idx_v : joint.idx_v + n, column : column + n] = block
            column += n
        return T

    def fill(self, row: Row, rng: np.random.Generator) -> None:
        model, q = self.ours, some_q(self.ours, rng)
        v = rng.uniform(-1, 1, model.nv)
        there, T = self.q(q), self.rates(q)
        row.take("fk", lambda: self._fk(q, there))
        row.take("limits", lambda: self._limits())
        row.take("effort", lambda: self._per_joint(model.tau_max, self.model.effortLimit))
        if not model.has_inertia:
            row.figures["dynamics"] = "refused: inertias are missing in the file"
            return
        row.take("mass", lambda: relative(carpal.mass_matrix(model, q), T.T @ self._mass(there) @ T))
        row.take("bias", lambda: self._bias(q, v))
        if not model.nv:
            row.figures["rigid_fall"] = row.figures["mujoco_fall"] = "nothing moves"
            return
        row.take("contacts", lambda: contacts_apart(self.path, model))
        start = np.array(model.q_home)
        if np.linalg.cond(carpal.mass_matrix(model, start)) > 1e12:
            row.figures["rigid_fall"] = row.figures["mujoco_fall"] = (
                "not comparable: the mass matrix is singular at home"
            )
            return
        row.take(
            "rigid_fall", lambda: self._fall(RigidEngine(opened(model), dt=DT, integrator="rk4", damping=False), start)
        )
        plain = opened(model).replace(shapes=(), exclusions=(), contact_pairs=(), tendons=())
        row.take(
            "mujoco_fall",
            lambda: self._fall(MuJoCoEngine(plain, dt=DT, integrator="rk4", limits=False, damping=False), start),
        )

    def _mass(self, there: np.ndarray) -> np.ndarray:
        M = pin.crba(self.model, self.data, there)
        return np.triu(M) + np.triu(M, 1).T

    def _fk(self, q: np.ndarray, there: np.ndarray) -> float:
        pin.framesForwardKinematics(self.model, self.data, there)
        worst = 0.0
        for body in self.ours.bodies:
            if self.model.existFrame(body.name, pin.FrameType.BODY):
                X = self.data.oMf[self.model.getFrameId(body.name, pin.FrameType.BODY)].homogeneous
                worst = max(worst, relative(carpal.fk(self.ours, q, frame=body.name), X))
        return worst

    def _bias(self, q: np.ndarray, v: np.ndarray) -> float:
        T = self.rates(q)
        if any(kind == "free" for kind, _ in self.ours.joint_slices()):
            v = np.zeros_like(v)  # velocities of free bodies turn with the body there: compared at rest
        tau = pin.rnea(self.model, self.data, self.q(q), T @ v, np.zeros(self.model.nv))
        return relative(carpal.inverse_dynamics(self.ours, q, v, np.zeros_like(v)), T.T @ tau)

    def _per_joint(self, ours: np.ndarray, theirs: np.ndarray) -> float:
        single = [kind in ("revolute", "prismatic") for kind, _ in self.ours.joint_slices() for _ in range(NV[kind])]
        return differing(np.asarray(ours)[single], np.asarray(theirs)[self.order()][single])

    def _limits(self) -> float:
        """Limits that differ; joints without lower and upper are unlimited here, with a warning, and held at 0 there."""
        wrong = self._per_joint(self.ours.v_max, self.model.velocityLimit)
        for (kind, i), joint in zip(self.ours.joint_slices(), self.joints, strict=True):
            if kind not in ("revolute", "prismatic"):
                continue
            name = self.model.names[joint.id]
            if any(f"'{name}'" in note and "neither lower nor upper" in note for note in self.ours.notes):
                continue
            low, high = (-np.inf, np.inf) if joint.nq == 2 else (
                self.model.lowerPositionLimit[joint.idx_q], self.model.upperPositionLimit[joint.idx_q])  # fmt: skip
            wrong += differing([self.ours.q_min[i], self.ours.q_max[i]], [low, high])
        return wrong

    def _fall(self, engine: Any, q: np.ndarray) -> float:
        if any(kind in ("ball", "free") for kind, _ in self.ours.joint_slices()):
            return self._fall_of_free_bodies(engine, q)
        state, idle = State(0.0, q, np.zeros(self.ours.nv)), np.zeros(self.ours.nv)
        for _ in range(round(SPAN / DT)):
            state = engine.step(state, idle)
        y, w, order = q.copy(), np.zeros(self.ours.nv), self.order()

        def vdot(y: np.ndarray, w: np.ndarray) -> np.ndarray:
            rates = np.zeros(self.model.nv)
            rates[order] = w
            return pin.aba(self.model, self.data, self.q(y), rates, np.zeros(self.model.nv))[order]

        for _ in range(round(SPAN / DT)):
            a1 = vdot(y, w)
            a2 = vdot(y + DT / 2 * w, w + DT / 2 * a1)
            a3 = vdot(y + DT / 2 * (w + DT / 2 * a1), w + DT / 2 * a2)
            a4 = vdot(y + DT * (w + DT / 2 * a2), w + DT * a3)
            y = y + DT / 6 * (w + 2 * (w + DT / 2 * a1) + 2 * (w + DT / 2 * a2) + w + DT * a3)
            w = w + DT / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return float(np.abs(state.q - y).max())

    def _fall_of_free_bodies(self, engine: Any, q: np.ndarray) -> float:
        raise NotImplementedError("free bodies: Pinocchio steps them in their own axes, another scheme")
