"""The compiled catch as an engine: rows, energies, contacts, the alarm."""

import numpy as np
import pytest
from catch_inputs import caught_recording

from carpal.errors import DivergedError
from carpal.labs.catch.task import Catch


def test_contacts_are_recorded_with_their_forces():
    _, recording = caught_recording()
    touching = [met for met in recording.contacts if met]
    assert touching
    bodies = {side for met in touching for contact in met for side in (contact.a, contact.b)}
    assert {"palm", "ball", ""} <= bodies  # the bin is the world's
    held = recording.contacts[int(np.argmin(np.abs(recording.time - 1.5)))]
    assert sum(np.linalg.norm(contact.force) for contact in held) > 1.0  # the grip carries 0.12 kg


def test_a_step_that_diverges_is_named():
    task = Catch(gains="thesis")
    engine, state = task.engine(), task.reset(np.random.default_rng(0))
    v = np.array(state.v)
    v[3] = 1e7
    with pytest.raises(DivergedError, match=r"diverged at .* try dt = 2e-06 s"):
        engine.step(state.replace(v=v), None)
