"""The engines of this task behind one face: the hand's servo, gravity compensation, and levers that may move while it runs.

modal: the servo is part of the step (implicit). mujoco: the same law as torques that are held for a step, elliptic cones,
impratio 10; MuJoCo has no coefficient of restitution, contacts are as soft as its defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics import inverse_dynamics
from carpal.engines import Advance, Contact, ModalEngine, MuJoCoEngine, Restitution, Staged, Surface
from carpal.errors import InputError, unknown_name
from carpal.labs.dexterity.fingers import DAMPING, STIFFNESS
from carpal.labs.dexterity.setting import HAND, OBJECT, TABLE, Setting
from carpal.model import Model, State
from carpal.spatial import Array

ENGINES = ("modal", "penalty", "mujoco")
Aim = Callable[[float], tuple[Array, Array]]


@dataclass
class Levers:
    """What may be moved while a run is under way; None leaves what the example says.

    Args:
        targets: (15) [rad] instead of the example's schedule.
        friction, restitution, gravity: instead of the example's.
    """

    targets: Array | None = None
    friction: float | None = None
    restitution: float | None = None
    gravity: float | None = None
    turn: int = field(default=0)

    def set(self, name: str, value: Any) -> None:
        """Move one of them; takes effect with the next step."""
        if name not in ("targets", "friction", "restitution", "gravity"):
            raise unknown_name("lever", name, ("targets", "friction", "restitution", "gravity"))
        if name == "targets":
            values = np.asarray(value, float)
            if values.shape != (15,) or not np.isfinite(values).all():
                raise InputError(f"targets must be 15 finite angles [rad]; got {value!r:.60}.")
            self.targets = values
            return
        number = float(value)
        top = 1.0 if name == "restitution" else np.inf
        if not 0 <= number <= top or not np.isfinite(number):
            raise InputError(
                f"{name} must be a finite number, zero or above{' and at most 1' * (top == 1)}; got {value!r:.40}."
            )
        setattr(self, name, number)
        self.turn += 1


def surfaces_of(setting: Setting, levers: Levers) -> tuple[Surface, dict[Any, Surface]]:
    """Of everything, and of the object on the table."""
    example = setting.example
    e = example.restitution if levers.restitution is None else levers.restitution
    law: Any = Restitution.exponential() if e is None else e
    mu = example.friction if levers.friction is None else levers.friction
    tips = Surface(mu=mu, restitution=law, tip=example.tip, torsion=example.torsion)
    more: dict[Any, Surface] = {}
    if example.table is not None:
        more[(OBJECT, TABLE)] = Surface(mu=example.table[1], restitution=0.0)
        more[(HAND, TABLE)] = Surface(mu=example.table[1], restitution=0.0)
    return tips, more


class HandEngine:
    """One world with the hand's servo inside.

    Args:
        setting: what there is.
        name: "modal" or "mujoco".
        levers: moved from outside.
        aim: targets and rates (15 each) at a time; by default the setting's schedule.
        dt: step [s]; by default the example's.
        accurate: the modal engine's accurate scheme.

    `moved` lists what levers were moved to, and when.
    """

    def __init__(
        self, setting: Setting, name: str = "modal", *, levers: Levers | None = None, aim: Aim | None = None,
        dt: float | None = None, accurate: bool = False,
    ) -> None:  # fmt: skip
        self.setting, self.name, self.levers = setting, name, levers or Levers()
        self.aim = aim or setting.target
        self.dt = setting.example.dt if dt is None else dt
        self.accurate = accurate
        self._turn, self._by_hand = self.levers.turn, self.levers.targets
        self.moved: list[dict[str, Any]] = []
        self._inner = self._made()

    def _made(self) -> ModalEngine | MuJoCoEngine:
        model = self.setting.scene.build()
        if self.levers.gravity is not None:
            model = model.replace(gravity=np.array([0.0, 0.0, -self.levers.gravity]))
        surface, more = surfaces_of(self.setting, self.levers)
        if self.name == "modal":
            return ModalEngine(
                model, dt=self.dt, surface=surface, surfaces=more, stiffness=STIFFNESS, damping=DAMPING, float_joints=True,
                target=self._target, accurate=self.accurate, threads=1,
            )  # fmt: skip
        engine = MuJoCoEngine(model, dt=self.dt)
        engine.compiled.geom_friction[:, 0] = surface.mu
        engine.compiled.opt.cone = 1  # elliptic
        engine.compiled.opt.impratio = 10.0
        return engine

    def _target(self, time: float) -> tuple[Array, Array]:
        """For all freedoms: the hand's, then zeros for the object."""
        where, rate = np.zeros(21), np.zeros(21)
        if self.levers.targets is not None:
            where[:15] = self.levers.targets
        else:
            where[:15], rate[:15] = self.aim(time)
        return where, rate

    @property
    def model(self) -> Model:
        """What moves."""
        return self._inner.model

    @property
    def integrator(self) -> str:
        """How a step is taken."""
        return self._inner.integrator

    @property
    def options(self) -> dict[str, Any]:
        """Settings of the engine inside."""
        return self._inner.options

    @property
    def certificate_names(self) -> tuple[str, ...]:
        """Names of the residuals."""
        return tuple(getattr(self._inner, "certificate_names", ()))

    def torque(self, state: State) -> Array:
        """What the servo asks of every freedom (nv) [N m] at a state: PD and gravity compensation (5.1)."""
        where, rate = self._target(float(state.time))
        tau = np.zeros(self.model.nv)
        weight = np.asarray(inverse_dynamics(self.model, state.q, np.zeros_like(state.v), np.zeros_like(state.v)))
        tau[:15] = STIFFNESS * (where - state.q[:21])[:15] + DAMPING * (rate - state.v)[:15] + weight[:15]
        return tau

    def _forces(self, state: State, u: ArrayLike | Staged) -> ArrayLike | Staged:
        if self.name == "modal":
            return u
        if isinstance(u, Staged):
            raise InputError("the servo's torques are held for a step; staged controls do not go with them.")
        return np.asarray(u) + self.torque(state)

    def _renewed(self, time: float) -> None:
        """Build the engine anew where a lever has moved, and note what moved when."""
        levers = self.levers
        if levers.turn != self._turn:
            self._turn = levers.turn
            self._inner = self._made()
            given = {name: getattr(levers, name) for name in ("friction", "restitution", "gravity")}
            self.moved.append({"time": time} | {name: value for name, value in given.items() if value is not None})
        if levers.targets is not self._by_hand:
            self._by_hand = levers.targets
            self.moved.append({"time": time, "targets": None if levers.targets is None else levers.targets.tolist()})

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state after dt."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the ledger, and the certificate of the modal engine."""
        self._renewed(float(state.time))
        return self._inner.advance(state, self._forces(state, u))

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy [J]."""
        return self._inner.energies(state)

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches."""
        self._renewed(float(state.time))
        forces = self._forces(state, u)
        assert not isinstance(forces, Staged)
        return self._inner.contacts(state, forces)
