"""An MJCF file beside native MuJoCo; see `robot_file_checks`."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from robot_file_rows import DT, SPAN, Row, differing, opened, relative, some_q

import carpal
from carpal.engines import MuJoCoEngine, RigidEngine
from carpal.model import NV, Model, State
from carpal.spatial import rotation_from_wxyz


class BesideMuJoCo:
    """An MJCF file in native MuJoCo; our q is its qpos."""

    def __init__(self, path: Path, model: Model) -> None:
        self.ours = model
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(lambda _: None)
        try:
            self.model = mujoco.MjModel.from_xml_path(str(path))
        finally:
            mujoco.set_mju_user_warning(before)
        if (self.model.nq, self.model.nv) != (model.nq, model.nv):
            raise ValueError(f"MuJoCo has nq {self.model.nq}, nv {self.model.nv}; we {model.nq}, {model.nv}")
        self.data = mujoco.MjData(self.model)

    def rates(self, q: np.ndarray) -> np.ndarray:
        """T with qvel = T v."""
        T, k = np.eye(self.ours.nv), 0
        for kind, i in self.ours.joint_slices():
            n = NV[kind]
            if kind in ("ball", "free"):
                wxyz = q[i : i + 4] if kind == "ball" else q[i + 3 : i + 7]
                T[k + n - 3 : k + n, k + n - 3 : k + n] = rotation_from_wxyz(wxyz).T
            k += n
        return T

    def _at(self, q: np.ndarray, v: np.ndarray) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = q, self.rates(q) @ v
        mujoco.mj_forward(self.model, self.data)

    def fill(self, row: Row, rng: np.random.Generator) -> None:
        model, q = self.ours, some_q(self.ours, rng)
        v = rng.uniform(-1, 1, model.nv)
        row.take("fk", lambda: self._fk(q))
        row.take("limits", self._limits)
        row.take("effort", self._effort)
        row.take("home", lambda: relative(model.q_home, self._home()))
        if not model.has_inertia:
            row.figures["dynamics"] = "refused: inertias are missing"
            return
        row.take("mass", lambda: self._mass(q))
        row.take("bias", lambda: self._bias(q, v))
        row.take("contacts", self._contacts)
        row.take("rigid_fall", self._rigid_fall)
        row.take("mujoco_fall", self._mujoco_fall)

    def _home(self) -> np.ndarray:
        """The keyframe "home", else the first, else qpos0 inside the limits; with the loops closed that rounding left open."""
        native = self.model
        names = [mujoco.mj_id2name(native, mujoco.mjtObj.mjOBJ_KEY, k) for k in range(native.nkey)]
        q = native.key_qpos[names.index("home") if "home" in names else 0] if native.nkey else native.qpos0
        inside = np.clip(q, self.ours.q_min, self.ours.q_max)
        return np.asarray(self.ours.replace(q_home=inside).assembled().q_home) if self.ours.loops else inside

    def _fk(self, q: np.ndarray) -> float:
        self._at(q, np.zeros(self.ours.nv))
        worst = 0.0
        for i in range(1, self.model.nbody):
            name = self.model.body(i).name
            if name in self.ours.frames:
                X = np.eye(4)
                X[:3, :3], X[:3, 3] = self.data.xmat[i].reshape(3, 3), self.data.xpos[i]
                worst = max(worst, relative(carpal.fk(self.ours, q, frame=name), X))
        return worst

    def _limits(self) -> float:
        wrong = 0.0
        for j, (kind, i) in enumerate(self.ours.joint_slices()):
            if kind in ("revolute", "prismatic"):
                low, high = self.model.jnt_range[j] if self.model.jnt_limited[j] else (-np.inf, np.inf)
                wrong += differing([self.ours.q_min[i], self.ours.q_max[i]], [low, high])
        return wrong

    def _effort(self) -> float:
        """Joints whose `tau_max` is not the smallest of what the file bounds: actuatorfrcrange, and forcerange times gear."""
        native, wrong, k = self.model, 0.0, 0
        for j, (kind, _) in enumerate(self.ours.joint_slices()):
            if kind in ("revolute", "prismatic"):
                most = np.inf
                if native.jnt_actfrclimited[j]:
                    most = np.abs(native.jnt_actfrcrange[j]).max()
                drives = [
                    a for a in range(native.nu)
                    if native.actuator_trntype[a] in (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT)
                    and native.actuator_trnid[a, 0] == j
                ]  # fmt: skip
                if drives and all(native.actuator_forcelimited[a] for a in drives):
                    total = sum(
                        np.abs(native.actuator_forcerange[a]).max() * abs(native.actuator_gear[a, 0]) for a in drives
                    )
                    most = min(most, total)
                wrong += differing([self.ours.tau_max[k]], [most])
            k += NV[kind]
        return wrong

    def _mass(self, q: np.ndarray) -> float:
        self._at(q, np.zeros(self.ours.nv))
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        T = self.rates(q)
        extra = self.model.tendon_armature.any() if self.model.ntendon else False
        if extra:
            return "not comparable: tendon armature"  # type: ignore[return-value]
        return relative(carpal.mass_matrix(self.ours, q), T.T @ M @ T)

    def _bias(self, q: np.ndarray, v: np.ndarray) -> float:
        self._at(q, v)
        T = self.rates(q)
        return relative(carpal.inverse_dynamics(self.ours, q, v, np.zeros_like(v)), T.T @ self.data.qfrc_bias)

    def _contacts(self) -> float:
        """How many of the native contacts at home are not among ours, and the other way round."""
        q = np.array(self.ours.q_home)
        self._at(q, np.zeros(self.ours.nv))
        native: dict[tuple[str, str], int] = {}
        for contact in self.data.contact[: self.data.ncon]:
            bodies = [int(self.model.geom_bodyid[g]) for g in contact.geom]
            names = (self.model.body(body).name or f"body{body}" for body in bodies)  # as the reader calls unnamed ones
            key = tuple(sorted("" if name == "world" else name for name in names))
            native[key] = native.get(key, 0) + 1
        engine = MuJoCoEngine(self.ours)
        ours: dict[tuple[str, str], int] = {}
        for contact in engine.contacts(State(0.0, q, np.zeros(self.ours.nv)), np.zeros(self.ours.nv)):
            key = tuple(sorted((contact.a, contact.b)))
            ours[key] = ours.get(key, 0) + 1
        return float(sum(abs(native.get(key, 0) - ours.get(key, 0)) for key in set(native) | set(ours)))

    def _rigid_fall(self) -> float:
        """With a step that resolves the dampers, which RK4 takes explicitly; friction loss is off on both sides."""
        native, bits = self.model, mujoco.mjtDisableBit
        smooth = [dataclasses.replace(b, joint=dataclasses.replace(b.joint, friction=0.0)) for b in self.ours.bodies]
        model = opened(self.ours).replace(bodies=tuple(smooth))
        if native.opt.density or native.opt.viscosity:
            return "not comparable: a fluid pushes its bodies, of which a warning says that it is not kept"  # type: ignore[return-value]
        before = native.opt.disableflags, native.opt.integrator, native.opt.timestep
        native.opt.disableflags = int(
            bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS | bits.mjDSBL_EQUALITY
            | bits.mjDSBL_ACTUATION | bits.mjDSBL_AUTORESET
        )  # fmt: skip
        try:
            dt = min(DT, 1.0 / max(self._fastest_decay(), 1.0))
            steps = math.ceil(SPAN / dt)
            if steps > 10_000:
                return f"not comparable: dampers need steps of {dt:.1e} s"  # type: ignore[return-value]
            native.opt.integrator, native.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, SPAN / steps
            engine = RigidEngine(model, dt=SPAN / steps, integrator="rk4")
            return self._apart(engine, np.array(self.ours.q_home), steps)
        finally:
            native.opt.disableflags, native.opt.integrator, native.opt.timestep = before

    def _fastest_decay(self) -> float:
        """Largest rate [1/s] of dampers and springs at home: of M^-1 D, and the root of that of M^-1 K."""
        self._at(np.array(self.ours.q_home), np.zeros(self.ours.nv))
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        stiff = np.zeros(self.model.nv)
        stiff[self.model.jnt_dofadr] = self.model.jnt_stiffness
        damper = np.abs(np.linalg.eigvals(np.linalg.solve(M, np.diag(self.model.dof_damping)))).max()
        return float(max(damper, np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, np.diag(stiff)))).max())))

    def _mujoco_fall(self) -> float:
        """As the file says: its own step, integrator, contacts and actuators, whose controls are zero."""
        engine = MuJoCoEngine(self.ours, controls=np.zeros(self.model.nu) if self.model.nu else None)
        return self._apart(engine, np.array(self.ours.q_home), round(SPAN / self.model.opt.timestep))

    def _apart(self, engine: Any, q: np.ndarray, steps: int) -> float:
        """max |q - qpos| after the same steps; quaternions up to their sign."""
        state, idle = State(0.0, q, np.zeros(self.ours.nv)), np.zeros(self.ours.nv)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = q
        for _ in range(steps):
            state = engine.step(state, idle)
            mujoco.mj_step(self.model, self.data)
        a, b = np.array(state.q), np.array(self.data.qpos)
        for kind, i in self.ours.joint_slices():
            if kind in ("ball", "free"):
                at = slice(i, i + 4) if kind == "ball" else slice(i + 3, i + 7)
                b[at] *= np.sign(a[at] @ b[at])
        return float(np.abs(a - b).max())
