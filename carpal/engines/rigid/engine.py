"""RigidEngine: joint space, no contact, many worlds at once, the whole step compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, KernelInput, configuration, run_batch, velocity
from carpal.dynamics import kinetic_energy, potential_energy
from carpal.engines.engine import Advance, Staged, checked_dt, diverged, fastest
from carpal.engines.recording import Contact
from carpal.engines.rigid.general import GeneralStep
from carpal.engines.rigid.integrator_choice import choose_integrator, free_mobility, passive_rates
from carpal.engines.rigid.kernels.general_rates import IMPLICIT
from carpal.engines.rigid.kernels.general_run import ACCELERATIONS, ASSEMBLE, STEPS
from carpal.engines.rigid.kernels.hybrid import HYBRID_COLUMNS, hybrid_batch
from carpal.engines.rigid.kernels.passive import DAMPING, DOF_COLUMNS, FASTEST, FRICTION, PRESCRIBED
from carpal.engines.rigid.kernels.rates import DISSIPATED, WORK_COLUMNS, WORK_IN, Stage
from carpal.engines.rigid.kernels.run import (
    RK4,
    SYMPLECTIC,
    RigidTables,
    StepInput,
    StepOutput,
    run_batch_of_steps,
)
from carpal.engines.rigid.lines import line_energy, line_table, warn_of_what_is_left_out
from carpal.engines.rigid.tendons import Tendon, tendon_energy, tendon_table, tensions
from carpal.errors import InputError, unknown_name
from carpal.model import NV, Actuator, Model, State
from carpal.spatial import Array

INTEGRATORS = {"rk4": RK4, "symplectic": SYMPLECTIC, "implicit": IMPLICIT}
Commands = ArrayLike | Callable[[float], ArrayLike]
GROUPS = Groups(StepInput, StepOutput, Stage)


class RigidEngine:
    """Articulated bodies without contact or joint limits.

    Joint springs, fixed tendons and gravity compensation of the model act; its couplings and loops are held exactly, by
    constraint forces at each stage and a correction of positions and velocities at each step's end.

    Args:
        model: what moves; it must have inertias.
        dt: length of a step [s].
        integrator: "rk4" (fourth order), "symplectic" (first order, one evaluation of the dynamics a step) or "implicit" (first
            order; stable for any damping, friction, spring or servo). By default "rk4" where it is stable at home, else
            "implicit".
        prescribed: joints that are given an acceleration instead of a force: their entries of u are [rad/s^2, m/s^2].
        tendons: springs and cables between joints; see `Tendon`.
        damping: whether viscous damping and Coulomb friction of joints and of the model's tendons act.
        friction_speed: speed v_s [rad/s, m/s] over which Coulomb friction is smoothed: f_c tanh(v / v_s).
        actuators: which drive joints and fixed tendons beside u, such as `model.actuators`; none by default. They act within
            the step, so that a stiff servo needs "implicit".
        ctrl: commands of the actuators (*batch, actuators), or a function of time [s] that returns them, asked once a run; zero
            by default.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.

    Example:
        >>> engine = RigidEngine(carpal.load("so101"), dt=1e-3)
        >>> state = engine.step(State.home(engine.model), np.zeros(5))
    """

    name = "rigid"

    def __init__(
        self,
        model: Model,
        *,
        dt: float = 1e-3,
        integrator: str | None = None,
        prescribed: Sequence[str] = (),
        tendons: Sequence[Tendon] = (),
        damping: bool = True,
        friction_speed: float = 0.01,
        actuators: Sequence[Actuator] = (),
        ctrl: Commands | None = None,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        model.require_inertia()
        if not model.nv:
            raise InputError(f"model '{model.name}' has no moving joint, so there is nothing to simulate.")
        if integrator is not None and integrator not in INTEGRATORS:
            raise unknown_name("integrator", integrator, INTEGRATORS)
        if isinstance(prescribed, str):
            prescribed = (prescribed,)
        for joint in prescribed:
            if joint not in model.joint_names:
                raise unknown_name(f"moving joint of model '{model.name}'", joint, model.joint_names)
        self.model, self.dt = model, checked_dt(dt)
        self.prescribed, self.damping, self.device, self.threads = tuple(prescribed), damping, device, threads
        self.friction_speed = checked_dt(friction_speed)
        self.dofs = self._dofs()
        self.tendons = tuple(tendons)
        self.tendon_rows = tendon_table(model, self.tendons, self.prescribed)
        self.actuators, self.ctrl = tuple(actuators), ctrl
        self.lines = line_table(model, self.tendons, self.actuators, damping=damping)
        warn_of_what_is_left_out(model)
        self.integrator: str = integrator or choose_integrator(self._passive_rates(), self.dt)
        self._commands(0.0)

    def _dofs(self) -> Array:
        """The kernels' table of joint components."""
        rows = []
        for body in self.model.bodies:
            joint, row = body.joint, np.zeros(DOF_COLUMNS)
            row[PRESCRIBED] = joint.name in self.prescribed
            if self.damping:
                row[DAMPING], row[FRICTION] = joint.damping, joint.friction
            rows += [row] * NV[joint.kind]
        table = np.array(rows)
        table[:, FASTEST] = fastest(self.model, self.dt)
        return table

    def _passive_rates(self) -> Array:
        """Rates [1/s] of the linearised passive forces at home."""
        friction, speed = self.dofs[:, FRICTION], self.friction_speed
        return passive_rates(self.model, self.dofs[:, DAMPING], friction, speed, self.lines, self._mobility)

    def _mobility(self) -> Array:
        """Acceleration (nv, nv) at home of each component for a unit force on each."""
        if not (self.model.couplings or self.model.loops):
            return free_mobility(self.model, self.dofs[:, PRESCRIBED] != 0)
        return GeneralStep(
            self.model, self._tables(SYMPLECTIC), self.scratch, self.lines, len(self.actuators)
        ).mobility()

    def _tables(self, kind: int) -> RigidTables:
        tables = self.model.tables
        return RigidTables(
            kind, tables.joints, tables.bodies, self.dofs, self.tendon_rows, self.friction_speed, self.dt
        )

    @functools.cached_property
    def general(self) -> GeneralStep | None:
        """The general step; None where the plain one (`kernels.run.step`) does all that the model and the options ask for."""
        model = self.model
        has_lines = len(self.lines) > len(self.tendons)
        lifted = any(body.gravity_compensation for body in model.bodies)
        if not (has_lines or lifted or model.couplings or model.loops or self.integrator == "implicit"):
            return None
        return GeneralStep(model, self.tables, self.scratch, self.lines, len(self.actuators))

    @property
    def certificate_names(self) -> tuple[str, ...]:
        """Residuals that prove a step: the largest gap of couplings and loops."""
        return ("constraint_gap",) if self.model.couplings or self.model.loops else ()

    def _commands(self, time: ArrayLike) -> Array:
        """Commands of the actuators (*batch, actuators) at the latest of some times, at least one number wide."""
        count = len(self.actuators)
        given = self.ctrl(float(np.max(time))) if callable(self.ctrl) else self.ctrl
        if given is None:
            return np.zeros(max(1, count))
        values = np.asarray(given, dtype=np.float64)
        if not count or values.shape[-1:] != (count,) or not np.isfinite(values).all():
            names = ", ".join(actuator.name for actuator in self.actuators) or "none; give `actuators`"
            raise InputError(f"ctrl must be {count} finite numbers, one an actuator ({names}); got {given!r:.60}.")
        return values

    @functools.cached_property
    def tables(self) -> RigidTables:
        """What `kernels.run.step` takes."""
        return self._tables(INTEGRATORS[self.integrator])

    @functools.cached_property
    def scratch(self) -> list[tuple[int, ...]]:
        """Shapes, for one slot, of the arrays of the kernels' `Stage`."""
        nq, nv = self.model.nq, self.model.nv
        return [(nq,), (nq,), *[(nv,)] * 5, (len(self.model.tables.joints), HYBRID_COLUMNS)]

    @property
    def options(self) -> dict[str, Any]:
        """Settings that change the motion, as plain data."""
        settings = {"prescribed": list(self.prescribed), "damping": bool(self.damping)}
        if self.tendons:
            settings["tendons"] = [tendon.name for tendon in self.tendons]
        if self.actuators:
            settings["actuators"] = [actuator.name for actuator in self.actuators]
        return settings | {"friction_speed": self.friction_speed, "device": self.device}

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state after dt under u (*batch, nv), which is held, or `Staged` controls that change within the step."""
        return self.run(state, u, 1).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the energy ledger."""
        return self.run(state, u, 1)

    def run(self, state: State, u: ArrayLike | Staged, steps: int) -> Advance:
        """Several steps under u (*batch, nv), which is held; the ledger's share is theirs together.

        `Staged` controls are those of every step's start, middle and end ("rk4" only).

        Raises:
            DivergedError: naming the time, the joint and a smaller dt.
        """
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 0:
            raise InputError(f"steps must be a whole number, zero or above; got {steps!r:.60}.")
        model = self.model
        if self.general is not None:
            return self._run_general(self.general, state, u, int(steps))
        inputs = [configuration(model, state.q), velocity(model, state.v), self._controls(u)]
        q, v, work, done = run_batch(
            model, run_batch_of_steps, (self.tables, int(steps)), inputs,
            [(model.nq,), (model.nv,), (WORK_COLUMNS,), (1,)],
            scratch=self.scratch, groups=GROUPS, device=self.device, threads=self.threads,
            world_seconds=7e-7 * steps * len(model.tables.joints) + 1e-7,
        )  # fmt: skip
        if (done < steps).any():
            self._explain(state, u.start if isinstance(u, Staged) else u, v, done[..., 0])
        time = np.asarray(state.time) + steps * self.dt
        return Advance(State(time, q, v), work[..., WORK_IN], work[..., DISSIPATED])

    def _run_general(self, general: GeneralStep, state: State, u: ArrayLike | Staged, steps: int) -> Advance:
        """As `run`, by the general step."""
        q, v, work, done, gap, _, _ = general.call(
            general.tables,
            state,
            self._controls(u),
            self._commands(state.time),
            STEPS,
            steps,
            self.device,
            self.threads,
        )
        if (done[..., 1] != 0).any():
            self._explain_general(general, state, u.start if isinstance(u, Staged) else u, v, done, gap)
        certificate = {"constraint_gap": float(gap.max())} if self.certificate_names and gap.ndim == 1 else None
        after = State(np.asarray(state.time) + steps * self.dt, q, v)
        return Advance(after, work[..., WORK_IN], work[..., DISSIPATED], certificate)

    def _explain_general(
        self, general: GeneralStep, state: State, u: ArrayLike, v: Array, done: Array, gap: Array
    ) -> None:
        """Why a world ended: its constraints, or as `_explain`."""
        why = done[..., 1]
        world = tuple(int(i) for i in np.unravel_index(int(np.argmax(why != 0)), why.shape))
        time = np.broadcast_to(np.asarray(state.time), why.shape)[world] + done[world][0] * self.dt
        where = f" in world {world}" if world else ""
        error = general.why_ended(int(why[world]), float(time), where, gap[world])
        if error is not None:
            raise error
        self._explain(state, u, v, np.where(why != 0, done[..., 0], np.inf))

    def assemble(self, state: State) -> State:
        """The state with couplings and loops closed: positions by Newton's method, then velocities.

        Both are mass-weighted projections. Prescribed joints stay where they are. A state of a model without
        couplings and loops is returned as it is.

        Raises:
            DivergedError: a row could not be closed from there.
        """
        general = self.general
        if general is None or not general.names:
            return state
        still = velocity(self.model, np.zeros(self.model.nv), "u")
        q, v, _, done, gap, _, _ = general.call(
            general.frictionless, state, still, self._commands(state.time), ASSEMBLE, 0, self.device, self.threads
        )
        if (done[..., 1] != 0).any():
            self._explain_general(general, state, still.values, v, done, gap)
        return state.replace(q=q, v=v)

    def _controls(self, u: ArrayLike | Staged) -> KernelInput:
        """U as the kernels take it: nv numbers a world, or three times as many."""
        if not isinstance(u, Staged):
            return velocity(self.model, u, "u")
        if self.integrator != "rk4":
            raise InputError(f"controls that change within a step need the integrator 'rk4'; got '{self.integrator}'.")
        parts = [np.asarray(part, dtype=np.float64) for part in u]
        joined = np.concatenate(np.broadcast_arrays(*parts), axis=-1)
        return KernelInput("u (start, middle, end)", joined, (3 * self.model.nv,))

    def _explain(self, state: State, u: ArrayLike, v: Array, done: Array) -> None:
        """Why a world stopped: bad input or a singular mass matrix at once, else the step was too long."""
        world = tuple(int(i) for i in np.unravel_index(int(np.argmin(done)), done.shape))
        if done[world] == 0:
            self._hybrid(state, u)  # names numbers that are not finite, and singular dynamics
        time = np.broadcast_to(np.asarray(state.time), done.shape)[world] + done[world] * self.dt
        raise diverged(self.model, float(time), self.dt, v[world], world)

    def accelerations(self, state: State, u: ArrayLike) -> tuple[Array, Array]:
        """Hybrid dynamics without damping and friction, but with springs, actuators, gravity compensation and constraint forces.

        Args:
            state: of one world or many.
            u: (*batch, nv); forces, and accelerations of prescribed joints.

        Returns:
            vdot (*batch, nv) [rad/s^2, m/s^2], and the force (*batch, nv) [N m, N] of every joint.
        """
        general = self.general
        if general is None:
            return self._hybrid(state, u)
        out = general.call(
            general.frictionless, state, velocity(self.model, u, "u"), self._commands(state.time), ACCELERATIONS, 0,
            self.device, self.threads,
        )  # fmt: skip
        if (out[3][..., 1] != 0).any():
            self._hybrid(state, u)
        return out[5], out[6]

    def _hybrid(self, state: State, u: ArrayLike) -> tuple[Array, Array]:
        """`accelerations` of the tree alone."""
        model, tables = self.model, self.model.tables
        inputs = [configuration(model, state.q), velocity(model, state.v), velocity(model, u, "u")]
        vdot, force = run_batch(
            model, hybrid_batch, (tables.joints, tables.bodies, self.dofs), inputs, [(model.nv,), (model.nv,)],
            scratch=HYBRID_COLUMNS, device=self.device, threads=self.threads,
            world_seconds=1.5e-7 * len(tables.joints),
        )  # fmt: skip
        return vdot, force

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy (*batch) [J]; what springs and tendons store is potential."""
        kinetic = kinetic_energy(self.model, state.q, state.v, device=self.device, threads=self.threads)
        potential = potential_energy(self.model, state.q, device=self.device, threads=self.threads)
        if self.tendons:
            potential = potential + tendon_energy(self.model, self.tendon_rows, state.q)
        if self.general is not None:
            potential = potential + line_energy(self.model, self.lines, state.q)
            potential = potential - self.general.stored(state.q, device=self.device, threads=self.threads)
        return kinetic, potential

    def tensions(self, state: State) -> Array:
        """Tension (*batch, tendons) [N] of every tendon, in their order; zero where it is slack."""
        return tensions(self.model, self.tendon_rows, state.q, state.v)

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """Nothing: this engine has no contact."""
        return []

    def __repr__(self) -> str:
        return f"<RigidEngine '{self.model.name}': dt {self.dt:g} s, {self.integrator}>"
