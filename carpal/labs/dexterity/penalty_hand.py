"""The hand on the penalty engine (Yesmunt's contact model): links as free bodies held together by stiff springs, PD actuators.

States are those of the joint tree, so that runs of all engines are measured alike; the free bodies are kept beside them. Point
masses cannot turn a free body, so each link gets the inertia of a ball of its mass and the tip's radius (2.8e-6 kg m^2, 2.5 % of
what the outer joint moves). Gravity compensation is a lift at each link, which loads the joints as the torques of eq. 5.1 do.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import (
    Advance,
    Contact,
    ContactLaw,
    PenaltyEngine,
    PenaltyState,
    Staged,
    mechanism_of,
    softened,
    stiffened,
)
from carpal.errors import InputError
from carpal.labs.dexterity.controller import DAMPING, STIFFNESS
from carpal.labs.dexterity.robot import TIP_RADIUS
from carpal.labs.dexterity.scene import HAND, OBJECT, Setting
from carpal.model import Model, RotaryActuator, State
from carpal.spatial import Array, Inertia, inverse, pose, rotation_from_wxyz, rotation_vector

ROW = 1e-3
"""Time [s] from row to row; the engine takes many steps in it."""


@dataclass(frozen=True, eq=False)
class PenaltyHandState(State):
    """A state of the joint tree with the free bodies that it was read from; None: they stand as the joints say."""

    inner: PenaltyState | None = None


class PenaltyHand:
    """The task's scene on the penalty engine.

    Args:
        setting: what there is.
        dt: step of the engine [s], 2e-5 by default; the recording has a row every millisecond.
    """

    name = "penalty"
    integrator = "trapezoid"

    def __init__(self, setting: Setting, *, dt: float | None = None) -> None:
        self.setting, self.dt = setting, ROW
        step = 2e-5 if dt is None else dt
        self._each = max(1, round(ROW / step))
        self.model = _with_turning_links(setting.scene.build())
        self._tree = mechanism_of(self.model, drives=True)
        law = ContactLaw(friction=setting.example.friction)
        mechanism = stiffened(self._tree.mechanism, ROW / self._each)
        actuators = tuple(
            dataclasses.replace(a, P=STIFFNESS, D=DAMPING) if isinstance(a, RotaryActuator) else a
            for a in mechanism.actuators
        )
        mechanism = dataclasses.replace(mechanism, actuators=actuators)
        law = softened(law, mechanism, ROW / self._each)
        self._engine = PenaltyEngine(mechanism, dt=ROW / self._each, contact=law, threads=1)
        self._names = [body.name for body in mechanism.bodies]
        self._lift = np.zeros(self._engine.model.nv)
        for k, body in enumerate(mechanism.bodies):
            if body.name.startswith(f"{HAND}/"):
                self._lift[6 * k + 2] = body.inertia.mass * setting.example.gravity

    @property
    def options(self) -> dict[str, Any]:
        """Settings of the engine inside."""
        inner: Mapping[str, Any] = self._engine.options
        return {**inner, "dt": self._engine.dt}

    def _inner(self, state: State) -> PenaltyState:
        inner = getattr(state, "inner", None)
        if inner is None:
            if np.abs(state.q - np.asarray(self.model.q_home)).max() > 1e-12:
                raise InputError(
                    "the penalty engine of this task goes on from its own states, or from the start of the example."
                )
            return self._engine.start()
        assert isinstance(inner, PenaltyState)
        return inner

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state a millisecond later."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """A millisecond with its share of the ledger; u must be zero: the actuators move the hand."""
        inner = self._inner(state)
        where, rate = self.setting.target(float(state.time))
        full = np.array(self.model.q_home)
        full[:15] = where
        ahead = self._engine.run(
            inner,
            self._lift,
            self._each,
            command=self._tree.command(full),
            rate=np.asarray(rate)[: len(self._tree.driven)],
        )
        assert isinstance(ahead.state, PenaltyState)
        return Advance(self._read(ahead.state), ahead.work_in, ahead.dissipated)

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy [J]; what joints and contacts store is potential."""
        return self._engine.energies(self._inner(state))

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches."""
        return self._engine.contacts(self._inner(state), self._lift)

    def _read(self, inner: PenaltyState) -> PenaltyHandState:
        """Joint angles and rates from the poses and twists of the links."""
        q, v = np.array(self.model.q_home), np.zeros(self.model.nv)
        X, w = {}, {}
        for k, name in enumerate(self._names):
            part, twist = inner.q[7 * k : 7 * k + 7], inner.v[6 * k : 6 * k + 6]
            X[name] = pose(np.asarray(rotation_from_wxyz(part[3:])), part[:3])
            w[name] = twist[3:]
            if name == OBJECT:
                q[15:], v[15:] = part, twist
        for body in self.model.bodies:
            if body.joint.kind != "revolute":
                continue
            parent = str(body.parent)
            X_WP = X.get(parent, np.eye(4))
            turn = inverse(body.joint.X_PJ) @ inverse(X_WP) @ X[body.name] @ inverse(body.joint.X_JB)
            place, axis = self.model.q_index(body.joint.name), np.asarray(body.joint.axis)
            q[place] = float(np.asarray(rotation_vector(turn[:3, :3])) @ axis)
            axis_W = X_WP[:3, :3] @ body.joint.X_PJ[:3, :3] @ axis
            v[self.model.v_index(body.joint.name)] = float((w[body.name] - w.get(parent, np.zeros(3))) @ axis_W)
        return PenaltyHandState(inner.time, q, v, inner)


def _with_turning_links(model: Model) -> Model:
    """Links with the inertia of a ball instead of a point."""
    bodies = []
    for body in model.bodies:
        if body.inertia is not None and body.inertia.mass > 0 and body.joint.kind == "revolute":
            m = body.inertia.mass
            solid = Inertia(m, body.inertia.com, 0.4 * m * TIP_RADIUS**2 * np.eye(3))
            body = dataclasses.replace(body, inertia=solid)
        bodies.append(body)
    return model.replace(bodies=tuple(bodies))
