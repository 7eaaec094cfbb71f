"""The modal engine and MuJoCo with the hand's servo inside, and overrides that take effect during a run.

modal: the servo is part of the step (implicit). mujoco: the same law as torques held for a step, elliptic cones, impratio 10;
MuJoCo has no coefficient of restitution, and its contacts keep their default softness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import Advance, Contact, ModalEngine, MuJoCoEngine, Restitution, Staged, Surface
from carpal.errors import InputError
from carpal.labs.dexterity.controller import DAMPING, JOINTS, OVERRIDES, STIFFNESS, Overrides, servo_torque
from carpal.labs.dexterity.scene import HAND, OBJECT, TABLE, Setting
from carpal.model import Model, State
from carpal.spatial import Array

ENGINES = ("modal", "penalty", "mujoco")
Aim = Callable[[float], tuple[Array, Array]]


def surfaces_of(setting: Setting, overrides: Overrides) -> tuple[Surface, dict[Any, Surface]]:
    """Surface of tips and object, and surfaces of what touches the table."""
    example = setting.example
    e = example.restitution if overrides.restitution is None else overrides.restitution
    law: Any = Restitution.exponential() if e is None else e
    mu = example.friction if overrides.friction is None else overrides.friction
    tips = Surface(mu=mu, restitution=law, tip=example.tip, torsion=example.torsion)
    more: dict[Any, Surface] = {}
    if example.table is not None:
        more[(OBJECT, TABLE)] = Surface(mu=example.table[1], restitution=0.0)
        more[(HAND, TABLE)] = Surface(mu=example.table[1], restitution=0.0)
    return tips, more


class HandEngine:
    """One world with the hand's servo inside.

    Args:
        setting: scene, start and targets.
        name: "modal" or "mujoco".
        overrides: values that replace the example's; may change during the run.
        aim: targets and rates (15 each) at a time; by default the setting's schedule.
        dt: step [s]; by default the example's.
        accurate: the modal engine's accurate scheme.

    `changes` lists the overrides that were set, with their times.
    """

    def __init__(
        self, setting: Setting, name: str = "modal", *, overrides: Overrides | None = None, aim: Aim | None = None,
        dt: float | None = None, accurate: bool = False,
    ) -> None:  # fmt: skip
        self.setting, self.name, self.overrides = setting, name, overrides or Overrides()
        self.aim = aim or setting.target
        self.dt = setting.example.dt if dt is None else dt
        self.accurate = accurate
        self._version, self._by_hand = self.overrides.version, self.overrides.targets
        self.changes: list[dict[str, Any]] = []
        self._inner = self._build()

    def _build(self) -> ModalEngine | MuJoCoEngine:
        model = self.setting.scene.build()
        if self.overrides.gravity is not None:
            model = model.replace(gravity=np.array([0.0, 0.0, -self.overrides.gravity]))
        surface, more = surfaces_of(self.setting, self.overrides)
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
        """Targets (21) of all degrees of freedom: the hand's, then zeros for the object."""
        q, v = np.zeros(21), np.zeros(21)
        if self.overrides.targets is not None:
            q[:JOINTS] = self.overrides.targets
        else:
            q[:JOINTS], v[:JOINTS] = self.aim(time)
        return q, v

    @property
    def model(self) -> Model:
        """The model that is simulated."""
        return self._inner.model

    @property
    def integrator(self) -> str:
        """Name of the integration scheme."""
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
        """Servo torques (nv) [N m] at a state."""
        return servo_torque(self.model, state, *self._target(float(state.time)))

    def _forces(self, state: State, u: ArrayLike | Staged) -> ArrayLike | Staged:
        if self.name == "modal":
            return u
        if isinstance(u, Staged):
            raise InputError("the servo's torques are held for a step; staged controls are not supported.")
        return np.asarray(u) + self.torque(state)

    def _apply_overrides(self, time: float) -> None:
        """Rebuild the engine where an override was set, and list what was set when."""
        now = self.overrides
        if now.version != self._version:
            self._version = now.version
            self._inner = self._build()
            given = {name: getattr(now, name) for name in OVERRIDES if name != "targets"}
            self.changes.append({"time": time} | {name: value for name, value in given.items() if value is not None})
        if now.targets is not self._by_hand:
            self._by_hand = now.targets
            self.changes.append({"time": time, "targets": None if now.targets is None else now.targets.tolist()})

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state after dt."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the ledger, and the certificate of the modal engine."""
        self._apply_overrides(float(state.time))
        return self._inner.advance(state, self._forces(state, u))

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy [J]."""
        return self._inner.energies(state)

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """Contacts at a state."""
        self._apply_overrides(float(state.time))
        forces = self._forces(state, u)
        assert not isinstance(forces, Staged)
        return self._inner.contacts(state, forces)
