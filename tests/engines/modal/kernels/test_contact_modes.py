"""Modes: free, stick, roll and slide from what a contact does."""

from carpal.engines.modal.kernels.contact_modes import (
    FREE,
    IMPACT,
    ROLL,
    SLIDE,
    SPIN,
    STICK,
    TOUCH,
    contact_mode,
    holds,
)


def test_the_slip_decides_first_then_the_turning():
    assert contact_mode(0.0, 1.0, 1.0, 1.0, 1e-9, 1e-9) == FREE
    assert contact_mode(1.0, 1.0, 0.0, 1.0, 1e-9, 1e-9) == SLIDE
    assert contact_mode(1.0, 0.0, 1.0, 1.0, 1e-9, 1e-9) == ROLL
    assert contact_mode(1.0, 0.0, 0.0, 30.0, 1e-9, 1e-9) == SPIN
    assert contact_mode(1.0, 1e-10, 1e-10, 1e-10, 1e-9, 1e-9) == STICK


def test_what_does_not_slip_holds():
    assert [mode for mode in (FREE, STICK, ROLL, SLIDE, SPIN, TOUCH, IMPACT) if holds(mode)] == [STICK, ROLL, SPIN]
