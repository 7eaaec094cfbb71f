"""Simulated landmarks of a person spelling a word: letters and the transitions between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.hand.parallel_wrist import wrist_rotation
from carpal.labs.sign.reading.alphabet_signs import channels_of, palm_path
from carpal.labs.sign.reading.filming import filmed, palm_motions
from carpal.labs.sign.reading.recognition import NOISE, SimulatedSigner
from carpal.labs.sign.reading.sign_source import SLOPPY, limited
from carpal.perception import CHANNELS, hand_landmarks
from carpal.spatial import Array, rotation_about, rotation_vector


def word_frames(
    signer: SimulatedSigner,
    letters: Sequence[str],
    *,
    seed: int = 0,
    hold: int = 24,
    move: int = 10,
    noise: float = NOISE,
) -> Array:
    """Landmarks (n, 21, 3) [m] of a person who spells, seen in the receiver's frame.

    Args:
        signer: who spells.
        letters: of the signer's alphabet, as of `Alphabet.spell` without pauses.
        seed: of this spelling.
        hold, move: frames that a letter stands or moves, and that the hand takes from one to the next.
        noise: [m] standard deviation of every coordinate in every frame.
    """
    alphabet = signer.alphabet
    unknown = [name for name in letters if name not in alphabet.letters]
    if unknown or not len(letters):
        raise InputError(f"the letters to spell must be of '{alphabet.name}'; got {list(letters)!r:.60}.")
    if hold < 1 or move < 0:
        raise InputError(f"a letter takes at least one frame and a move none or more; got {hold} and {move}.")
    rng = np.random.default_rng([seed, 80])
    shapes: list[Array] = []
    palms: list[Array] = []
    for name in letters:
        shape = alphabet.letters[name].right
        channels = channels_of(shape) + signer.habits[name] + SLOPPY * rng.standard_normal(CHANNELS)
        R = alphabet.palms[shape.palm] @ wrist_rotation(shape.wrist)
        if shapes:
            before, R_before = shapes[-1], palms[-1]
            turn = rotation_vector(R_before.T @ R)
            angle = float(np.linalg.norm(turn))
            for t in (np.arange(move) + 1.0) / (move + 1.0):
                u = t * t * (3.0 - 2.0 * t)
                shapes.append(before + u * (channels - before))
                palms.append(R_before @ rotation_about(turn / angle, u * angle) if angle > 0 else R)
        shapes += [channels] * hold
        palms += list(R @ palm_motions(rng, [palm_path(alphabet, shape)], np.zeros(1, int), hold)[0])
    hand = signer.hand
    points = hand_landmarks(limited(np.array(shapes)), hand.repeated(len(shapes)), signer.kind)
    return filmed(rng, points[None], signer.view[:, None] @ np.array(palms)[None], noise)[0]
