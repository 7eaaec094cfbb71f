"""Payload: one sentence for what is wrong; the table of what friction holds bounds the kernel's own answers."""

import numpy as np
import pytest

from carpal.errors import InputError, UnknownNameError
from carpal.planning import Payload, adjust, relay_payload
from carpal.planning.payload.kernels.angle_set import ALPHAS, TILTS

PLAIN = {"mass": 0.5, "arm": 0.12, "drop": 0.01, "inertia": 0.01, "contact_width": 0.15, "contact_reach": 0.03}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mass": 0.0}, "mass of a payload must be a finite number above zero"),
        ({"arm": float("nan")}, "arm of a payload"),
        ({"drop": "low"}, "drop of a payload must be real numbers"),
        ({"drop": np.inf}, "finite length"),
        ({"mu_low": 0.5, "mu_high": 0.4}, "are reversed"),
        ({"mu_low": -0.1}, "zero or above"),
        ({"inertia": 1e-4}, "at least mass x arm"),
        ({"X_TG": np.zeros((4, 4))}, "X_TG of a payload is not a rigid motion"),
        ({"shapes": ("box",)}, "PlacedShape"),
        ({"name": "a/b"}, "without '/'"),
        ({"known": 0.0}, "known of a payload"),
    ],
)
def test_bad_input_is_one_sentence(change, words):
    with pytest.raises(InputError, match=words):
        Payload(**(PLAIN | change))


def test_a_copy_with_changes():
    payload = Payload(**PLAIN)
    assert payload.replace(mass=1.0, inertia=0.02).mass == 1.0 and payload.mass == 0.5
    with pytest.raises(UnknownNameError, match="weight"):
        payload.replace(weight=1.0)


def test_the_table_bounds_what_is_held_everywhere():
    relay = relay_payload()
    rng = np.random.default_rng(0)
    tilt, alpha = rng.uniform(0, np.pi, 20_000), rng.uniform(0, np.pi, 20_000)
    answer = adjust(relay, tilt, alpha, gravity=1.0)
    i = np.clip(((np.cos(tilt) + 1) / 2 * TILTS).astype(int), 0, TILTS - 1)
    j = np.clip(((np.cos(alpha) + 1) / 2 * ALPHAS).astype(int), 0, ALPHAS - 1)
    low, high = relay.holding[0, i, j], relay.holding[1, i, j]
    assert (low <= np.where(answer.pressed, answer.holding, 0.0) + 1e-12).all()
    assert (np.where(answer.pressed, answer.holding, np.inf) <= np.where(high < 1e299, high + 1e-12, np.inf)).all()
    assert (high[~answer.pressed] > 1e299).all()
    decided = high < 1e299
    assert decided.mean() > 0.9 and np.median((high - low)[decided] / high[decided]) < 0.1
