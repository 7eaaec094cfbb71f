"""The stand-in relay keeps what is published: mass, height to the antenna's tip, the lever."""

import numpy as np

from carpal.planning import relay_payload
from carpal.planning.payload.stand_in_relay import ANTENNA, HEIGHT


def test_published_figures():
    relay = relay_payload()
    assert relay.mass == 0.49 and np.isclose(relay.arm / relay.contact_reach, 4.036, atol=1e-3)
    antenna = next(s for s in relay.shapes if s.name == "antenna")
    body = next(s for s in relay.shapes if s.name == "body")
    tip = antenna.X_BS[2, 3] - 0.5 * antenna.shape.length - ANTENNA
    foot = body.X_BS[2, 3] + 0.5 * body.shape.size[2]
    assert np.isclose(foot - tip, HEIGHT)
    assert np.isclose(antenna.X_BS[0, 3], relay.arm)
    flap = next(s for s in relay.shapes if s.name == "flap")
    assert abs(flap.X_BS[0, 3]) < 0.5 * flap.shape.size[0], "the gripper's axis goes through the flap"
    assert relay_payload(mass=0.6).mass == 0.6
