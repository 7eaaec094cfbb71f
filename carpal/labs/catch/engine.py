"""The compiled catch as an engine for `simulate`: a step is a row of one millisecond, its controller is inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from carpal.engines import Advance, Contact, Staged
from carpal.errors import DivergedError
from carpal.labs.catch.compiled import ROW, CatchState, CompiledCatch
from carpal.labs.catch.kernels.run import TOUCH_DEPTH, TOUCH_FORCE, TOUCH_NORMAL, TOUCH_POINT, TOUCH_SPEED
from carpal.labs.catch.kernels.watch import BAD_BODY, DIVERGED, WIDEST
from carpal.labs.catch.plan import Plan
from carpal.model import Model, State
from carpal.spatial import Array


class CatchEngine:
    """One catch, a millisecond at a time.

    Args:
        compiled: the catcher.
        plan: what the hand shall do; asked again at the start of every row, so it may change under way.
    """

    name = "penalty"
    integrator = "trapezoid"
    dt = ROW

    def __init__(self, compiled: CompiledCatch, plan: Callable[[float], Plan]) -> None:
        self.compiled, self.plan = compiled, plan
        self.rows: list[Array] = []
        self.last: CatchState | None = None

    @property
    def model(self) -> Model:
        """All bodies, each with a free joint."""
        return self.compiled.engine.model

    @property
    def options(self) -> dict[str, Any]:
        """Settings that change the motion."""
        return {**self.compiled.engine.options, "step": self.compiled.dt}

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state a millisecond later."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """The same with its share of the energy ledger; u is not used, the controller is inside."""
        assert isinstance(state, CatchState)
        after, rows, work_in, lost = self.compiled.run(state, [self.plan(float(state.time))], 1, keep=True)
        self.rows.append(rows[0])
        self.last = after
        if after.watch[DIVERGED] >= 0:
            raise diverged(self.compiled, after.watch)
        return Advance(after, work_in, lost)

    def energies(self, state: State) -> tuple[Array, Array]:
        """Kinetic and potential energy [J], known since the step."""
        assert isinstance(state, CatchState)
        if not state.kinetic and not state.potential:  # the start, which no step has made
            state = self.compiled.run(state, [self.plan(0.0)], 0)[0]
        return state.kinetic, state.potential

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches the ball."""
        assert isinstance(state, CatchState)
        engine = self.compiled.engine
        names = [body.name for body in self.compiled.mechanism.bodies]
        out = []
        for row, (a, b) in zip(state.touch, engine.touching.bodies, strict=False):
            if row[TOUCH_DEPTH] > 0:
                point, normal, force = (tuple(row[i : i + 3]) for i in (TOUCH_POINT, TOUCH_NORMAL, TOUCH_FORCE))
                mode = "sliding" if row[TOUCH_SPEED] > engine.contact.slip_speed else "sticking"
                sides = ["" if i < 0 else names[i] for i in (a, b)]
                out.append(Contact(sides[0], sides[1], mode, point, normal, float(row[TOUCH_DEPTH]), force))
        return out


def diverged(compiled: CompiledCatch, watch: Array) -> DivergedError:
    """The alarm: when, which body, how wide the joints, and what to try."""
    bodies, at = compiled.mechanism.bodies, int(watch[BAD_BODY])
    what = f"body '{bodies[at].name}'" if at < len(bodies) else "a joint"
    return DivergedError(
        f"the step to t = {watch[DIVERGED]:.6g} s diverged at {what} with a joint gap of {watch[WIDEST]:.3g} m; dt = "
        f"{compiled.dt:g} s is too long for these forces: try dt = {compiled.dt / 10:g} s, or softer contacts and gains."
    )
