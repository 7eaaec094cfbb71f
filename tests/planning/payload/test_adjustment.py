"""The public edge of ADJUST, and the map of figure 34: three zones, symmetric about 90 degrees only without a drop."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.planning import adjust, friction_map, relay_payload


def test_the_map_has_three_zones_in_their_places(figure):
    relay = relay_payload()
    tilt, alpha, outcome = friction_map(relay, steps=91)
    degrees = np.degrees(alpha)
    shares = [(outcome == k).mean() for k in range(3)]
    figure("friction map: the smallest of its three zones, share", min(shares), 0.05, at_least=True, note=str(shares))
    below = outcome[np.degrees(tilt) < 80]  # beyond, contacts may lift
    row = below[:, np.argmin(np.abs(degrees - 90))]
    changes = np.flatnonzero(np.diff(row))
    assert row[0] == 0 and row[-1] == 1 and [int(row[k + 1]) for k in changes] == [2, 1]  # stays, maybe, turns
    assert (below[:, 0] == 0).all() and (outcome[0] == 0).all()  # hanging, or level: it stays
    level = relay_payload(drop=0.0)
    _, _, even = friction_map(level, steps=91)
    assert (even[:-1] == even[:-1, ::-1]).all() and not (outcome[:-1] == outcome[:-1, ::-1]).all()


def test_more_friction_never_lets_go_what_less_held():
    relay = relay_payload()
    _, _, outcome = friction_map(relay, steps=61)
    _, _, rough = friction_map(relay.replace(mu_low=0.3, mu_high=0.6), steps=61)
    assert (rough[outcome == 0] == 0).all() and (outcome[rough == 1] == 1).all()


def test_batches_broadcast_and_one_is_a_batch_of_one():
    relay = relay_payload()
    many = adjust(relay, np.linspace(0, 1, 5)[:, None], np.linspace(0, 3, 4))
    one = adjust(relay, 0.5, 2.0)
    assert many.outcome.shape == (5, 4) and many.holding[2, 2] == one.holding and one.outcome.shape == ()
    assert "of 20 attitudes" in str(many) and str(one).startswith("the payload ")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tilt": np.nan}, "tilt must be finite"),
        ({"tilt": "steep"}, "must be numbers"),
        ({"mu_low": 0.5}, "mu_low not above mu_high"),
        ({"tilt": np.zeros(3), "alpha": np.zeros(2)}, "fit together"),
    ],
)
def test_bad_input_is_one_sentence(given, words):
    with pytest.raises(InputError, match=words):
        adjust(relay_payload(), **({"tilt": 0.0, "alpha": 0.0} | given))
    with pytest.raises(InputError, match="needs a Payload"):
        adjust("relay", 0.0, 0.0)
    with pytest.raises(InputError, match="steps"):
        friction_map(relay_payload(), steps=1)
