"""Designed springs, asked again by someone who knows only energies from positions."""

import numpy as np
import pytest
from finger_inputs import facts_finger, potential, random_finger, slope
from scipy.optimize import root

from carpal.errors import InputError
from carpal.labs.finger import FingerLoad, design_springs


def balance(finger, load, q0):
    """A root of the potential's slope near q0, by SciPy."""
    return root(lambda q: 1e3 * slope(lambda x: potential(finger, x, load), q), q0, tol=1e-13).x


def drawn(rng):
    """A finger and rest angles on the side to which gravity bends it, so that pulling springs can hold them."""
    from carpal.labs.finger import rest_pose

    finger = random_finger(rng)
    return finger, rest_pose(finger).q


def worst_of_one_pose(count):
    rng, off, stiff = np.random.default_rng(31), 0.0, 0.0
    for _ in range(count):
        finger, wanted = drawn(rng)
        design = design_springs(finger.replace(stiffness=1.0), wanted, neutral=finger.neutral)
        off = max(
            off, np.abs(balance(design.finger, None, wanted + 0.01) - wanted).max(), np.abs(design.angle_error).max()
        )
        stiff = max(stiff, np.abs(design.finger.stiffness / finger.stiffness - 1).max())
    return off, stiff


def worst_of_orders(count):
    rng, off, late, refused = np.random.default_rng(32), 0.0, 0.0, 0
    for _ in range(count):
        finger = random_finger(rng).replace(q_max=rng.uniform(1.0, 1.8, 3))
        wanted, order = rng.uniform(0.0, 0.3, 3), rng.permutation(3) + 1
        try:
            design = design_springs(finger, wanted, order=tuple(order), tension=30.0)
        except InputError as error:  # too weak to hold: the sentence says what helps, and it does
            refused += "larger tension" in str(error) or "raise the tension" in str(error)
            design = design_springs(finger, wanted, order=tuple(order), tension=120.0)
        made = design.finger
        assert design.order == tuple(order)
        off = max(off, np.abs(balance(made, None, wanted + 0.01) - wanted).max(), np.abs(design.angle_error).max())
        for i in range(3):  # at its own tension the joint stands at its stop and pushes on nothing
            pull = FingerLoad(tension=design.tension[i])
            q = _at_stop(made, pull, i, design)
            late = max(late, abs(slope(lambda x, pull=pull, made=made: potential(made, x, pull), q)[i]))
    return off, late, refused


def _at_stop(finger, load, joint, design):
    """Joints that closed before at their stops, this one too, the others in balance."""
    closed = [i for i in range(3) if design.tension[i] <= design.tension[joint]]
    free = [i for i in range(3) if i not in closed]
    q = finger.q_max.copy()
    if free:

        def left(x):
            y = q.copy()
            y[free] = x
            return 1e3 * slope(lambda z: potential(finger, z, load), y)[free]

        q[free] = root(left, design.rest[free], tol=1e-13).x
    return q


def test_rest_angles_are_met(figure):
    off, stiff = worst_of_one_pose(25)
    figure("spring design: rest angles missed, random fingers [rad]", off, 1e-6)
    figure("spring design: constants that made those angles, found again, relative", stiff, 1e-6)


def test_closing_orders_are_met(figure):
    off, late, refused = worst_of_orders(12)
    assert refused == 0
    figure("spring design with a closing order: rest angles missed [rad]", off, 1e-6)
    figure("spring design with a closing order: torque on the stop at its tension [N m]", late, 1e-8)


@pytest.mark.full
def test_many_designs(figure):
    off, _ = worst_of_one_pose(500)
    figure("spring design: rest angles missed, 500 random fingers [rad]", off, 1e-6)
    off, late, refused = worst_of_orders(200)
    figure("spring design with a closing order: refused at 30 N of 200 (and made at 120 N)", refused, 20)
    figure("spring design with a closing order: rest angles missed, 200 random fingers and orders [rad]", off, 1e-6)
    figure("spring design with a closing order: torque on the stop at its tension, 200 [N m]", late, 1e-8)


def test_without_gravity_the_order_has_a_closed_form():
    finger = facts_finger(gravity=0.0, tendon_arm=(0.008, 0.006, 0.005), q_max=(1.5, 1.2, 1.0))
    design = design_springs(finger, (0.1, 0.2, 0.0), tension=(3.0, 9.0, 6.0))
    assert np.allclose(
        design.finger.stiffness, finger.tendon_arm * (3, 9, 6) / (finger.q_max - (0.1, 0.2, 0.0)), rtol=1e-12
    )
    assert np.allclose(design.finger.neutral, (0.1, 0.2, 0.0), atol=1e-12)
    assert design.order == (1, 3, 2) and "in the order 1-3-2" in str(design) and design.ok


def test_loads_count():
    load = FingerLoad(tension=1.0, tip_force=(0.1, 0.0))
    finger = facts_finger(tendon_arm=0.005)
    design = design_springs(finger, (0.3, 0.3, 0.3), load=load)
    assert (
        np.abs(balance(design.finger, load, np.array((0.31, 0.3, 0.3))) - 0.3).max() < 1e-9
        and design.stiffness_margin > 0
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rest": (0.1, -0.1, 0.1)}, "joint 2 cannot be held at -0.1 rad .* away from the side"),
        ({"rest": (0.0, 0.1, 0.1)}, "joint 1 cannot be held at 0 rad .* carries nothing"),
        ({"rest": (0.1, 0.1)}, "rest must be 3 finite"),
        ({"rest": (0.1, 0.1, 5.0)}, "joint 3, 5 rad, is outside its stops"),
        ({"order": (1, 2)}, "name the joints 1, 2 and 3 once each"),
        ({"order": (1, 2, 3)}, "needs one tension"),
        ({"order": (1, 2, 3), "tension": -1.0}, "tension must be a number above zero"),
        ({"tension": (1, 1, 2)}, "three different tensions"),
        ({"order": (1, 2, 3), "tension": 9.0, "neutral": 0.0}, "not both"),
        ({"order": (1, 2, 3), "tension": 0.3}, "larger tension or tendon arm"),
        ({"load": FingerLoad(tension=np.ones(2))}, "not a batch"),
    ],
)  # fmt: skip
def test_what_cannot_be_designed_is_one_sentence(options, words):
    finger = facts_finger(tendon_arm=0.005, q_max=(1.5, 1.5, 1.2))
    with pytest.raises(InputError, match=words):
        design_springs(finger, **({"rest": (0.1, 0.1, 0.1)} | options))


def test_order_needs_stops_and_arms():
    with pytest.raises(InputError, match="finite q_max"):
        design_springs(facts_finger(tendon_arm=0.005), (0.1,) * 3, order=(1, 2, 3), tension=9.0)
    with pytest.raises(InputError, match="tendon arms above zero"):
        design_springs(facts_finger(q_max=1.0), (0.1,) * 3, order=(1, 2, 3), tension=9.0)
    with pytest.raises(InputError, match="rests at its stop"):
        design_springs(facts_finger(tendon_arm=0.005, q_max=0.1), (0.1,) * 3, order=(1, 2, 3), tension=9.0)


def test_springs_that_balance_but_cannot_hold():
    """Far over, gravity bends more with each degree than the spring that is just strong enough gains."""
    finger = facts_finger()
    wanted = np.array((-3.0, 0.05, 0.05))
    with pytest.raises(InputError, match=r"cannot hold it|comes to rest elsewhere|cannot be held"):
        design_springs(finger, wanted, neutral=(-3.3, 0.0, 0.0))
