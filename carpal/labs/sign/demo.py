"""The telephone in one process: a simulated signer is read, its letters are sent, shown by robots, and read from their hands.

Signer to link: landmarks of a simulated hand with kinematics that no recogniser was trained on are read as letters. Link: the
in-process transport with authenticated messages. Link to robots: each plans, checks and plays letters through a simulated motor
board. Robots to letters: a simulated camera films the sensed motion, and a recogniser for that robot's hand reads it.
"""

from __future__ import annotations

import functools
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.sign.board.hand_player import HandPlayer, ShownLetter
from carpal.labs.sign.files.alphabet import read_alphabet
from carpal.labs.sign.files.driver import read_driver
from carpal.labs.sign.link.outcome import CallOutcome
from carpal.labs.sign.link.receiver import LinkReceiver
from carpal.labs.sign.link.sender import LinkSender
from carpal.labs.sign.link.transport import InProcess
from carpal.labs.sign.reading.filming import RATE, SIGN_FRAMES, drawn_views, filmed
from carpal.labs.sign.reading.recogniser import Recogniser
from carpal.labs.sign.reading.recognition import NOISE, VIEW, SimulatedSigner, sign_recogniser
from carpal.labs.sign.reading.robot_landmarks import robot_landmarks
from carpal.spatial import Array

ROBOTS = ("parloma", "cuhk")
TRIES = 3
"""Times that the signer repeats a letter before it is given up as unread."""
PATIENCE = 600.0
"""[s] that robots have to show a text."""


@dataclass
class DemoLetter:
    """One letter from signer to robots.

    Args:
        letter, index: what the signer shows.
        read: the letter read and sent; "" if none was.
        shown: by robot, the letter its hand showed; "" if it was discarded.
        seen: by robot, what was read from its hand; "" for none of these.
        confidence: of the first reading.
    """

    letter: str
    index: int
    read: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    confidence: float = 0.0


@dataclass(frozen=True, eq=False)
class DemoResult(Result):
    """Result of a demonstration: letters sent, shown and recognised.

    Args:
        text: that was asked for.
        letters: one row each, pauses left out.
        outcomes: of the receivers, by name.
        discarded: rows with `receiver`, `letter`, `index`, `reason`.
    """

    text: str
    letters: tuple[DemoLetter, ...]
    outcomes: dict[str, CallOutcome]
    discarded: tuple[dict[str, Any], ...]

    @property
    def accuracy(self) -> float:
        """Share of letters, over all robots, that were read from the robot as signed."""
        right = sum(row.seen.get(name) == row.letter for row in self.letters for name in self.outcomes)
        return right / max(1, len(self.letters) * len(self.outcomes))

    @property
    def ok(self) -> bool:
        """Whether every letter came through to the end."""
        return self.accuracy == 1.0 and not self.discarded and all(self.outcomes.values())

    @property
    def status(self) -> str:
        """One true sentence."""
        worst = max((one.latency.p99_ms for one in self.outcomes.values()), default=0.0)
        text = (
            f"'{self.text.strip()}': {100 * self.accuracy:.0f} % of {len(self.letters)} letters were read from "
            f"{len(self.outcomes)} robots as they were meant, latency {worst:.1f} ms (99 %)"
        )
        if self.discarded:
            first = self.discarded[0]
            text += f"; '{first['letter']}' discarded by {first['receiver']}: {first['reason'].rstrip('.')}"
        return f"{text}."

    def to_dict(self) -> dict[str, Any]:
        """As JSON; `recognised` has what was read from the person and from every robot, "" for none of these."""
        latency = [one.latency for one in self.outcomes.values()]
        return {
            "ok": self.ok,
            "status": self.status,
            "text": self.text,
            "letters": [row.letter for row in self.letters],
            "reproduced": {name: [row.shown.get(name, "") for row in self.letters] for name in self.outcomes},
            "recognised": {
                "signer": [row.read for row in self.letters],
                **{name: [row.seen.get(name, "") for row in self.letters] for name in self.outcomes},
            },
            "accuracy": self.accuracy,
            "latency_ms_p50": max((one.p50_ms for one in latency), default=0.0),
            "latency_ms_p99": max((one.p99_ms for one in latency), default=0.0),
            "discarded": list(self.discarded),
        }


