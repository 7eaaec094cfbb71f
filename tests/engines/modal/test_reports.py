"""Contacts as a recording keeps them: forces in the world that carry the weight."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface


def test_the_forces_of_a_block_carry_its_weight_and_the_push():
    scene = scenes.block(push=(1.0, 0.5))
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2))
    state = engine.run(scene.start(), None, 10).state
    contacts = engine.contacts(state, np.zeros(6))
    assert len(contacts) == 4
    assert {contact.mode for contact in contacts} == {"sticking"}
    assert all(contact.a == "box" and contact.b == "" for contact in contacts)
    total = np.sum([contact.force for contact in contacts], axis=0)  # on the floor
    assert np.abs(total - [1.0, 0.5, -9.81]).max() < 1e-12
    assert all(abs(contact.depth) < 1e-12 for contact in contacts)
