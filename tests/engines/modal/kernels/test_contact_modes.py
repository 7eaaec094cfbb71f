"""Modes: free, stick, roll and slide from what a contact does."""

from carpal.engines.modal.kernels.contact_modes import FREE, ROLL, SLIDE, STICK, contact_mode


def test_the_slip_decides_first_then_the_turning():
    assert contact_mode(0.0, 1.0, 1.0, 1e-9, 1e-9) == FREE
    assert contact_mode(1.0, 1.0, 0.0, 1e-9, 1e-9) == SLIDE
    assert contact_mode(1.0, 0.0, 1.0, 1e-9, 1e-9) == ROLL
    assert contact_mode(1.0, 1e-10, 1e-10, 1e-9, 1e-9) == STICK
