"""The score of a catch follows from the recording's contacts and poses."""

import copy

import numpy as np
from catch_inputs import panda_catch

from carpal.labs.catch.pair.pair_score import contact_sequence, hand_bodies, in_palm, score_pair

HAND = {"robot/panda_hand", "robot/panda_leftfinger", "robot/panda_rightfinger"}


def changed(recording, **what):
    other = copy.copy(recording)
    for name, value in what.items():
        object.__setattr__(other, name, value)
    return other


def test_a_held_object_is_held_by_the_hand_to_the_end():
    _, result = panda_catch("mujoco")
    recording = result.recording
    kept = recording.metadata["pair_catch"]
    assert result.score.numbers["caught"], result.status
    sequence = contact_sequence(recording)
    assert sequence[0][1] == frozenset() and sequence[-1][1] <= HAND and sequence[-1][1]
    assert (
        hand_bodies(recording, kept["base"]) == HAND | {"robot/panda_hand_tcp"}
        or hand_bodies(recording, kept["base"]) >= HAND
    )
    # recomputed by numpy alone: how far the ball is from the hand's own frame while it is carried
    q = np.asarray(recording.q)
    rows = recording.time > kept["rest"] + 0.1
    assert np.ptp(in_palm(recording, kept)[rows], axis=0).max() < 0.03
    assert q[rows][:, -5].min() > 0.1  # it never comes near the ground


def test_what_loses_its_contacts_is_not_caught():
    _, result = panda_catch("mujoco")
    recording = result.recording
    kept = recording.metadata["pair_catch"]
    none = score_pair(changed(recording, contacts=[[] for _ in recording.contacts]), kept)
    assert not none.ok and "(off the palm): nothing touched it" in none.status
    late = recording.time > kept["end"] - 0.2
    dropped = [[] if after else row for row, after in zip(recording.contacts, late, strict=True)]
    lost = score_pair(changed(recording, contacts=dropped), kept)
    assert not lost.ok and "(slipped)" in lost.status
    on_ground = [
        [c._replace(a="") if c.a.startswith("robot/") else c._replace(b="") for c in row] for row in recording.contacts
    ]
    ground = score_pair(changed(recording, contacts=on_ground), kept)
    assert not ground.ok and "first touched ground" in ground.status
