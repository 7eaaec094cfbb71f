"""End-to-end examination of the telephone: signers, recogniser, channel, robot, recogniser of the robot's hand.

Signers are held out: other proportions than in training and, by default, another kinematics. The robot's hand is read by a
recogniser trained for that hand; `reader="people"` uses the one trained on people instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.labs.sign.files.alphabet import Alphabet, read_alphabet
from carpal.labs.sign.hand.letters import HandLetter, letters_of
from carpal.labs.sign.hand.sign_hand import SignHand, sign_hand
from carpal.labs.sign.reading.alphabet_signs import human_signs
from carpal.labs.sign.reading.filming import SIGN_FRAMES, drawn_views, filmed, palm_motions
from carpal.labs.sign.reading.recogniser import Recogniser
from carpal.labs.sign.reading.recognition import NOISE, PEOPLE, VIEW, SimulatedSigner, robot_frames
from carpal.labs.sign.reading.sign_source import NON_LETTERS
from carpal.labs.sign.reading.training import drawn_non_letters
from carpal.spatial import Array

MOST_SIGNERS = 10_000


@dataclass(frozen=True, eq=False)
class ExamResult(Result):
    """How letters came through.

    Args:
        names: of the letters that were signed.
        counts: (L, L + 2) of letters signed (rows) and read from the robot at the end (columns); the last two columns are
            none of these and not shown.
        read: (L, L + 1) the same of the first reading, from the signer.
        signers: how many people signed every letter.
        robot: that showed them.
    """

    names: tuple[str, ...]
    counts: Array
    read: Array
    signers: int
    robot: str

    @property
    def accuracy(self) -> float:
        """Share of letters that are the same at both ends."""
        return float(np.trace(self.counts[:, : len(self.names)]) / self.counts.sum())

    @property
    def read_accuracy(self) -> float:
        """Share of letters that were read right from the signer."""
        return float(np.trace(self.read[:, : len(self.names)]) / self.read.sum())

    @property
    def per_letter(self) -> dict[str, float]:
        """Share that came through, letter by letter."""
        right = np.diag(self.counts[:, : len(self.names)]) / self.counts.sum(1)
        return dict(zip(self.names, (float(x) for x in right), strict=True))

    @property
    def ok(self) -> bool:
        """Whether 95 % came through."""
        return self.accuracy >= 0.95

    @property
    def status(self) -> str:
        """One sentence."""
        worst = min(self.per_letter, key=lambda name: self.per_letter[name])
        return (
            f"{100 * self.accuracy:.1f} % of {int(self.counts.sum())} letters came through '{self.robot}' "
            f"({100 * self.read_accuracy:.1f} % were read right from the signers); worst is {worst} with "
            f"{100 * self.per_letter[worst]:.0f} %."
        )


def examine(
    hand: SignHand | str,
    reader: Recogniser,
    robot_reader: Recogniser,
    *,
    alphabet: Alphabet | str = "italian",
    signers: int = 10,
    seed: int = 1000,
    kind: str = "oblique",
    frames: int = SIGN_FRAMES,
    noise: float = NOISE,
    steady: float = 0.0,
    send: Callable[[Sequence[str]], Sequence[str]] | None = None,
    shown: dict[str, HandLetter] | None = None,
) -> ExamResult:
    """Every letter by every signer, from landmarks to landmarks.

    Args:
        hand: the robot's, or its driver's name.
        reader, robot_reader: recognisers of the signer and of the robot.
        alphabet: whose letters are signed.
        signers: how many people; seed: of the first, the others follow.
        kind: of the signers' hands.
        frames, noise, steady: of the landmarks, as of `SimulatedSigner`.
        send: takes the letters read from one signer across and returns those that arrive; by default they do.
        shown: letters that the hand shows, where they are known already.
    """
    if not 1 <= signers <= MOST_SIGNERS:
        raise InputError(f"signers must be from 1 to {MOST_SIGNERS}; got {signers}.")
    known = read_alphabet(alphabet) if isinstance(alphabet, str) else alphabet
    hand = sign_hand(hand) if isinstance(hand, str) else hand
    shown = letters_of(hand, known)[0] if shown is None else shown
    names = tuple(name for name, letter in known.letters.items() if letter.left is None)
    L = len(names)
    counts, read = np.zeros((L, L + 2), int), np.zeros((L, L + 1), int)
    for k in range(signers):
        person = SimulatedSigner(seed + k, known, kind=kind)
        firsts = [
            reader.recognise(person.frames(name, noise=noise, frames=frames, steady=steady)).letter for name in names
        ]
        sent = [letter for letter in firsts if letter is not None]
        arrived = iter(sent if send is None else send(sent))
        for i, first in enumerate(firsts):
            read[i, names.index(first) if first in names else L] += 1
            letter = None if first is None else next(arrived, None)
            if letter is None:
                counts[i, L] += 1
            elif letter not in shown:
                counts[i, L + 1] += 1
            else:
                view_seed = seed + k + 7919 * i
                seen = robot_frames(
                    hand, shown[letter], known, seed=view_seed, noise=noise, frames=frames, steady=steady
                )
                last = robot_reader.recognise(seen).letter
                counts[i, names.index(last) if last in names else L] += 1
    return ExamResult(names, counts, read, signers, hand.driver.name)


def none_exam(
    reader: Recogniser,
    *,
    alphabet: Alphabet | str = "italian",
    count: int = 100,
    seed: int = 2000,
    kind: str = "oblique",
    frames: int = SIGN_FRAMES,
    kinds: Sequence[str] = NON_LETTERS,
) -> dict[str, float]:
    """Share of non-letters of every kind that are read as none of these; people, viewpoints and noise as in `examine`."""
    known = read_alphabet(alphabet) if isinstance(alphabet, str) else alphabet
    source = human_signs(known, kind, PEOPLE, PEOPLE)
    out = {}
    for k, name in enumerate(kinds):
        rng = np.random.default_rng([seed, k])
        shapes, palms = drawn_non_letters(source, rng, count, name, frames)
        turned = palm_motions(rng, source.paths, np.full(count, -1), frames)
        R = drawn_views(rng, count, VIEW)[:, None] @ palms @ turned
        seen = filmed(rng, shapes, R, NOISE)
        out[name] = float(np.mean([reading.letter is None for reading in reader.recognise_many(seen)]))
    return out