class TelephoneDemo:
    """A person, a line and robots, ready for texts.

    Args:
        robots: drivers' names; each has a recogniser of the package.
        alphabet, behaviour: names or files.
        seed: of the person, of cameras and their noise.
        noise: [m] of landmarks.
        real_time: whether person and robots take their time.
        watch: called whenever something of `rows` or `frames` (n, 21, 3) [m], the landmarks of the last sign, has changed.

    Example:
        >>> print(TelephoneDemo().run("CIAO"))
    """

    def __init__(
        self, robots: Sequence[str] = ROBOTS, *, alphabet: str = "italian", behaviour: str = "careful", seed: int = 0,
        noise: float = NOISE, real_time: bool = False, watch: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        if not robots or len(set(robots)) != len(robots):
            raise InputError(f"a demo needs one or more different robots; got {', '.join(robots) or 'none'}.")
        self.alphabet = read_alphabet(alphabet)
        self.reader = sign_recogniser(self.alphabet.name)
        for robot in robots:
            read_driver(robot)  # a wrong name is a robot's, not a recogniser's
        self.readers: dict[str, Recogniser] = {robot: sign_recogniser(self.alphabet.name, robot) for robot in robots}
        self.players = {
            robot: HandPlayer(robot, alphabet=alphabet, behaviour=behaviour, real_time=real_time) for robot in robots
        }
        self.real_time = real_time
        self.person = SimulatedSigner(seed, self.alphabet)
        self.frames = self.person.frames(next(iter(self.alphabet.letters)), noise=0.0)
        self.rows: list[DemoLetter] = []
        self.result: DemoResult | None = None
        self._seed, self._noise, self._watch = seed, noise, watch or (lambda: None)
        self._sent: list[DemoLetter | None] = []
        for name, player in self.players.items():
            player.on_shown = functools.partial(self._seen, name)

    def run(self, text: str) -> DemoResult:
        """Sign a text; comes back when all robots have shown it."""
        letters = self.alphabet.spell(text)
        token = secrets.token_urlsafe(24)
        self.result, self.rows, self._sent = None, [], []
        self.person = SimulatedSigner(self._seed, self.alphabet)  # the same person signs the same text in the same way
        for player in self.players.values():
            player.letters.clear()
        with InProcess() as line, LinkSender(line, token, alphabet=self.alphabet.name).start() as sender:
            ends = {n: LinkReceiver(line, token, player, name=n).start() for n, player in self.players.items()}
            try:
                if not sender.wait_for(len(ends), 10.0):
                    raise InputError("the receivers of the demo do not answer.")
                for index, letter in enumerate(letters):
                    self._sign(sender, letter, index)
                if not any(row.read for row in self.rows):
                    raise InputError(f"no letter of '{text.strip()}' was read from the person; nothing was sent.")
                sender.end()
                outcomes = {name: end.wait(PATIENCE) for name, end in ends.items()}
            finally:
                for end in ends.values():
                    end.close()
        done = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
        if len(done) < len(outcomes):
            late = ", ".join(name for name in outcomes if name not in done)
            raise InputError(f"not every robot was ready within {PATIENCE:g} s: {late}.")
        self.result = DemoResult(text, tuple(self.rows), done, self._discarded(done))
        self._watch()
        return self.result

    def _sign(self, sender: LinkSender, letter: str, index: int) -> None:
        """The person signs a letter until it is read; then it is sent."""
        if letter == " ":
            self._sent.append(None)
            sender.put(letter)
            return
        row = DemoLetter(letter, index)
        self.rows.append(row)
        for _ in range(TRIES):
            self.frames = self.person.frames(letter, noise=self._noise)
            if self.real_time:
                time.sleep(SIGN_FRAMES / RATE)
            reading = self.reader.recognise(self.frames)
            if reading.letter is not None:
                row.read, row.confidence = reading.letter, reading.confidence
                self._sent.append(row)  # before the letter goes: a robot may be quick
                sender.put(reading.letter)
                break
        self._watch()

    def _seen(self, name: str, shown: ShownLetter) -> None:
        """A robot has shown a letter: read it from its hand."""
        row = self._sent[shown.index]
        assert row is not None  # pauses are not shown
        frames = robot_film(self.players[name], shown, seed=self._seed + shown.index, noise=self._noise)
        row.seen[name] = self.readers[name].recognise(frames).letter or ""
        row.shown[name] = shown.letter
        self._watch()

    def _discarded(self, outcomes: dict[str, CallOutcome]) -> tuple[dict[str, Any], ...]:
        unread = f"it was not read in {TRIES} times of signing."
        out = [
            {"receiver": "signer", "letter": row.letter, "index": row.index, "reason": unread}
            for row in self.rows
            if not row.read
        ]
        for name, outcome in outcomes.items():
            for i, letter, reason in outcome.discarded:
                row = self._sent[i]
                index = i if row is None else row.index
                out.append({"receiver": name, "letter": letter, "index": index, "reason": reason})
        return tuple(out)


def robot_film(
    player: HandPlayer, shown: ShownLetter, *, seed: int = 0, noise: float = NOISE, view: float = VIEW
) -> Array:
    """Landmarks (frames, 21, 3) [m] of a camera that saw a letter as the board sensed it.

    A letter that stands is filmed while it stands, one that moves from the middle of its hold to its end, by as many frames as a
    sign has.
    """
    moves = bool(player.signer.alphabet.letters[shown.letter].right.motion)
    first, last = (shown.shown, len(shown.time) - 1) if moves else shown.hold
    if not moves:
        first = min(first + (last - first) // 4, last)  # the motors lag when they arrive
    rows = np.round(np.linspace(first, last, SIGN_FRAMES)).astype(int)
    mounted, hand = player.signer.mounted, player.signer.hand
    q = player.configurations(shown.sensed[rows])
    rng = np.random.default_rng([seed, 79])
    R_WP = fk(mounted.model, q)[:, :3, :3]
    points = robot_landmarks(hand, q[:, mounted.hand_columns])
    return np.asarray(filmed(rng, points[None], drawn_views(rng, 1, view)[:, None] @ R_WP[None], noise)[0])
