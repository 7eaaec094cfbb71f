"""ModalEngine: robots and free objects in contact, every contact free, sticking, rolling or sliding, each step certified."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, run_batch, velocity
from carpal._core.numba_private import by_calls
from carpal.dynamics import kinetic_energy, mass_matrix, potential_energy
from carpal.engines.engine import Advance, Staged, checked_dt, diverged
from carpal.engines.modal.centred import Centred
from carpal.engines.modal.certificate import COLUMNS, certificate_of, joined_ledgers
from carpal.engines.modal.entry_call import ACCURATE_GROUPS, GROUPS, scratch_shapes
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.arrays import Plant, Solids, Ties
from carpal.engines.modal.kernels.contact_table import KEPT_COLUMNS
from carpal.engines.modal.kernels.impact_several import SEQUENTIAL, SIMULTANEOUS
from carpal.engines.modal.kernels.run import run_accurate_steps, run_modal_steps
from carpal.engines.modal.kernels.world_io import NEW_STATE
from carpal.engines.modal.passive import StoredEnergy, warn_of_what_is_left_out
from carpal.engines.modal.reports import plain_contacts
from carpal.engines.modal.state import ModalState
from carpal.engines.modal.tables import ModalTables, modal_tables
from carpal.engines.moments import Contact
from carpal.engines.pair_surfaces import SurfaceKey
from carpal.engines.surface import Surface
from carpal.errors import CarpalError, InputError, unknown_name
from carpal.model import Model, State
from carpal.spatial import Array

Target = ArrayLike | Callable[[float], Any]
LAWS = {"stronge": 0, "poisson": 1}
SEVERAL = {"simultaneous": SIMULTANEOUS, "sequential": SEQUENTIAL}


class ModalEngine:
    """Contacts with a state (Chan 1998), by time stepping.

    Args:
        model: robots, objects and fixed shapes; every shape that collides must be convex.
        dt: length of a step [s].
        surface: default surface of a pair of shapes.
        surfaces: surfaces by the name of a shape, body or robot, or by a pair of names.
        stiffness, damping: servo gains of the joints [N m/rad, N m s/rad], a number for all single-axis joints or one for
            each freedom (nv); implicit. The joints' own damping is added.
            Springs of joints, fixed tendons and compensated weight of the model always act; its actuators do not: u and the
            servo drive.
        target: servo target (nv); or a function of time [s] that returns it or (target, rate), evaluated once a run and
            extrapolated at its rate. `q_home` by default.
        float_joints: compensate the gravity of single-axis joints (Chan 1998, 5.1).
        limits: whether joints stop at q_min and q_max.
        joint_friction: whether the joints' own damping and Coulomb friction act.
        friction_speed: speed [rad/s, m/s] below which Coulomb friction of joints is viscous.
        accurate: extrapolate to fourth order between events, which are located in time; about twenty times the work.
        threshold: approach speed [m/s] above which a closing gap is a collision; below, it ends in contact.
        law: restitution by "stronge" or "poisson".
        several: collisions at several contacts "simultaneous" or "sequential".
        most_contacts: largest number of contact points in a world.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.

    Example:
        >>> engine = ModalEngine(scene.build(), surface=Surface(mu=0.5))
        >>> recording = simulate(engine, scene.start(), duration=1.0)
        >>> recording.check(); recording.modes()
    """

    name = "modal"
    certificate_names = tuple(COLUMNS)

    def __init__(
        self,
        model: Model,
        *,
        dt: float = 1e-3,
        surface: Surface | None = None,
        surfaces: Mapping[SurfaceKey, Surface] | None = None,
        stiffness: ArrayLike = 0.0,
        damping: ArrayLike = 0.0,
        target: Target | None = None,
        float_joints: bool = False,
        limits: bool = True,
        joint_friction: bool = True,
        friction_speed: float = 1e-3,
        accurate: bool = False,
        threshold: float = 0.01,
        law: str = "stronge",
        several: str = "simultaneous",
        most_contacts: int | None = None,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        model.require_inertia()
        if not model.nv:
            raise InputError(f"model '{model.name}' has no moving joint, so there is nothing to simulate.")
        for what, name, choices in (("collision law", law, LAWS), ("law of several collisions", several, SEVERAL)):
            if name not in choices:
                raise unknown_name(what, name, choices)
        self.model, self.dt, self.device, self.threads = model, checked_dt(dt), device, threads
        self.surface = surface or Surface()
        self.threshold, self.law, self.several = _above_zero("threshold", threshold), law, several
        _require_mass(model)
        warn_of_what_is_left_out(model)
        self.gains = {
            "stiffness": _gain(model, "stiffness", stiffness),
            "damping": _gain(model, "damping", damping),
            "floats": _single_axis(model) * float(bool(float_joints)),
        }
        self.target = target
        self._target(0.0)
        self._centred = Centred(model)
        self.tables: ModalTables = modal_tables(
            self._centred.model, self.surface, surfaces or {}, self.gains, limits=limits, damping=joint_friction,
            friction_speed=_above_zero("friction_speed", friction_speed), dt=self.dt,
        )  # fmt: skip
        self.surfaces = {"+".join((key,) if isinstance(key, str) else key): s for key, s in (surfaces or {}).items()}
        self.most_contacts = self._room(most_contacts)
        self.accurate = bool(accurate)
        self.limits, self.joint_friction = bool(limits), bool(joint_friction)
        self._stored = StoredEnergy(model)
        self._last: tuple[State, bytes, tuple[Any, ...]] | None = None

    def _room(self, most: int | None) -> int:
        possible = 4 * self.tables.pair_count + 2 * (self.model.nv + len(self.tables.tendons))
        if most is None:
            return max(1, min(possible, 32 + 8 * len(self.tables.trees)))
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            raise InputError(f"most_contacts must be a whole number, 1 or above; got {most!r:.60}.")
        return min(most, max(1, possible))

    @property
    def integrator(self) -> str:
        """Name of the integration scheme."""
        return "event-driven extrapolation" if self.accurate else "time stepping"

    @property
    def options(self) -> dict[str, Any]:
        """Settings that change the motion, as plain data."""
        return {
            "surface": self.surface.to_dict(),
            "surfaces": {name: surface.to_dict() for name, surface in self.surfaces.items()},
            "stiffness": self.gains["stiffness"],
            "damping": self.gains["damping"],
            "float_joints": bool(self.gains["floats"].any()),
            "limits": self.limits,
            "joint_friction": self.joint_friction,
            "threshold": self.threshold,
            "law": self.law,
            "several": self.several,
            "device": self.device,
        }

    @cached_property
    def plant(self) -> Plant:
        """Constants of the kernels."""
        contact, model, tables = self.tables.contact, self._centred.model.tables, self.tables
        settings = np.array([self.dt, self.threshold, LAWS[self.law], SEVERAL[self.several], float(not self.accurate)])
        return Plant(
            model.joints, model.bodies, tables.trees, tables.order, tables.owner, tables.dofs, settings,
            model.joints[: tables.robot_rows], model.bodies[: tables.robot_rows], tables.robots,
            Solids(contact.shapes, contact.groups, contact.blocks, contact.pairs, contact.points, tables.surfaces),
            Ties(tables.constraints, tables.tendons, tables.lifted),
        )  # fmt: skip

    @cached_property
    def _entry(self) -> Any:
        """The compiled entry of the scheme and device."""
        entry = run_accurate_steps if self.accurate else run_modal_steps
        return by_calls(entry) if self.device == "cuda" else entry

    @cached_property
    def scratch(self) -> list[tuple[int, ...]]:
        """Shape of each scratch array for one slot."""
        return scratch_shapes(self.tables, self.most_contacts, self.accurate)

    @cached_property
    def _home(self) -> Array:
        """Default servo target and zero rate (2 nv): `q_home`, and zero for ball and free joints."""
        q_home = np.append(np.asarray(self.model.q_home), 0.0)
        return np.concatenate([q_home[_single_axis_q(self.model)], np.zeros(self.model.nv)])

    def _target(self, time: ArrayLike) -> Array:
        """Servo target and rate (2 nv) at the latest of some times [s]."""
        nv = self.model.nv
        given = self.target(float(np.max(time))) if callable(self.target) else self.target
        if given is None:
            return self._home
        where, rate = given if isinstance(given, tuple) else (given, None)
        parts = [self._home[:nv] if where is None else where, self._home[nv:] if rate is None else rate]
        arrays = [np.asarray(values, float) for values in parts]
        if arrays[0].shape == arrays[1].shape == (nv,):
            joined = np.concatenate(arrays)
            if np.isfinite(joined).all():
                return joined
        for name, array, values in zip(("target", "rate"), arrays, parts, strict=True):
            if array.shape[-1:] != (nv,) or not np.isfinite(array).all():
                raise InputError(
                    f"{name} of the servo must be {nv} finite numbers, one for each freedom; got {values!r:.60}."
                )
        return np.concatenate(np.broadcast_arrays(*arrays), axis=-1)

    def step(self, state: State, u: ArrayLike | Staged) -> ModalState:
        """The state after `dt` under constant u (*batch, nv)."""
        state = self.advance(state, u).state
        assert isinstance(state, ModalState)
        return state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the energy ledger and its certificate."""
        return self.run(state, u)

    def run(self, state: State, u: ArrayLike | Staged | None = None, steps: int = 1) -> Advance:
        """Several steps under constant drive forces u (*batch, nv) [N, N m]; zero by default.

        Raises:
            DivergedError: naming the time, the joint and a smaller dt.
            InputError: bodies that overlap in a new state, or more contacts than there is room for.
        """
        if isinstance(u, Staged):
            raise InputError("controls that change within a step need the rigid engine; the modal engine holds u.")
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 0:
            raise InputError(f"steps must be a whole number, zero or above; got {steps!r:.60}.")
        q, v, memory, ledger, _ = self._call(state, u, int(steps))
        after = ModalState(np.asarray(state.time) + steps * self.dt, q, v, memory)
        certificate = certificate_of(ledger) if not state.batch else None
        return Advance(after, ledger[..., columns.WORK_IN], ledger[..., columns.DISSIPATED], certificate)

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy (*batch) [J]."""
        return kinetic_energy(self.model, state.q, state.v), potential_energy(self.model, state.q) + self._stored(
            state.q
        )

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """Contacts of one world during the next step, with modes and forces."""
        if state.batch:
            raise InputError(f"contacts() takes one world; got a batch {state.batch}.")
        _, _, _, ledger, touch = self._call(state, u, 1)
        return plain_contacts(self.tables, touch, self.accurate or ledger[columns.CUTS] > 0)

    def run_with_ledger(
        self, state: State, u: ArrayLike | None = None, steps: int = 1
    ) -> tuple[ModalState, Array, Array]:
        """The state after `steps` steps, the ledger, and the contacts of the last step (columns: `kernels/ledger.py`)."""
        q, v, memory, ledger, touch = self._call(state, u, steps)
        return ModalState(np.asarray(state.time) + steps * self.dt, q, v, memory), ledger, touch

    def _call(self, state: State, u: ArrayLike | None, steps: int) -> tuple[Array, ...]:
        forces = np.zeros(self.model.nv) if u is None else u
        if steps < 2 or not self._centred.pushed(forces):
            return self._run(state, forces, steps)
        ledger = None
        for _ in range(steps):  # the torque about a mass centre turns with its body
            q, v, memory, spent, touch = self._run(state, forces, 1)
            state = ModalState(np.asarray(state.time) + self.dt, q, v, memory)
            ledger = spent if ledger is None else joined_ledgers(ledger, spent)
        assert ledger is not None
        return q, v, memory, ledger, touch

    def _run(self, state: State, forces: ArrayLike, steps: int) -> tuple[Array, ...]:
        model, width = self.model, KEPT_COLUMNS * self.most_contacts
        # a call of `contacts` is usually followed by the step that it has computed
        key = np.asarray(forces).tobytes() + bytes([steps == 1])
        if self._last is not None and self._last[0] is state and self._last[1] == key and steps == 1:
            return self._last[2]
        memory = getattr(state, "memory", None)
        if memory is None or memory.shape[-1] != width:
            memory = np.full(width, NEW_STATE)
        q, v, forces = self._inward(state, forces)
        inputs = [
            KernelInput("q", q, (model.nq,), model.joint_names),
            velocity(model, v),
            velocity(model, forces, "u"),
            KernelInput("target", self._target(state.time), (2 * model.nv,)),
            KernelInput("memory", memory, (width,)),
        ]
        shapes = [
            (model.nq,),
            (model.nv,),
            (width,),
            (columns.LEDGER_COLUMNS,),
            (8 * self.most_contacts + 1, columns.TOUCH_COLUMNS),  # a step may have several parts
        ]
        answer = run_batch(
            model, self._entry, (self.plant, steps), inputs, shapes, scratch=self.scratch,
            groups=ACCURATE_GROUPS if self.accurate else GROUPS, device=self.device,
            threads=self.threads, world_seconds=1e-6 * (steps + 1) * (2 + len(model.tables.joints)),
        )  # fmt: skip
        if answer[3][..., columns.ENDED].any():
            raise self._explain(state, answer[1], answer[3])
        answer = [*self._centred.outward(answer[0], answer[1]), *answer[2:]]
        self._last = (state, key, tuple(answer))
        return tuple(answer)

    def _inward(self, state: State, u: ArrayLike) -> tuple[Any, Any, Any]:
        """(q, v, u) as the kernels take them; what has a wrong shape is left for the check of the entry's inputs."""
        q, v, forces = state.q, state.v, np.asarray(u)
        if not self._centred or q.shape[-1:] + v.shape[-1:] + forces.shape[-1:] != (
            self.model.nq,
            *2 * (self.model.nv,),
        ):
            return q, v, u
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], forces.shape[:-1])
        return self._centred.inward(*(np.broadcast_to(x, (*batch, x.shape[-1])) for x in (q, v, forces)))

    def _explain(self, state: State, v: Array, ledger: Array) -> CarpalError:
        """Why a world ended early."""
        ended = ledger[..., columns.ENDED]
        world = tuple(int(i) for i in np.unravel_index(int(np.argmax(ended > 0)), ended.shape))
        where = f" in world {world}" if world else ""
        time = float(
            np.broadcast_to(np.asarray(state.time), ended.shape)[world] + ledger[world][columns.DONE] * self.dt
        )
        how = int(ended[world])
        if how == columns.OVERLAPPING:
            a, b = self.tables.contact.pair_names(int(ledger[world][columns.START_PAIR]))
            depth = ledger[world][columns.START_OVERLAP]
            return InputError(
                f"shapes '{a}' and '{b}' overlap by {depth:.3g} m at the start{where}; move them apart, or exclude the pair."
            )
        if how == columns.OPEN_AT_START:
            row, gap = int(ledger[world][columns.START_PAIR]), ledger[world][columns.START_OVERLAP]
            return InputError(
                f"{self.tables.held_names[row]} is open by {gap:.3g} m or rad at the start{where}; "
                "carpal.kinematics.satisfy_constraints(model, q) closes it."
            )
        if how == columns.TOO_MANY_CONTACTS:
            return InputError(
                f"more than most_contacts = {self.most_contacts} contact points at t = {time:.6g} s{where}; raise most_contacts."
            )
        if how == columns.SINGULAR:
            return InputError(f"the mass matrix is singular at t = {time:.6g} s{where}: a joint moves no mass.")
        return diverged(self.model, time, self.dt, v[world], world)

    def __repr__(self) -> str:
        return f"<ModalEngine '{self.model.name}': dt {self.dt:g} s, {self.tables.pair_count} pairs of shapes>"


