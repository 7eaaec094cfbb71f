"""Training: the same recipe gives the same file, the package's own among them; confidence means what it says."""

import dataclasses

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import (
    ROBOT_RECIPE,
    Recipe,
    drawn_signs,
    human_signs,
    known_recognisers,
    read_alphabet,
    sign_recogniser,
    train_recogniser,
    train_sign_recogniser,
)

SMALL = Recipe(signs=2500, epochs=10, hidden=(24,), rate=4e-3)


def test_a_small_training_is_the_same_twice_and_learns():
    source = human_signs(read_alphabet())
    first, second = train_recogniser(source, SMALL), train_recogniser(source, SMALL)
    assert first.digest == second.digest
    assert first.digest != train_recogniser(source, dataclasses.replace(SMALL, seed=16, epochs=1)).digest
    seen, label = drawn_signs(source, np.random.default_rng(9), 200, dataclasses.replace(SMALL, others=0.0), 24)
    assert (first.probabilities(seen).argmax(-1) == label).mean() > 0.5  # chance is 0.04


def test_shipped_recognisers_say_how_they_were_trained(figure):
    assert set(known_recognisers()) == {"italian", "italian_cuhk", "italian_parloma"}
    for robot, recipe in ((None, Recipe()), ("parloma", ROBOT_RECIPE), ("cuhk", ROBOT_RECIPE)):
        reader = sign_recogniser("italian", robot)
        recipe_read = {key: tuple(v) if isinstance(v, list) else v for key, v in reader.recipe.items()}
        assert recipe_read == dataclasses.asdict(recipe)
        assert len(reader.names) == (24 if robot == "cuhk" else 26)


@pytest.mark.full
@pytest.mark.parametrize("robot", [None, "parloma", "cuhk"])
def test_the_shipped_files_come_out_again_bit_for_bit(robot, figure):
    same = train_sign_recogniser("italian", robot).digest == sign_recogniser("italian", robot).digest
    figure(
        f"recogniser for {robot or 'people'} trained again: bits that differ from the package's file", int(not same), 0
    )


def test_confidence_is_calibrated(figure):
    """Among signs read with a confidence p, a share p is right: largest difference over the whole range, weighted."""
    reader = sign_recogniser()
    source = human_signs(read_alphabet(), "oblique", 0.15, 0.15)
    recipe = Recipe(noise=(0.002, 0.006), view=np.radians(30))
    rng = np.random.default_rng(11)
    gap, n = 0.0, 0
    for frames in (1, 6, 24):
        seen, label = drawn_signs(source, rng, 1200, recipe, frames)
        p = reader.probabilities(seen)
        sure, right = p.max(-1), p.argmax(-1) == label
        for low in np.arange(0, 1, 0.1):
            rows = (sure > low) & (sure <= low + 0.1)
            gap += abs(right[rows].sum() - sure[rows].sum()) if rows.any() else 0.0
        n += len(label)
    figure("confidence against share of right answers on hands not trained on, mean difference", gap / n, 0.03)


def test_too_little_is_reported():
    with pytest.raises(CarpalError, match="at least 1250 signs and one epoch; got 10"):
        train_recogniser(human_signs(read_alphabet()), Recipe(signs=10))
