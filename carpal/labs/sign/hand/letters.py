"""Letters on a hand: the collision-free commands nearest to each handshape."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carpal.contact import CollisionChecker, collision_checker
from carpal.errors import InputError
from carpal.labs.sign.files.alphabet import Alphabet, Letter
from carpal.labs.sign.hand.contacts import TipContacts
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.spatial import Array

MOST, STEP = 300, 1e-3
"""Corrections of a handshape at most, and the share of a command's range by which distances are differentiated."""
ALIKE = np.radians(10.0)
"""[rad] at some joint by which two letters differ that touch distinguishes."""
EXTRA = 2e-4
"""[m] that a correction aims beyond what is asked, so that it comes to an end."""


@dataclass(frozen=True, eq=False)
class HandLetter:
    """A letter as a hand can show it.

    Args:
        letter: what was asked.
        commands: (n) of the hand, wrist straight.
        misfit: [rad] by which a joint stays away from the handshape, at most.
        moved: [rad] by which a joint was moved aside to keep the fingers apart, at most.
        distance: [m] of the nearest two parts of the hand.
        gap: [m] between the surfaces of fingertips that meet in this letter, the largest; NaN where none do.
        near: (n) commands before they meet; None where they do not.
    """

    letter: Letter
    commands: Array
    misfit: float
    moved: float
    distance: float
    gap: float = np.nan
    near: Array | None = None


def fit_letter(hand: SignHand, letter: Letter, checker: CollisionChecker, apart: float) -> HandLetter:
    """The commands nearest to a letter's handshape at which no two parts of the hand are nearer than `apart` [m].

    The nearest pair is pushed apart along the gradient of its distance, by the smallest change of commands that does it,
    until all pairs are. A refusal names the pair.
    """
    nominal, _ = hand.convert(letter.right)
    c, span = nominal.copy(), hand.high - hand.low
    free = np.array([i not in hand.wrist for i in range(len(c))])
    steps = STEP * np.diag(span)[free]
    for _ in range(MOST):
        tried = np.concatenate([[c], np.clip(c + steps, hand.low, hand.high), np.clip(c - steps, hand.low, hand.high)])
        d = checker.distance(hand.joints(tried)).distance
        if d[0] >= apart:
            break
        n = len(steps)
        ahead, behind = tried[1 : n + 1], tried[n + 1 :]
        width = ((ahead - behind)[:, free] / span[free]).max(1)
        slope = (d[1 : n + 1] - d[n + 1 :]) / width
        size = float(slope @ slope)
        if size < 1e-12:
            break
        change = np.zeros(len(c))
        change[free] = np.clip((apart + EXTRA - d[0]) * slope / size, -0.02, 0.02) * span[free]
        c = np.clip(c + change, hand.low, hand.high)
    q, first = hand.joints(c), hand.joints(nominal)
    found = checker.distance(q)
    if float(found.distance) < apart:
        raise InputError(
            f"letter '{letter.name}' cannot be shown by '{hand.driver.hand}' with its parts {1e3 * apart:g} mm apart: {found}"
        )
    gap, near = np.nan, None
    if letter.right.contact:
        near = c
        c, gap = _met(hand, letter, c)
        q = hand.joints(c)
        found = checker.distance(q)
    wanted = hand.wanted(letter.right)
    misfit = max(abs(q[hand.model.q_index(joint)] - angle) for joint, angle in wanted.items())
    return HandLetter(letter, c, float(misfit), float(np.abs(q - first).max()), float(found.distance), gap, near)


def _met(hand: SignHand, letter: Letter, commands: Array) -> tuple[Array, float]:
    """Commands at which the letter's fingertips meet, those given where they cannot, and the largest gap [m] that is left."""
    pairs = [tuple(hand.digit(finger) for finger in pair) for pair in letter.right.contact]
    contacts = TipContacts(hand, [(a, b) for a, b in pairs if a != b])
    closed = contacts.closed(commands)
    c = commands if closed is None else closed
    return c, float(contacts.gaps(c).max())


def letters_of(
    hand: SignHand, alphabet: Alphabet, apart: float = 0.003
) -> tuple[dict[str, HandLetter], dict[str, str]]:
    """Every letter of an alphabet that a hand can show, and the reason for each that it cannot."""
    from carpal.labs.sign.hand.moves import HandMover

    checker = collision_checker(hand.model)
    mover = HandMover(hand, checker)
    shown: dict[str, HandLetter] = {}
    refused: dict[str, str] = {}
    for name, letter in alphabet.letters.items():
        if letter.left is not None and hand.driver.hands < 2:
            refused[name] = f"it needs two hands, and '{hand.driver.name}' has one."
            continue
        try:
            fitted = fit_letter(hand, letter, checker, apart)
        except InputError as problem:
            refused[name] = str(problem)
            continue
        if fitted.near is not None:
            mover.meets(fitted.commands, fitted.near)
        opening = mover.opening(fitted.commands)
        if not opening and fitted.near is not None:  # better with a gap than not at all
            fitted = fit_letter(
                hand, dataclasses.replace(letter, right=dataclasses.replace(letter.right, contact=())), checker, apart
            )
            opening = mover.opening(fitted.commands)
        if opening:
            shown[name] = fitted
        else:
            refused[name] = f"the hand cannot get into it from its open shape: {opening}"
    return shown, refused


def nearest_letters(letters: Mapping[str, HandLetter], hand: SignHand) -> tuple[str, str, float]:
    """The two letters most alike to the touch: names, and the largest difference of a joint [rad].

    Letters that differ by palm direction, wrist or motion are distinguished by these and are not compared.
    """
    names = list(letters)
    q = hand.joints(np.array([letters[name].commands for name in names]))
    best = ("", "", np.inf)
    for i, a in enumerate(names):
        for j in range(i):
            one, two = letters[a].letter.right, letters[names[j]].letter.right
            if (one.palm, one.motion) == (two.palm, two.motion) and np.allclose(one.wrist, two.wrist):
                away = float(np.abs(q[i] - q[j]).max())
                if away < best[2]:
                    best = (names[j], a, away)
    return best


def alike_letters(letters: Mapping[str, HandLetter], hand: SignHand, first: str) -> dict[str, str]:
    """Letters that another one would be taken for where no arm turns the palm: name to the reason.

    Of two that differ by less than `ALIKE` at every joint, the one with the palm direction `first` stays, else the earlier one.
    """
    names = sorted(letters, key=lambda name: letters[name].letter.right.palm != first)
    q = {name: hand.joints(letters[name].commands) for name in names}
    kept: list[str] = []
    out: dict[str, str] = {}
    for name in names:
        shape = letters[name].letter.right
        for other in kept:
            there = letters[other].letter.right
            same = shape.motion == there.motion and np.allclose(shape.wrist, there.wrist)
            if same and float(np.abs(q[name] - q[other]).max()) < ALIKE:
                out[name] = f"without an arm that turns the palm it would be taken for '{other}'."
                break
        else:
            kept.append(name)
    return out
