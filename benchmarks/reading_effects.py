"""What assumed numbers of simulated hands and of a palm's skin do at 20 percent less and more, for docs/assumptions.md.

Recognisers stay as they are; only the people who are tested, or the skin that feels, change.

Run: python benchmarks/reading_effects.py
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.labs.sign import (
    SimulatedSigner,
    Skin,
    letters_of,
    none_exam,
    read_alphabet,
    recognition,
    sign_hand,
    sign_recogniser,
    touch_matrix,
)
from carpal.labs.sign.reading import filming, sign_source
from carpal.perception.hand import human_hand

PEOPLE = 12
KIND = "oblique"
HAND_NUMBERS = {
    "phalanges": (human_hand, "PHALANGES"),
    "places of the knuckles": (human_hand, "KNUCKLE_PLACES"),
    "place of the thumb": (human_hand, "THUMB_PLACE"),
    "largest bends of fingers": (human_hand, "BEND_DEG"),
    "largest bends of the thumb": (human_hand, "THUMB_DEG"),
    "largest spread": (human_hand, "SPREAD_DEG"),
    "crossing": (human_hand, "CROSS_DEG"),
    "opposition": (human_hand, "OPPOSITION_DEG"),
    "tilt of the thumb": (human_hand, "TILT_DEG"),
    "a person's habits": (recognition, "HABIT"),
    "sloppiness": (recognition, "SLOPPY"),
    "tremor": (filming, "TREMOR"),
}


def scaled(value, factor):
    return {key: item * factor for key, item in value.items()} if isinstance(value, dict) else value * factor


def read_right(noise: float = 0.005, frames: int = 24, **person) -> float:
    """Share of letters [%] that are read right from PEOPLE signers."""
    reader, names = sign_recogniser(), list(read_alphabet().letters)
    right = [
        reader.recognise(signer.frames(name, noise=noise, frames=frames)).letter == name
        for signer in (SimulatedSigner(5000 + k, kind=KIND, **person) for k in range(PEOPLE))
        for name in names
    ]
    return 100 * float(np.mean(right))


def none_right() -> float:
    return 100 * float(np.mean(list(none_exam(sign_recogniser(), count=150, seed=31, kind=KIND).values())))


def hands() -> None:
    print(f"| assumed | letters read right of {26 * PEOPLE} [%] | none of these [%] |\n|---|---|---|")
    print(f"| as it is | {read_right():.1f} | {none_right():.1f} |")
    for name, (module, word) in HAND_NUMBERS.items():
        before, row = getattr(module, word), []
        for factor in (0.8, 1.2):
            setattr(module, word, scaled(before, factor))
            if module is recognition and hasattr(sign_source, word):
                setattr(sign_source, word, scaled(before, factor))
            row.append((read_right(), none_right()))
            setattr(module, word, before)
            if module is recognition and hasattr(sign_source, word):
                setattr(sign_source, word, before)
        print(f"| {name} | {row[0][0]:.1f} / {row[1][0]:.1f} | {row[0][1]:.1f} / {row[1][1]:.1f} |", flush=True)
    for name, options in (
        ("noise 5 mm", [{"noise": 0.004}, {"noise": 0.006}]),
        ("viewpoint 30 deg", [{"view": np.radians(24)}, {"view": np.radians(36)}]),
        ("proportions 15 %", [{"spread": 0.12}, {"spread": 0.18}]),
        ("frames of a sign 24", [{"frames": 19}, {"frames": 29}]),
    ):
        a, b = (read_right(**option) for option in options)
        print(f"| {name} | {a:.1f} / {b:.1f} | |", flush=True)


def skins() -> None:
    alphabet, hand = read_alphabet(), sign_hand("parloma")
    shown, _ = letters_of(hand, alphabet)
    print("\n| skin | letters felt right [%] | three pairs most alike [JND] |\n|---|---|---|")

    def row(skin: Skin) -> tuple[float, str]:
        found = touch_matrix(hand, alphabet, shown, skin)
        pairs = ", ".join(f"{a}{b} {away:.2f}" for a, b, away, _ in found.worst(3))
        return 100 * float(np.diag(found.confusion).mean()), pairs

    right, pairs = row(Skin())
    print(f"| as it is | {right:.0f} | {pairs} |", flush=True)
    for field in dataclasses.fields(Skin):
        values = [row(dataclasses.replace(Skin(), **{field.name: f * getattr(Skin(), field.name)})) for f in (0.8, 1.2)]
        print(
            f"| {field.name} | {values[0][0]:.0f} / {values[1][0]:.0f} | {values[0][1]} / {values[1][1]} |", flush=True
        )


if __name__ == "__main__":
    hands()
    skins()
