"""Player that shows received letters on a robot: each is planned from the current configuration and played through a motor board.

When it begins, and after every fault, it reads where the motors stand and goes from there. All limits are enforced here:
rules, work area, clearances and speeds of the behaviour file by the plan; ranges and speeds of the motors by the board.
Only the letter's name is taken from a message.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from carpal.errors import DeviceError
from carpal.labs.sign.board.board_guard import BoardGuard
from carpal.labs.sign.board.board_line import BoardLine
from carpal.labs.sign.board.bus_line import BusLine
from carpal.labs.sign.board.frame_line import FrameLine
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.ports import MemoryPort, Port
from carpal.labs.sign.board.simulated_board import PERIOD, SimulatedBoard
from carpal.labs.sign.files.calibration import Calibration
from carpal.labs.sign.hand.tendons import tendon_angles
from carpal.labs.sign.motion.legs import WordMotion
from carpal.labs.sign.motion.letter_stream import LetterPlan, LetterStream
from carpal.labs.sign.motion.word_plan import Signer
from carpal.labs.sign.motor_table import motors_of
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class ShownLetter:
    """A letter as it was played.

    Args:
        letter, index: which.
        time: (m) [s] from the letter's first set-point.
        sensed: (m, n) arm joints and hand commands that the board sensed.
        hold: rows from which to which the letter stands.
        load: (n) [N, N m] in the middle of the hold.
    """

    letter: str
    index: int
    time: Array
    sensed: Array
    hold: tuple[int, int]
    load: Array

    @property
    def shown(self) -> int:
        """The row in the middle of the hold."""
        return sum(self.hold) // 2


class HandPlayer:
    """A robot hand on its arm that shows what comes.

    Args:
        robot: a driver's name or file, or a signer that is ready.
        arm, alphabet, behaviour: as of `Signer`.
        port: to the motor board, a line to it, or the calibration of servos on a bus; a simulated board by default.
        open_loop: whether a board that does not measure positions may be driven.
        real_time: whether a set-point waits for its time; otherwise they follow each other at once (simulated boards only).

    `letters` are those that were shown, `at` is what the board sensed last, `on_shown` is called with every letter.

    Example:
        >>> player = HandPlayer("parloma")
        >>> player.play("C", 0)
        ''
    """

    def __init__(
        self, robot: str | Signer = "parloma", *, arm: str = "", alphabet: str = "italian", behaviour: str = "careful",
        port: Port | BoardLine | Calibration | None = None, open_loop: bool = False, real_time: bool = False,
    ) -> None:  # fmt: skip
        if not isinstance(robot, Signer):
            robot = Signer(robot, arm=arm, alphabet=alphabet, behaviour=behaviour)
        self.signer = robot
        self.robot, self.alphabet = self.signer.hand.driver.name, self.signer.alphabet.name
        self.stream = LetterStream(self.signer)
        self._open_loop = open_loop
        self.line = self._line(MemoryPort(self.simulated()) if port is None else port)
        self.line.check_rate(len(self.stream.x), PERIOD)
        self.board = MotorBoard(self.line, len(self.stream.x), open_loop=open_loop)
        self.real_time = real_time
        self.letters: list[ShownLetter] = []
        self.at = self.stream.x
        self.on_shown: Callable[[ShownLetter], None] | None = None
        self.fault = ""
        self._guard: BoardGuard | None = None

    def simulated(self) -> SimulatedBoard:
        """A board for this robot: the motors of arm and hand with their ranges and speeds."""
        motors = motors_of(self.signer.mounted)
        return SimulatedBoard(motors.low, motors.high, motors.speed, self.stream.x, self._loads)

    def _line(self, port: Port | BoardLine | Calibration) -> BoardLine:
        if isinstance(port, Calibration):
            return BusLine(port, self.motor_names)
        return port if isinstance(port, BoardLine) else FrameLine(port)

    def play(self, letter: str, index: int) -> str:
        """Show a letter and come back when it is finished; the reason where it is not shown."""
        if not self.begin():
            return self.fault
        plan = self.stream.plan(letter)
        if not plan:
            return plan.reason
        return self._done(plan, index)

    def begin(self) -> bool:
        """Read where the motors stand and go to where signing begins, once; whether the robot is ready. `fault` says why not."""
        if self.fault or self._guard is not None:
            return not self.fault
        try:
            sensed = self.board.start()
            guard = BoardGuard(self.board, self.motor_names)
            guard.begin(sensed)
        except DeviceError as problem:
            self.fault = f"the robot is stopped: {problem}"
            return False
        self.at = sensed.position
        plan = self.stream.approach(sensed.position)
        if not plan:
            self.fault = f"the robot does not move: {plan.reason}"
            return False
        self._guard = guard
        return not self._done(plan, -1)

    def reconnect(self, port: Port | BoardLine | None = None) -> bool:
        """Identify the board again after a fault, read where its motors stand and go back to the start; whether that worked.

        Args:
            port: to the board; the one from before by default.
        """
        self.line = self.line if port is None else self._line(port)
        self.fault, self._guard = "", None
        try:
            self.board = MotorBoard(self.line, len(self.stream.x), open_loop=self._open_loop)
        except DeviceError as problem:
            self.fault = f"the robot is stopped: {problem}"
            return False
        return self.begin()

    def rest(self) -> None:
        """The call is over: back to the open hand where the robot began."""
        if self.fault or self._guard is None:
            return
        plan = self.stream.home()
        if plan:
            self._done(plan, -1)

    @property
    def motor_names(self) -> tuple[str, ...]:
        """Names of the board's motors in order: joints of the arm, commands of the hand."""
        return motors_of(self.signer.mounted).names

    def _done(self, plan: LetterPlan, index: int) -> str:
        """Drive a plan; why the robot is stopped where it is."""
        try:
            self._drive(plan, index)
        except DeviceError as problem:
            # where the motors stand is not what was planned: nothing may be planned from there
            self.fault = f"the robot is stopped: {problem}"
            self._guard = None
            with contextlib.suppress(DeviceError):
                self.board.stop()
            return self.fault
        self.stream.stand(plan)
        return ""

    def configurations(self, sensed: Array) -> Array:
        """(*batch, nq) of arm and hand, from what the board sensed (*batch, n)."""
        n = self.signer.mounted.arm.nq
        return self.signer.mounted.configuration(sensed[..., :n], self.signer.hand.joints(sensed[..., n:]))

    def _drive(self, plan: LetterPlan, index: int) -> None:
        if plan.motion is None:
            return
        assert self._guard is not None  # begun
        slower = self._slower(plan.motion)
        count = int(np.ceil(slower * plan.motion.duration / PERIOD)) + 1
        times = PERIOD * np.arange(count)
        x, _, _ = plan.motion.at(times / slower)
        x = self._within(x)
        rows, loads = np.zeros_like(x), np.zeros(x.shape[1])
        hold = tuple(min(round(slower * t / PERIOD), count - 1) for t in plan.hold)
        begun = time.monotonic()
        for k in range(count):
            if self.real_time:
                time.sleep(max(0.0, begun + times[k] - time.monotonic()))
            sensed = self.board.set(x[k])
            self._guard.check(x[k], sensed)
            rows[k] = self.at = sensed.position
            if k == sum(hold) // 2:
                loads = sensed.load
        if index >= 0 and plan.letter.strip():
            self.letters.append(
                ShownLetter(plan.letter, index, np.asarray(times, float), rows, (hold[0], hold[1]), loads)
            )
            if self.on_shown is not None:
                self.on_shown(self.letters[-1])

    def _slower(self, motion: WordMotion) -> float:
        """How many times slower a motion is played so that no motor of the board exceeds its speed."""
        _, rate, _ = motion.at(np.arange(0.0, motion.duration, 0.25 * PERIOD))
        return max(1.0, 1.001 * float((np.abs(rate).max(0) / self.board.speed).max()))

    def _within(self, x: Array) -> Array:
        """Set-points (m, n), clipped by what rounding leaves; refused where the board's ranges are smaller than the plan's."""
        edge = 2e-5 * (self.board.high - self.board.low)
        bad = np.flatnonzero(((x < self.board.low - edge) | (x > self.board.high + edge)).any(0))
        if len(bad):
            raise DeviceError(
                f"the motion leaves the board's range of motor '{self.motor_names[bad[0]]}'; it was not begun."
            )
        return np.clip(x, self.board.low, self.board.high)

    def _loads(self, position: Array) -> Array:
        """Tension of the tendons [N]; motors of joints are not loaded in a simulation that has no forces."""
        hand, n = self.signer.hand, self.signer.mounted.arm.nq
        out = np.zeros(len(position))
        if hand.fingers:
            at = [n + i for i in hand.tendons]
            out[at] = tendon_angles(list(hand.fingers.values()), position[at]).tension
        return out
