"""States with a memory of contacts: what a change keeps and what it drops."""

import numpy as np

from carpal.engines import ModalState


def test_a_changed_place_forgets_the_contacts_and_a_changed_time_does_not():
    state = ModalState(0.0, np.zeros(7), np.zeros(6), np.ones(9))
    assert state.replace(time=1.0).memory is state.memory
    assert state.replace(q=np.ones(7)).memory is None
    assert np.array_equal(state.replace(q=np.ones(7), memory=np.zeros(9)).memory, np.zeros(9))
    assert isinstance(state.replace(v=np.ones(6)), ModalState)
