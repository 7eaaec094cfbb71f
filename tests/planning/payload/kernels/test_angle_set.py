"""The set from sample to sample: the order of events of figures 35 and 36, energies, time, what is never lost."""

import numpy as np
import pytest

from carpal.planning import AngleSet, angles_under_gravity, relay_payload
from carpal.planning.payload.kernels import angle_set as kernel

GRASP = np.radians(105.0)  # from gravity: the highest cell of figure 36 starts after others


def tilted(degrees, payload, *, seconds=2.0, angle=GRASP):
    """Sets while the gripper tilts through a list of angles; gravity's direction in its plane is x."""
    tilt = np.radians(degrees)
    g = 9.81 * np.stack([np.sin(tilt), np.zeros_like(tilt), np.cos(tilt)], axis=-1)
    return angles_under_gravity(payload, g, np.full(len(tilt), seconds), angle=angle)


@pytest.mark.parametrize("as_published", [True, False])
def test_events_come_in_the_order_of_figures_35_and_36(as_published, figure):
    relay = relay_payload(as_published=as_published, acceleration=0.0, slack=0.01)
    degrees = np.arange(20.0, 80.0, 0.1)
    states, _, known, _ = tilted(degrees, relay)
    cells = np.degrees(AngleSet(states[0]).intervals[0][0])
    first = int(
        (cells + 180) / 360 * kernel.CELLS + 0.5
    )  # the cell in which it was grasped, and the last rows around gravity
    gravity = kernel.CELLS // 2
    assert (states[0] > 0).sum() <= 2
    spread = int(np.argmax((states > 0).sum(axis=1) > 5))  # 29.8: it may adjust, down to gravity
    below = states[:, gravity : first - 1]
    assert (below[spread] > 0).all() and (as_published is False or (below[spread] == 2).all())
    stopped = spread + int(np.argmax((below[spread:] == 1).all(axis=1)))  # 30.2: it may have stopped on the way
    some = stopped + int(
        np.argmax((below[stopped:] == 2).any(axis=1))
    )  # 48.4: some cells move, the highest may still rest
    assert (states[some, first - 1 : first + 2] == 1).any()
    highest = some + int(np.argmax((states[some:, first - 1 : first + 2] != 1).all(axis=1)))  # 49.2: it moves too
    narrower = highest + int(
        np.argmax((states[highest:, first - 1 : first + 2] == 0).all(axis=1))
    )  # 49.6: better known
    events = degrees[[spread, stopped, some, highest, narrower]]
    assert (np.diff(events) >= 0).all() and events[1] < events[2] < events[4]
    assert known and (states[-1] > 0).sum() < (states[narrower] > 0).sum()  # 73.6: nearly known
    wide = (states[spread:] > 0).sum(axis=1)
    assert not as_published or (np.diff(wide) <= 0).all()
    published = np.array([29.8, 30.2, 48.4, 49.2, 49.6])
    figure(
        f"events of figures 35 and 36, as_published={as_published}: largest difference of tilts [degrees]",
        np.abs(events - published).max(), 2.0 if as_published else 6.0, note=str(events),
    )  # fmt: skip


def test_it_swings_past_gravity_by_its_energy():
    """From rest at 105 degrees with the lower friction: the far turning point by balancing energies."""
    tilt = np.radians(40.0)
    relay = relay_payload(drop=0.0, acceleration=0.0, slack=0.0)
    states, _, _, _ = tilted([20.0, 40.0], relay)
    low, high = AngleSet(states[1]).intervals[0]
    from payload_simulation import holding

    friction = 0.2 * 9.81 * float(holding(relay.geometry, np.cos(tilt), np.sin(tilt), 1.0))
    across, start = 9.81 * np.sin(tilt), high - 2 * np.pi / kernel.CELLS
    beta = np.linspace(0, np.pi, 100_001)
    left = across * (np.cos(beta) - np.cos(start)) - friction * (start + beta)
    reach = beta[np.argmax(left < 0)]
    assert reach > 0.02 and -low >= reach - 1e-6
    assert -low <= reach + 3 * np.radians(360 / kernel.CELLS), "not much more than the swing allows"
    published, _, _, _ = tilted([20.0, 40.0], relay.replace(as_published=True))
    assert AngleSet(published[1]).intervals[0][0] >= -np.radians(360 / kernel.CELLS)


def test_what_is_held_stays_where_it_is():
    states, settled, known, width = tilted(np.linspace(0, 20, 50), relay_payload())
    assert (states == states[0]).all() and known and (settled == states[0]).all() and width < 0.1


def test_an_arm_without_time_lets_nothing_settle():
    fast, _, _, _ = tilted(np.arange(20.0, 80.0, 0.5), relay_payload(), seconds=0.0)
    slow, _, _, _ = tilted(np.arange(20.0, 80.0, 0.5), relay_payload(), seconds=5.0)
    assert ((fast > 0) >= (slow > 0)).all() and (fast[-1] > 0).sum() > 2 * (slow[-1] > 0).sum()


def test_a_wider_start_gives_a_wider_set_and_less_friction_too():
    degrees = np.arange(20.0, 80.0, 1.0)
    tilt = np.radians(degrees)
    g = 9.81 * np.stack([np.sin(tilt), np.zeros_like(tilt), np.cos(tilt)], axis=-1)
    seconds = np.full(len(tilt), 2.0)
    narrow, *_ = angles_under_gravity(relay_payload(), g, seconds, angle=1.0, spread=0.02)
    wide, *_ = angles_under_gravity(relay_payload(), g, seconds, angle=1.0, spread=0.3)
    assert ((wide > 0) >= (narrow > 0)).all()
    slippery, *_ = angles_under_gravity(relay_payload(mu_low=0.1), g, seconds, angle=1.0, spread=0.02)
    assert ((slippery > 0) >= (narrow > 0)).mean() > 0.99


def test_the_set_does_not_depend_on_how_the_gripper_is_turned():
    degrees = np.arange(20.0, 70.0, 1.0)
    base, *_ = tilted(degrees, relay_payload())
    tilt, turn = np.radians(degrees), 10 * 2 * np.pi / kernel.CELLS
    g = 9.81 * np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1)
    turned, *_ = angles_under_gravity(relay_payload(), g, np.full(len(tilt), 2.0), angle=GRASP + turn)
    assert (np.roll(base, 10, axis=1) != turned).mean() < 2e-3  # cells at the very ends may differ by rounding


def test_it_is_never_lost(figure):
    """Gravity that jumps about: E19 holds in both modes."""
    rng = np.random.default_rng(5)
    g = rng.normal(size=(200, 60, 3))
    g *= 9.81 / np.linalg.norm(g, axis=-1, keepdims=True)
    for as_published in (False, True):
        states, settled, _, _ = angles_under_gravity(
            relay_payload(as_published=as_published), g, rng.uniform(0, 2, (200, 60)), angle=rng.uniform(-3, 3, 200)
        )
        empty = ((states > 0).sum(axis=-1) == 0).sum() + ((settled > 0).sum(axis=-1) == 0).sum()
        figure(f"200 random paths of 60 samples, as_published={as_published}: empty sets", int(empty), 0)


def test_angles_wrap_and_cells_lie_as_in_erratum_e9():
    assert kernel.cell_angle(0) == -np.pi and kernel.cell_angle(kernel.CELLS // 2) == 0.0
    assert kernel.wrapped(np.pi) == -np.pi and kernel.wrapped(7.0) == pytest.approx(7.0 - 2 * np.pi)
