"""PenaltyEngine: free bodies held together by stiff springs, with contact and friction, many worlds at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, KernelInput, run_batch, velocity
from carpal.engines.engine import Advance, Staged, checked_dt
from carpal.engines.moments import Contact
from carpal.engines.moments import contact as contact_of
from carpal.engines.pair_surfaces import SurfaceKey, stated
from carpal.engines.penalty.contact_law import ContactLaw
from carpal.engines.penalty.gaps import allowed_gap
from carpal.engines.penalty.kernels.contact_points import SEARCH
from carpal.engines.penalty.kernels.run import (
    BODY,
    DONE,
    KINETIC,
    LEDGER_COLUMNS,
    POTENTIAL,
    WORST_GAP,
    WORST_JOINT,
    StepInputs,
    StepOutputs,
    run_penalty_steps,
)  # fmt: skip
from carpal.engines.penalty.kernels.state import OLD_COLUMNS, STATE_COLUMNS, SUM_COLUMNS, Work
from carpal.engines.penalty.kernels.touch import (
    TOUCH_COLUMNS,
    TOUCH_DEPTH,
    TOUCH_FORCE,
    TOUCH_NORMAL,
    TOUCH_POINT,
    TOUCH_SPEED,
)  # fmt: skip
from carpal.engines.penalty.kernels.trapezoid import DISSIPATED, WORK_IN
from carpal.engines.penalty.stability import mechanism_stable_step
from carpal.engines.penalty.tables import joints_in_order, mechanism_tables
from carpal.engines.surface import Surface
from carpal.errors import DivergedError, InputError
from carpal.model import Body, Joint, Mechanism, Model, State
from carpal.spatial import Array, wxyz_from_rotation

Commands = Callable[[float], Any]
GROUPS = Groups(StepInputs, StepOutputs, Work)


@dataclass(frozen=True, eq=False)
class PenaltyState(State):
    """A State that also remembers friction.

    Args:
        anchors: (*batch, n) how far each contact's and each frictional hinge's anchor lags; None: nothing is strained.
    """

    anchors: Array | None = None


class PenaltyEngine:
    """A mechanism in motion (Yesmunt 2014, chapter 2).

    Its `model` gives every body a free joint: q holds (p_WB, wxyz) and v (velocity of B's origin, angular velocity) of each
    body in W, and u (*batch, 6 bodies) pushes each at its origin [N, N m]. Actuators follow `commands`.

    Args:
        mechanism: what moves.
        dt: length of a step [s]; refused above the largest stable one.
        contact: the numbers of contacts and friction.
        surface, surfaces: friction, restitution and compliance of pairs, as of `ModalEngine`, instead of `contact`'s own (see
            `law_of_surface`); None: `contact` alone. Names are of shapes, and of the mechanism's bodies.
        commands: function of time [s] that returns the command vector, or (command, rate); used by `step` and `advance`.
        check_step: False takes any dt; a step that diverges is still caught.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.

    Example:
        >>> engine = PenaltyEngine(mechanism, dt=2e-5)
        >>> state = engine.run(engine.start(), steps=1000).state
    """

    name = "penalty"
    integrator = "trapezoid"

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        dt: float = 2e-5,
        contact: ContactLaw | None = None,
        surface: Surface | None = None,
        surfaces: Mapping[SurfaceKey, Surface] | None = None,
        commands: Commands | None = None,
        check_step: bool = True,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        if not isinstance(mechanism, Mechanism):
            raise InputError(f"a penalty engine moves a Mechanism; got {type(mechanism).__name__}.")
        self.mechanism, self.dt, self.contact = mechanism, checked_dt(dt), contact or ContactLaw()
        self.commands, self.device, self.threads = commands, device, threads
        self.model = _free_model(mechanism)
        self._surfaces = stated(surface, surfaces)
        self.tables, self.touching = mechanism_tables(mechanism, self.contact, surface, surfaces)
        rotations = np.array([body.X_WB[:3, :3] for body in mechanism.bodies])
        centres = np.array([(body.X_WB @ [*body.inertia.com, 1.0])[:3] for body in mechanism.bodies])
        self.stable_step, self.stable_because = mechanism_stable_step(self.tables, self.touching, rotations, centres)
        if check_step and self.dt > self.stable_step:
            raise InputError(
                f"dt = {self.dt:g} s is too long for the {self.stable_because} of mechanism '{mechanism.name}': the "
                f"largest stable step is {self.stable_step:.3g} s; take at most that, or softer or heavier parts."
            )
        self.limits = _limits(mechanism)

    @functools.cached_property
    def anchor_count(self) -> int:
        """Length of `PenaltyState.anchors`."""
        return 3 * max(1, len(self.tables.contacts.pairs) + len(self.tables.elements.friction))

    @property
    def options(self) -> dict[str, Any]:
        """Settings that change the motion, as plain data."""
        return {
            "contact": self.contact.to_dict(),
            "stable_step": self.stable_step,
            "device": self.device,
        } | self._surfaces

    @functools.cached_property
    def scratch(self) -> list[tuple[int, ...]]:
        """Shapes, for one slot, of the arrays of the kernels' `Work`."""
        rows, memory = len(self.mechanism.bodies) + 1, self.anchor_count // 3
        bodies = [(rows, STATE_COLUMNS), (rows, OLD_COLUMNS), (rows, 6), (rows, 6)]
        return [*bodies, (SUM_COLUMNS,), (memory, 3), (memory, 3), SEARCH]

    @property
    def certificate_names(self) -> tuple[str, ...]:
        """The joint gap, where there are joints."""
        return ("joint_gap",) if self.mechanism.joints else ()

    @property
    def bounds(self) -> dict[str, float]:
        """Largest joint gap [m] of a run that is ok."""
        return {"joint_gap": allowed_gap(self.mechanism)} if self.mechanism.joints else {}

    def row_certificate(self, state: State) -> dict[str, float]:
        """The largest joint gap [m] of one world at a recorded moment."""
        return {"joint_gap": float(self.worst_gap(state)[0])} if self.mechanism.joints else {}

    def start(self, batch: tuple[int, ...] = ()) -> PenaltyState:
        """The mechanism as described, at time zero."""
        v = np.concatenate([body.V_WB for body in self.mechanism.bodies])
        home = State.home(self.model, batch=batch, v=v)
        return PenaltyState(home.time, home.q, home.v)

    def step(self, state: State, u: ArrayLike | Staged) -> PenaltyState:
        """The state after dt under u (*batch, nv), held."""
        state = self.advance(state, u).state
        assert isinstance(state, PenaltyState)
        return state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """One step with its share of the energy ledger."""
        if isinstance(u, Staged):
            raise InputError(
                "controls that change within a step need the rigid engine's 'rk4'; the penalty engine holds u."
            )
        if self.commands is None:
            return self.run(state, u)
        given = self.commands(float(np.max(state.time)))
        command, rate = given if isinstance(given, tuple) else (given, None)
        return self.run(state, u, command=command, rate=rate)

    def run(
        self,
        state: State,
        u: ArrayLike | None = None,
        steps: int = 1,
        *,
        command: ArrayLike | None = None,
        rate: ArrayLike | None = None,
    ) -> Advance:
        """Several steps; the ledger's share is theirs together.

        Args:
            state: of one world or many.
            u: forces (*batch, nv) [N, N m], held; none by default.
            steps: how many.
            command: (*batch, n) what the actuators want [m, rad]; needed where the mechanism has commands.
            rate: (*batch, n) of the command [m/s, rad/s]: it runs on at this rate; zero by default.

        Raises:
            DivergedError: naming the time, the body, the joint gap and a smaller dt.
        """
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 0:
            raise InputError(f"steps must be a whole number, zero or above; got {steps!r:.60}.")
        q, v, anchors, ledger, _ = self._call(state, u, int(steps), command, rate, 1)
        if (ledger[..., DONE] < steps).any():
            raise self._diverged(state, ledger)
        time = np.asarray(state.time) + steps * self.dt
        return Advance(PenaltyState(time, q, v, anchors), ledger[..., WORK_IN], ledger[..., DISSIPATED])

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy (*batch) [J]; what joints, springs, contacts and asperities store is potential."""
        ledger = self._call(state, None, 0, self._idle(), None, 1)[3]
        return ledger[..., KINETIC], ledger[..., POTENTIAL]

    def worst_gap(self, state: State) -> tuple[Array, list[str]]:
        """Largest joint gap (*batch) [m], and the joint's name in each world; "" where there is no joint."""
        ledger = self._call(state, None, 0, self._idle(), None, 1)[3]
        names = [joint.name for joint in joints_in_order(self.mechanism)]
        worst = ledger[..., WORST_JOINT].astype(int).ravel()
        return np.sqrt(ledger[..., WORST_GAP]), [names[i] if names else "" for i in worst]

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches in one world."""
        if not len(self.tables.contacts.pairs):
            return []
        touch = self._call(state, u, 0, self._idle(), None, len(self.tables.contacts.pairs) + 1)[4]
        names = [body.name for body in self.mechanism.bodies]
        out = []
        for row, (a, b) in zip(touch, self.touching.bodies, strict=False):
            if row[TOUCH_DEPTH] > 0:
                point, normal, force = (tuple(row[i : i + 3]) for i in (TOUCH_POINT, TOUCH_NORMAL, TOUCH_FORCE))
                mode = "sliding" if row[TOUCH_SPEED] > self.contact.slip_speed else "sticking"
                sides = ["" if i < 0 else names[i] for i in (a, b)]
                out.append(contact_of(sides[0], sides[1], mode, point, normal, row[TOUCH_DEPTH], force))
        return out

    def _idle(self) -> Array:
        return np.zeros(self.mechanism.commands)

    def _call(
        self,
        state: State,
        u: ArrayLike | None,
        steps: int,
        command: ArrayLike | None,
        rate: ArrayLike | None,
        touch: int,
    ) -> list[Array]:
        model, wanted = self.model, self.mechanism.commands
        if command is None and wanted:
            raise InputError(f"mechanism '{self.mechanism.name}' has {wanted} commands: give `command` ({wanted},).")
        command = np.zeros(wanted) if command is None else np.asarray(command, float)
        rate = np.zeros(wanted) if rate is None else np.asarray(rate, float)
        anchors = getattr(state, "anchors", None)
        if anchors is None:
            anchors = np.zeros(self.anchor_count)
        inputs = [
            KernelInput("q", _checked_q(model, state.q), (model.nq,), model.joint_names),
            velocity(model, _finite("v", state.v)),
            velocity(model, np.zeros(model.nv) if u is None else _finite("u", u), "u"),
            KernelInput("command and rate", _finite("command", _joined(command, rate, wanted)), (2 * wanted,)),
            KernelInput("time", _finite("time", np.asarray(state.time, float)[..., None]), (1,)),
            KernelInput("anchors", _finite("anchors", anchors), (self.anchor_count,)),
        ]
        cost = len(self.tables.bodies) + len(self.tables.elements.points) + 5 * len(self.tables.contacts.pairs)
        return run_batch(
            model, run_penalty_steps, (self.tables, self.limits, self.dt, steps), inputs,
            [(model.nq,), (model.nv,), (self.anchor_count,), (LEDGER_COLUMNS,), (touch, TOUCH_COLUMNS)],
            scratch=self.scratch, groups=GROUPS, device=self.device, threads=self.threads,
            world_seconds=1e-7 * (steps + 1) * cost + 1e-7,
        )  # fmt: skip

    def _diverged(self, state: State, ledger: Array) -> DivergedError:
        """The alarm: when, which body or joint, how large its gap, and what to try."""
        done = ledger[..., DONE]
        world = tuple(int(i) for i in np.unravel_index(int(np.argmax(ledger[..., BODY])), done.shape))
        row = ledger[world]
        time = np.broadcast_to(np.asarray(state.time), done.shape)[world] + (row[DONE] + 1) * self.dt
        joints, bodies = joints_in_order(self.mechanism), self.mechanism.bodies
        joint = joints[int(row[WORST_JOINT])] if joints else None
        gap = f"; the gap of joint '{joint.name}' is {np.sqrt(row[WORST_GAP]):.3g} m" if joint else ""
        at = int(row[BODY])
        body = bodies[at].name if at < len(bodies) else (joint.b or joint.a if joint else "")
        where = f" in world {world}" if world else ""
        better = min(self.dt / 10, self.stable_step / 2)
        return DivergedError(
            f"the step to t = {time:.9g} s{where} diverged at body '{body}'{gap}; dt = {self.dt:g} s is too long for "
            f"these forces: try dt = {better:.2g} s, or softer contacts and gains."
        )

    def __repr__(self) -> str:
        return f"<PenaltyEngine '{self.mechanism.name}': {len(self.mechanism.bodies)} bodies, dt {self.dt:g} s>"


def _free_model(mechanism: Mechanism) -> Model:
    """The same bodies, each with a free joint, for states, recordings and pictures."""
    bodies = tuple(Body(body.name, None, Joint(body.name, "free"), body.inertia) for body in mechanism.bodies)
    home = [np.r_[body.X_WB[:3, 3], wxyz_from_rotation(body.X_WB[:3, :3])] for body in mechanism.bodies]
    shapes = (*(shape for body in mechanism.bodies for shape in body.shapes), *mechanism.fixed)
    return Model(
        mechanism.name,
        bodies,
        gravity=mechanism.gravity,
        q_home=np.concatenate(home),
        shapes=shapes,
        visuals=mechanism.visuals,
    )


def _limits(mechanism: Mechanism) -> Array:
    """What a step may do at most: travel one size of the mechanism, turn one radian, open a joint by a tenth of the size."""
    arms = [0.1]
    for joint in mechanism.joints:
        for side, p in ((joint.a, joint.p_AP), (joint.b, getattr(joint, "p_BP", np.zeros(3)))):
            if side is not None:
                arms.append(float(np.linalg.norm(p - mechanism.bodies[mechanism.body_index(side)].inertia.com)))
    size = max(arms)
    return np.array([size, 1.0, 0.1 * size])


def _finite(name: str, values: ArrayLike) -> Array:
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be an array of real numbers; got {values!r:.60}.") from None
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}.")
    return array


def _checked_q(model: Model, q: Array) -> Array:
    q = _finite("q", q)
    if q.shape[-1:] == (model.nq,):
        wxyz = q.reshape(*q.shape[:-1], -1, 7)[..., 3:]
        if not ((wxyz * wxyz).sum(-1) > 0).all():
            raise InputError("q holds a quaternion of length zero; a neutral one is (1, 0, 0, 0).")
    return q


def _joined(command: Array, rate: Array, wanted: int) -> Array:
    if command.shape[-1:] != (wanted,) or rate.shape[-1:] != (wanted,):
        raise InputError(f"command and rate need {wanted} numbers each; got shapes {command.shape} and {rate.shape}.")
    both = (command, rate) if command.shape == rate.shape else np.broadcast_arrays(command, rate)
    return np.concatenate(both, axis=-1)
