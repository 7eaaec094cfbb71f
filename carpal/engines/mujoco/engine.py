"""MuJoCoEngine: any scene, contacts included, by MuJoCo (Todorov, Erez, Tassa 2012); imported only when used.

The model goes there as our own MJCF. q and v are converted at every step: MuJoCo orders joints depth first, and turns
ball and free joints in the child's axes where Carpal turns them in the parent's. A step depends on nothing but the
state and u: the solver is not warm-started from steps before.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics import kinetic_energy, potential_energy
from carpal.engines.engine import Advance, Staged, checked_dt, diverged, fastest
from carpal.engines.recording import Contact
from carpal.errors import InputError, ModelError, unknown_name
from carpal.model import NQ, NV, Model, State
from carpal.spatial import Array, rotation_from_wxyz

INTEGRATORS = {"rk4": "mjINT_RK4", "euler": "mjINT_EULER", "implicitfast": "mjINT_IMPLICITFAST"}


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """MuJoCo's warnings would be printed and appended to a file in the working folder."""
    import mujoco

    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


class MuJoCoEngine:
    """MuJoCo on the same State.

    Args:
        model: what moves and what stands around it; contacts are between its shapes.
        dt: length of a step [s].
        integrator: "rk4", "euler" (semi-implicit, damping explicit) or "implicitfast".
        limits: whether joints stop at q_min and q_max.
        damping: whether the joints' damping and friction act.

    u holds generalised forces of every joint; there are no prescribed joints here. Worlds of a batch run one after the other.
    """

    name = "mujoco"

    def __init__(
        self,
        model: Model,
        *,
        dt: float = 1e-3,
        integrator: str = "rk4",
        limits: bool = True,
        damping: bool = True,
    ) -> None:
        import mujoco

        model.require_inertia()
        if integrator not in INTEGRATORS:
            raise unknown_name("integrator", integrator, INTEGRATORS)
        if not model.nv:
            raise InputError(f"model '{model.name}' has no moving joint, so there is nothing to simulate.")
        self.model, self.dt, self.integrator, self._mujoco = model, checked_dt(dt), integrator, mujoco
        self.options = {"limits": bool(limits), "damping": bool(damping), "mujoco": mujoco.__version__}
        try:
            with _silence():
                self.compiled = mujoco.MjModel.from_xml_string(model.to_mjcf())
        except ValueError as problem:
            raise ModelError(f"MuJoCo refused model '{model.name}': {' '.join(str(problem).split())[:200]}.") from None
        self.compiled.opt.timestep = self.dt
        self.compiled.opt.integrator = getattr(mujoco.mjtIntegrator, INTEGRATORS[integrator])
        # damping as the rigid engine has it; and a step that diverges must not quietly put everything back to its start
        flags = mujoco.mjtDisableBit.mjDSBL_EULERDAMP | mujoco.mjtDisableBit.mjDSBL_AUTORESET
        if not limits:
            flags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
        if not damping:
            self.compiled.dof_damping[:] = 0.0
            self.compiled.dof_frictionloss[:] = 0.0
        self.compiled.opt.disableflags = int(flags)
        self._data = mujoco.MjData(self.compiled)
        self._fastest = fastest(model, self.dt)
        self._q_there, self._v_there, self._turns = self._addresses()
        self._owner = {shape.name: shape.body or "" for shape in model.shapes}

    def _addresses(self) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]]]:
        """Where each component of q and v is in MuJoCo, and (q, v) where each quaternion and its rate begin in ours."""
        q_there: list[int] = []
        v_there: list[int] = []
        turns: list[tuple[int, int]] = []
        iq = iv = 0
        for body in self.model.bodies:
            kind = body.joint.kind
            if kind == "fixed":
                continue
            number = self._mujoco.mj_name2id(self.compiled, self._mujoco.mjtObj.mjOBJ_JOINT, body.joint.name)
            ball = self.compiled.jnt_type[number] == self._mujoco.mjtJoint.mjJNT_BALL
            back = 3 if kind == "free" and ball else 0  # written as three slides and a ball
            oq, ov = int(self.compiled.jnt_qposadr[number]) - back, int(self.compiled.jnt_dofadr[number]) - back
            q_there += range(oq, oq + NQ[kind])
            v_there += range(ov, ov + NV[kind])
            iq, iv = iq + NQ[kind], iv + NV[kind]
            if kind in ("ball", "free"):
                turns.append((iq - 4, iv - 3))
        return np.array(q_there, np.intp), np.array(v_there, np.intp), turns

    def _rotated(self, q: Array, v: Array, back: bool) -> Array:
        """Rates or forces with the angular parts turned from the parent's axes to the child's, or back."""
        out = v.copy()
        for iq, iv in self._turns:
            R = rotation_from_wxyz(q[iq : iq + 4])
            out[iv : iv + 3] = (R if back else R.T) @ v[iv : iv + 3]
        return out

    def _load(self, q: Array, v: Array, u: Array) -> Any:
        data = self._data
        self._mujoco.mj_resetData(self.compiled, data)  # also what the solver remembers of other states
        data.qpos[self._q_there] = q
        data.qvel[self._v_there] = self._rotated(q, v, False)
        data.qfrc_applied[self._v_there] = self._rotated(q, u, False)
        return data

    def _arrays(self, state: State, u: ArrayLike | Staged) -> tuple[Array, Array, Array]:
        """q, v and u as rows (worlds, width), checked."""
        model = self.model
        if isinstance(u, Staged):
            raise InputError("MuJoCo holds its controls for a whole step; staged controls need the rigid engine.")
        values = np.asarray(u)
        if state.q.shape[-1] != model.nq or state.v.shape[-1] != model.nv:
            raise InputError(
                f"a state of model '{model.name}' needs q (*batch, {model.nq}) and v (*batch, {model.nv}); "
                f"got {state.q.shape} and {state.v.shape}."
            )
        if values.dtype.kind not in "fiu" or values.ndim == 0 or values.shape[-1] != model.nv:
            raise InputError(
                f"u of model '{model.name}' needs {model.nv} real numbers on its last axis; got shape {values.shape}."
            )
        for name, array in (("q", state.q), ("v", state.v), ("u", values)):
            if not np.isfinite(array).all():
                index = np.argwhere(~np.isfinite(array))[0]
                raise InputError(f"{name}[{index[-1]}] is {array[tuple(index)]}; all numbers must be finite.")
        try:
            values = np.broadcast_to(values, (*state.batch, model.nv))
        except ValueError:
            raise InputError(f"u {values.shape} does not fit the state's batch {state.batch}.") from None
        worlds = math.prod(state.batch)
        shaped = (array.reshape(worlds, array.shape[-1]) for array in (state.q, state.v, values.astype(np.float64)))
        q, v, forces = shaped
        return q, v, forces

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state after dt under u (*batch, nv), which is held."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the energy ledger.

        Work is booked along the distance moved; what dampers, friction and contacts take, by their force at the start
        of the step along the mean velocity ("rk4": the trapezoid of their powers). So the residual is of the first
        (second) order in dt, not of the integrator's.
        """
        q, v, forces = self._arrays(state, u)
        q_next, v_next, work = np.empty_like(q), np.empty_like(v), np.empty((len(q), 2))
        with _silence():
            for world in range(len(q)):
                q_next[world], v_next[world], work[world] = self._one(q[world], v[world], forces[world])
        with np.errstate(invalid="ignore"):
            slow = (np.abs(v_next) <= self._fastest).all(axis=-1) & np.isfinite(q_next).all(axis=-1)
        if not slow.all():
            world = int(np.argmin(slow))
            index = tuple(int(i) for i in np.unravel_index(world, state.batch)) if state.batch else ()
            time = float(np.broadcast_to(np.asarray(state.time), state.batch)[index])
            raise diverged(self.model, time, self.dt, v_next[world], index)
        after = State(np.asarray(state.time) + self.dt, q_next.reshape(state.q.shape), v_next.reshape(state.v.shape))
        work = work.reshape(*state.batch, 2)
        return Advance(after, work[..., 0], work[..., 1])

    def _one(self, q: Array, v: Array, u: Array) -> tuple[Array, Array, tuple[float, float]]:
        data, mj = self._load(q, v, u), self._mujoco
        exact = self.integrator == "rk4"
        if exact:
            mj.mj_forward(self.compiled, data)
            before = self._taken(data) @ data.qvel
        v_before = data.qvel.copy()
        mj.mj_step(self.compiled, data)
        heat = -self.dt * (self._taken(data) @ (0.5 * (v_before + data.qvel)))
        q_next, v_there = data.qpos[self._q_there], data.qvel[self._v_there]
        if exact:
            mj.mj_forward(self.compiled, data)
            heat = -0.5 * self.dt * (before + self._taken(data) @ data.qvel)
        v_next = self._rotated(q_next, v_there, True) if np.isfinite(q_next).all() else v_there
        return q_next, v_next, (float(u @ self._moved(q, q_next, v, v_next)), float(heat))

    @staticmethod
    def _taken(data: Any) -> Array:
        return np.asarray(data.qfrc_passive + data.qfrc_constraint)

    def _moved(self, q: Array, q_next: Array, v: Array, v_next: Array) -> Array:
        """Distance (nv) that each component moved: exact along axes, the mean rate times dt for turning bodies."""
        out = 0.5 * self.dt * (v + v_next)
        iq = iv = 0
        for kind, iq in self.model.joint_slices():
            sliding = {"revolute": 1, "prismatic": 1, "free": 3}.get(kind, 0)
            out[iv : iv + sliding] = (q_next - q)[iq : iq + sliding]
            iv += NV[kind]
        return out

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy (*batch) [J], by Carpal's own functions."""
        return kinetic_energy(self.model, state.q, state.v), potential_energy(self.model, state.q)

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches in one world: bodies A and B ("" is the world), point, normal from A into B, depth, force on B."""
        if state.batch:
            raise InputError(f"contacts() takes one world; got a batch {state.batch}.")
        (q,), (v,), (forces,) = self._arrays(state, u)
        found = []
        with _silence():
            data, mj = self._load(q, v, forces), self._mujoco
            mj.mj_forward(self.compiled, data)
            for i in range(data.ncon):
                contact, wrench = data.contact[i], np.zeros(6)
                mj.mj_contactForce(self.compiled, data, i, wrench)
                R = np.array(contact.frame).reshape(3, 3)
                a, b = (self._body_of(int(geom)) for geom in contact.geom)
                point, normal = tuple(map(float, contact.pos)), tuple(map(float, R[0]))
                found.append(
                    Contact(a, b, "", point, normal, -float(contact.dist), tuple(map(float, R.T @ wrench[:3])))
                )
        return found

    def _body_of(self, geom: int) -> str:
        return self._owner[self._mujoco.mj_id2name(self.compiled, self._mujoco.mjtObj.mjOBJ_GEOM, geom)]

    def __repr__(self) -> str:
        return f"<MuJoCoEngine '{self.model.name}': dt {self.dt:g} s, {self.integrator}>"
