"""MuJoCoEngine: any scene, contacts included, by MuJoCo (Todorov, Erez, Tassa 2012); imported only when used.

A model that was read from an MJCF file goes there as that file, with its solver settings, integrator and step; any other as
our own MJCF (`compiled`). q and v are converted at every step: MuJoCo orders joints depth first, and turns
ball and free joints in the child's axes where Carpal turns them in the parent's.

A step depends on nothing but the state, u and the controls. Only where MuJoCo got the file itself, or where couplings and
loops never let go, a step that begins in the very state that the step before ended in goes on as MuJoCo does: warm-started,
and with the actuators' activations.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics import kinetic_energy, potential_energy
from carpal.engines.engine import Advance, Staged, checked_dt, diverged, fastest
from carpal.engines.mujoco.compiled import compile_model, silence
from carpal.engines.mujoco.contact_surfaces import apply_surfaces, pairs_that_differ
from carpal.engines.pair_surfaces import SurfaceKey, stated
from carpal.engines.recording import Contact
from carpal.engines.surface import Surface
from carpal.errors import InputError, unknown_name
from carpal.model import NQ, NV, Model, State, real_array
from carpal.spatial import Array, rotation_from_wxyz

INTEGRATORS = {
    "rk4": "mjINT_RK4", "euler": "mjINT_EULER", "implicit": "mjINT_IMPLICIT", "implicitfast": "mjINT_IMPLICITFAST",
}  # fmt: skip
STEP = 1e-3
"""Length of a step [s] where neither the caller nor a file says it."""


class MuJoCoEngine:
    """MuJoCo on the same State.

    Args:
        model: what moves and what stands around it; contacts are between its shapes.
        dt: length of a step [s]; None: the file's, or 1 ms where there is no file.
        integrator: "rk4", "euler" (semi-implicit, damping explicit), "implicit" or "implicitfast"; None: the file's own, or
            "rk4" where there is no file.
        limits: whether joints stop at q_min and q_max.
        damping: whether the joints' damping and friction act.
        surface, surfaces: friction, restitution and compliance of pairs, as of `ModalEngine`, as far as MuJoCo's contacts can
            have them (`contact_surfaces`), also of shapes from a file; None: the file's numbers, or MuJoCo's own.
        controls: of the model's own actuators, (nu) in MuJoCo's order, or "home" for those of the file's keyframe; None: the
            actuators are off, and u alone drives the joints. `set_controls` changes them between steps.

    u holds generalised forces of every joint; there are no prescribed joints here. Worlds of a batch run one after the other.
    `native` says whether MuJoCo got the file itself.
    """

    name = "mujoco"

    def __init__(
        self,
        model: Model,
        *,
        dt: float | None = None,
        integrator: str | None = None,
        limits: bool = True,
        damping: bool = True,
        surface: Surface | None = None,
        surfaces: Mapping[SurfaceKey, Surface] | None = None,
        controls: ArrayLike | str | None = None,
    ) -> None:
        import mujoco

        model.require_inertia()
        if integrator is not None and integrator not in INTEGRATORS:
            raise unknown_name("integrator", integrator, INTEGRATORS)
        if not model.nv:
            raise InputError(f"model '{model.name}' has no moving joint, so there is nothing to simulate.")
        if dt is not None:
            checked_dt(dt)
        self.model, self._mujoco = model, mujoco
        said = surface is not None or bool(surfaces)
        pairs = pairs_that_differ(model, surface or Surface(), surfaces or {}) if said else {}
        self.compiled, self.native = compile_model(model, pairs)
        option, numbers = self.compiled.opt, mujoco.mjtIntegrator
        own = next((name for name, what in INTEGRATORS.items() if getattr(numbers, what) == option.integrator), "rk4")
        self.integrator = integrator or (own if self.native else "rk4")
        self.dt = checked_dt(dt if dt is not None else float(option.timestep) if self.native else STEP)
        option.timestep = self.dt
        option.integrator = getattr(numbers, INTEGRATORS[self.integrator])
        option.gravity[:] = model.gravity
        if said:
            for note in apply_surfaces(self.compiled, self.dt, surface or Surface(), pairs):
                warnings.warn(note, UserWarning, stacklevel=2)
        bits = mujoco.mjtDisableBit
        # a step that diverges must not quietly put everything back to its start
        flags = int(option.disableflags) | int(bits.mjDSBL_AUTORESET)
        if integrator is not None or not self.native:
            flags |= int(bits.mjDSBL_EULERDAMP)  # damping as the rigid engine has it
        if not limits:
            flags |= int(bits.mjDSBL_LIMIT)
        if not damping:
            self.compiled.dof_damping[:] = 0.0
            self.compiled.dof_frictionloss[:] = 0.0
        self._flags = flags
        self._data = mujoco.MjData(self.compiled)
        self._fastest = fastest(model, self.dt)
        self._q_there, self._v_there, self._turns = self._addresses()
        self._sprung = bool(self.compiled.jnt_stiffness.any() or self.compiled.tendon_stiffness.any())
        self._goes_on = self.native or bool(model.couplings or model.loops)
        self._ends: dict[int, tuple[bytes, Array, Array, Array, Array]] = {}
        self._owner = {shape.name: shape.body or "" for shape in model.shapes}
        self._controls: Array | None = None
        self.set_controls(controls)
        self.options = {
            "limits": bool(limits), "damping": bool(damping), "mujoco": mujoco.__version__, "native": self.native,
            "controls": None if self._controls is None else self._controls.tolist(), **stated(surface, surfaces),
        }  # fmt: skip

    @property
    def controls(self) -> Array | None:
        """Controls (nu) of the model's actuators; None: they are off."""
        return self._controls

    def set_controls(self, values: ArrayLike | str | None) -> None:
        """Change the controls from the next step on; arguments as of the engine."""
        count = int(self._data.ctrl.size)
        if isinstance(values, str):
            if values != "home":
                raise unknown_name("controls", values, ("home",))
            keys = [self.compiled.key(i).name for i in range(self.compiled.nkey)]
            chosen = keys.index("home") if "home" in keys else 0
            values = self.compiled.key_ctrl[chosen] if keys else np.zeros(count)
        if values is not None:
            values = real_array(values, "controls")
            if values.shape != (count,) or not np.isfinite(values).all():
                raise InputError(
                    f"controls of model '{self.model.name}' must be {count} finite numbers, one for each actuator "
                    f"({', '.join(self._actuators()[:8]) or 'it has none'}); got {values.tolist()!r:.80}."
                )
            if np.any(getattr(self.compiled, "actuator_delay", 0.0)):
                raise InputError(
                    f"model '{self.model.name}' has actuators with delays, which a State does not hold; the engine 'mujoco' "
                    "can only keep them off (controls=None)."
                )
        self._controls = values
        off = int(self._mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        self.compiled.opt.disableflags = self._flags | (off if values is None else 0)

    def _actuators(self) -> list[str]:
        return [self.compiled.actuator(i).name or str(i) for i in range(self.compiled.nu)]

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

    def _load(self, q: Array, v: Array, u: Array, world: int = 0) -> Any:
        data = self._data
        self._mujoco.mj_resetData(self.compiled, data)  # also what the solver remembers of other states
        data.qpos[self._q_there] = q
        data.qvel[self._v_there] = self._rotated(q, v, False)
        data.qfrc_applied[self._v_there] = self._rotated(q, u, False)
        if self._controls is not None:
            data.ctrl[:] = self._controls
        ended = self._ends.get(world)
        if ended is not None and ended[0] == q.tobytes() + v.tobytes():
            data.qpos[:], data.qvel[:], data.qacc_warmstart[:], data.act[:] = ended[1:]
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
        with silence():
            for world in range(len(q)):
                q_next[world], v_next[world], work[world] = self._one(q[world], v[world], forces[world], world)
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

    def _one(self, q: Array, v: Array, u: Array, world: int) -> tuple[Array, Array, tuple[float, float]]:
        data, mj = self._load(q, v, u, world), self._mujoco
        exact = self.integrator == "rk4"
        before = np.zeros(2)
        if exact:
            warm = data.qacc_warmstart.copy()
            mj.mj_forward(self.compiled, data)
            before = self._powers(data, data.qvel)
            data.qacc_warmstart[:] = warm
        v_before = data.qvel.copy()
        mj.mj_step(self.compiled, data)
        power = self._powers(data, 0.5 * (v_before + data.qvel))
        q_next, v_there = data.qpos[self._q_there], data.qvel[self._v_there]
        v_next = self._rotated(q_next, v_there, True) if np.isfinite(q_next).all() else v_there
        if self._goes_on:
            kept = (data.qpos.copy(), data.qvel.copy(), data.qacc_warmstart.copy(), data.act.copy())
            self._ends[world] = (q_next.tobytes() + v_next.tobytes(), *kept)
        if exact:
            mj.mj_forward(self.compiled, data)
            power = 0.5 * (before + self._powers(data, data.qvel))
        driven, taken = self.dt * power
        return q_next, v_next, (float(u @ self._moved(q, q_next, v, v_next)) + float(driven), -float(taken))

    def _powers(self, data: Any, v: Array) -> Array:
        """Power (2) [W] of the actuators, and of dampers, friction, contacts and constraints; springs store theirs."""
        return np.array([data.qfrc_actuator @ v, (data.qfrc_passive - data.qfrc_spring + data.qfrc_constraint) @ v])

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
        """Kinetic and potential energy (*batch) [J], by Carpal's own functions; springs' energy by MuJoCo."""
        potential = potential_energy(self.model, state.q)
        if self._sprung:
            stored = [self._spring_energy(q) for q in state.q.reshape(-1, self.model.nq)]
            potential = potential + np.array(stored).reshape(state.batch)
        return kinetic_energy(self.model, state.q, state.v), potential

    def _spring_energy(self, q: Array) -> float:
        data, mj, gravity = self._data, self._mujoco, self.compiled.opt.gravity.copy()
        mj.mj_resetData(self.compiled, data)
        data.qpos[self._q_there] = q
        mj.mj_fwdPosition(self.compiled, data)
        self.compiled.opt.gravity[:] = 0.0  # MuJoCo counts the weight too, Carpal has already
        mj.mj_energyPos(self.compiled, data)
        self.compiled.opt.gravity[:] = gravity
        return float(data.energy[0])

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches in one world: bodies A and B ("" is the world), point, normal from A into B, depth, force on B."""
        if state.batch:
            raise InputError(f"contacts() takes one world; got a batch {state.batch}.")
        (q,), (v,), (forces,) = self._arrays(state, u)
        found = []
        with silence():
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
        body = int(self.compiled.geom_bodyid[geom])
        if body == 0:
            return ""
        if self.native:
            return str(self.compiled.body(body).name)
        return self._owner[self.compiled.geom(geom).name]

    def __repr__(self) -> str:
        return f"<MuJoCoEngine '{self.model.name}': dt {self.dt:g} s, {self.integrator}>"
