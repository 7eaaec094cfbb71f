"""The same catch in MuJoCo: the catcher as a tree with coupled digits, driven by the same commands every 0.2 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import Advance, Contact, Staged, half_thickness
from carpal.kinematics import fk
from carpal.labs.catch.arm_tables import follow_plans, packed_plans
from carpal.labs.catch.compiled import PERIOD, ROW, fresh_watch
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.kernels.follow_plan import LEAST_DET
from carpal.labs.catch.mujoco_plant import MuJoCoCatcher
from carpal.labs.catch.plan import Plan
from carpal.labs.catch.robot import arm_model
from carpal.labs.catch.scene import hand_command
from carpal.labs.catch.validity import part_of
from carpal.model import Model, State
from carpal.spatial import Array, rotation_vector, zxz_from_rotation

if TYPE_CHECKING:
    from carpal.labs.catch.task import Catch, Throw

STEP = 1e-4
"""Of MuJoCo [s]; its contacts last a few milliseconds."""


class Watched:
    """What was recorded of a state: only `watch`, so that it is kept like the compiled run's."""

    def __init__(self, watch: Array) -> None:
        self.watch = watch


class MuJoCoCatchEngine:
    """One catch, a millisecond at a time; it keeps MuJoCo's own state, so it goes forward only.

    Args:
        task: with its options.
        throw: the ball's.
        plan: what the hand shall do.
    """

    name = "mujoco"
    integrator = "implicitfast"
    ledger_incomplete = "energies of this engine are not available"
    dt = ROW

    def __init__(self, task: Catch, throw: Throw, plan: Plan) -> None:
        self.plan = plan
        numbers = task.numbers(throw.mass, throw.friction)
        self.catcher = MuJoCoCatcher(None, throw.position, throw.velocity, numbers=numbers, dt=STEP)
        self.wanted, self.rates, report = (x[0] for x in follow_plans([self.plan], self.plan.duration + ROW, PERIOD))
        self.shift = np.zeros_like(self.wanted)
        if task.options.gains == "tuned":
            self.shift = _holding(self.catcher.tree, self.wanted) / np.array(numbers.arm_P)
        self.times = packed_plans([self.plan], ())[2]
        self.P, self.D = np.array(numbers.arm_P), np.array(numbers.arm_D)
        self.limit = numbers.torque_limit
        self.arm = arm_model()
        self.rows: list[Array] = []
        self.last = Watched(fresh_watch())
        self.last.watch[w.DET] = report[LEAST_DET]
        self._half = half_thicknesses(self.catcher.tree)
        self._steps = 0

    def start(self) -> State:
        """The arm in its start pose, the ball at its launch."""
        return self._state()

    @property
    def model(self) -> Model:
        """The tree."""
        return self.catcher.tree

    @property
    def options(self) -> dict[str, Any]:
        """Settings that change the motion."""
        return {"step": STEP}

    def step(self, state: State, u: ArrayLike | Staged) -> State:
        """The state a millisecond later."""
        return self.advance(state, u).state

    def advance(self, state: State, u: ArrayLike | Staged) -> Advance:
        """A row; u is not used. MuJoCo keeps no ledger of contacts, so what is lost is not known."""
        per = round(PERIOD / STEP)
        for k in range(round(ROW / PERIOD)):
            row = self._steps
            time = row * PERIOD
            digits, rate = self._digits(time)
            command = np.r_[self.wanted[row] + self.shift[row], digits]
            self.catcher.step(command, np.r_[self.rates[row], rate], per)
            self._steps += 1
            self._observe(row, k == 0, time)
        return Advance(self._state(), np.array(0.0), np.array(0.0))

    def energies(self, state: State) -> tuple[Array, Array]:
        """Not available."""
        return np.array(0.0), np.array(0.0)

    def contacts(self, state: State, u: ArrayLike) -> list[Contact]:
        """What touches the ball, without modes."""
        return self.catcher.ball_contacts()

    def _state(self) -> State:
        return State(self._steps * PERIOD, self.catcher.q, self._speed())

    def _speed(self) -> Array:
        out = np.zeros(self.model.nv)
        velocity = self.catcher.data.qvel
        out[-6:-3] = velocity[self.catcher._ball : self.catcher._ball + 3]
        return out

    def _digits(self, time: float) -> tuple[Array, Array]:
        opened, closed = hand_command(False), hand_command(True)
        t, share = self.plan.grip[:, 0], self.plan.grip[:, 1]
        row = int(np.searchsorted(t, time + 1e-12, side="right")) - 1
        if row + 1 >= len(t):
            return opened + share[-1] * (closed - opened), np.zeros(5)
        slope = (share[row + 1] - share[row]) / max(t[row + 1] - t[row], 1e-12)
        now = share[row] + slope * (time - t[row])
        return opened + now * (closed - opened), slope * (closed - opened)

    def _parts(self, touching: list[Contact], time: float) -> None:
        """Deepest contact, first and last touch of each part; of two shapes of one body the thicker counts."""
        watch, ball = self.last.watch, self._half["ball"]
        for each in touching:
            part = part_of(each.b)
            share = each.depth / min(ball, self._half[each.b])
            if share > watch[w.DEPTH_SHARE]:
                watch[w.DEPTH_SHARE], watch[w.DEEPEST], watch[w.DEEP_PART] = share, each.depth, part
            if time < self.times[w.OPEN]:
                watch[w.FIRST_BY + part] = time if watch[w.FIRST_BY + part] < 0 else watch[w.FIRST_BY + part]
                watch[w.LAST_BY + part] = time

    def _observe(self, row: int, keep: bool, time: float) -> None:
        """The numbers that the compiled run watches, from joint angles."""
        watch = self.last.watch
        q, target = self.catcher.arm_angles, self.wanted[row]
        speed = np.array([self.catcher.data.qvel[i] for i in self.catcher._dofs])
        torque = -self.P * (q - target - self.shift[row]) - self.D * (speed - self.rates[row])
        torque = np.clip(torque, -self.limit, self.limit)
        touching = self.catcher.ball_contacts()
        if touching and watch[w.TOUCHED] < 0 and time < self.times[w.OPEN]:
            watch[w.TOUCHED] = time
            watch[w.AT_TOUCH : w.AT_TOUCH + 3] = self.catcher.ball_in_hand
        self._parts(touching, time)
        if time < self.times[w.OPEN]:  # what strikes the ball after the hand has opened is the bin
            watch[w.STRUCK] = max(watch[w.STRUCK], self.catcher.contact_force)
        before = watch[w.TOUCHED] < 0
        watch[w.PEAK : w.PEAK + 6] = np.maximum(watch[w.PEAK : w.PEAK + 6], np.abs(torque))
        if before:
            watch[w.PEAK_BEFORE : w.PEAK_BEFORE + 6] = np.maximum(
                watch[w.PEAK_BEFORE : w.PEAK_BEFORE + 6], np.abs(torque)
            )
        for moment, column in ((w.CHECK, w.CHECKED), (w.OPEN, w.OPENED), (w.CATCH, w.MET)):
            if time <= self.times[moment] < time + PERIOD:
                watch[column : column + 3] = self.catcher.ball_in_hand
        if not keep:
            return
        X, X_W = fk(self.arm, q), fk(self.arm, target)
        far = float(np.linalg.norm(X[:3, 3] - X_W[:3, 3]))
        turn = float(np.linalg.norm(rotation_vector(X_W[:3, :3].T @ X[:3, :3])))
        off = np.abs(np.angle(np.exp(1j * (zxz_from_rotation(X[:3, :3]) - zxz_from_rotation(X_W[:3, :3])))))
        for column, value in ((w.FAR, far), (w.ANGLE, off.max()), (w.TURN, turn), (w.TRUE_FAR, far)):
            watch[column] = max(watch[column], value)
        if before:
            watch[w.FAR_BEFORE], watch[w.ANGLE_BEFORE] = (
                max(watch[w.FAR_BEFORE], far),
                max(watch[w.ANGLE_BEFORE], off.max()),
            )
        if abs(time - self.times[w.CATCH]) < ROW:
            watch[w.FAR_MET] = far
        if time <= self.times[w.MEANS]:
            watch[w.FAR_SUM] += far
            watch[w.ANGLE_SUM] += off.mean()
            watch[w.TURN_SUM] += turn
            watch[w.SAMPLES] += 1
        self.rows.append(np.r_[torque, target, q, far, off.max(), turn])


def half_thicknesses(tree: Model) -> dict[str, float]:
    """Half thickness [m] of the thickest shape of each body that touches; the world's name is empty."""
    thick: dict[str, float] = {}
    for placed in tree.shapes:
        if placed.collides:
            name = placed.body or ""
            thick[name] = max(thick.get(name, 0.0), half_thickness(placed.shape))
    return thick


def _holding(tree: Model, wanted: Array) -> Array:
    """Torques (rows, 6) [N m] that hold the arm's weight in the wanted poses."""
    from carpal.dynamics import gravity_forces

    q = np.repeat(np.asarray(tree.q_home)[None], len(wanted), axis=0)
    q[:, :6] = wanted
    return np.asarray(gravity_forces(tree, q)[:, :6])