def _single_axis_q(model: Model) -> list[int]:
    """For each freedom the index of its coordinate in q, -1 for those of ball and free joints."""
    out: list[int] = []
    for kind, first in model.joint_slices():
        out += [first] if kind in ("revolute", "prismatic") else [-1] * {"ball": 3, "free": 6}[kind]
    return out


def _single_axis(model: Model) -> Array:
    return np.array([float(index >= 0) for index in _single_axis_q(model)])


def _above_zero(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        raise InputError(f"{name} must be a finite speed above zero; got {value!r:.60}.")
    return float(value)


def _gain(model: Model, name: str, values: ArrayLike) -> Array:
    array, single = np.asarray(values, float), _single_axis(model)
    if array.shape == () and array >= 0:
        array = array * single
    if array.shape != (model.nv,) or not np.isfinite(array).all() or (array < 0).any():
        raise InputError(f"{name} must be one number or {model.nv}, finite and zero or above; got {values!r:.60}.")
    if name == "stiffness" and (array[single == 0] > 0).any():
        raise InputError("stiffness belongs to revolute and prismatic joints; free and ball joints have no servo.")
    return array


def _require_mass(model: Model) -> None:
    """Refuse a model with a joint that moves no mass."""
    M = np.asarray(mass_matrix(model, np.asarray(model.q_home)))
    scale = np.sqrt(np.maximum(np.diag(M), 1e-300))
    if (np.diag(M) <= 0).any() or not np.linalg.eigvalsh(M / np.outer(scale, scale))[0] > 1e-14:
        worst = int(np.argmin(np.diag(M)))
        names = [body.joint.name for body in model.bodies for _ in range(_width(body.joint.kind))]
        raise InputError(
            f"joint '{names[worst]}' of model '{model.name}' moves no mass; give its bodies a mass above zero."
        )


def _width(kind: str) -> int:
    from carpal.model import NV

    return NV[kind]
