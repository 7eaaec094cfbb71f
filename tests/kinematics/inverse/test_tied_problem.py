"""Robots whose couplings are beside the chain: every method and closed form works, dependent joints follow."""

from __future__ import annotations

import numpy as np
import pytest
from constrained_models import five_bar, mimic_arm, with_fingers
from extended_models import extended_model

import carpal
from carpal.errors import InputError
from carpal.kinematics import arm_angle, arm_angle_intervals, constraint_residual, fk, ik, ik_all, random_configurations


@pytest.mark.parametrize("method", ["lm", "dls"])
def test_an_arm_with_mimic_fingers_is_solved_and_the_fingers_follow(method):
    model = mimic_arm()
    X = fk(model, random_configurations(model, 30, seed=1))
    start = np.array(model.q_home)
    start[6], start[7] = 0.03, 0.0  # the second finger is not where its coupling has it
    for result in (ik(model, X, method=method), ik(model, X, start, method=method)):
        assert result.ok.all(), result.status
        assert np.abs(constraint_residual(model, result.q)).max() == 0.0
    assert (result.q[:, 6:] == 0.03).all()
    np.testing.assert_allclose(fk(model, result.q)[:, :3], X[:, :3], atol=3e-6)


def test_closed_forms_serve_arms_with_mimic_fingers():
    model = with_fingers(carpal.load("srs7"))
    plain = carpal.load("srs7")
    q = random_configurations(model, 1, seed=3)[0]
    X = fk(model, q)
    psi = float(arm_angle(model, q))
    start = np.append(plain.q_home, [0.02, 0.0])
    solutions = ik_all(model, X, arm_angle=psi, q0=start)
    assert solutions.ok and (solutions.q[: int(solutions.count), 7:] == 0.02).all()
    bare = ik_all(plain, X, arm_angle=psi, q0=np.array(plain.q_home))
    np.testing.assert_allclose(solutions.q[:, :7], bare.q, atol=1e-12)
    assert ik(model, X).ok and arm_angle_intervals(model, X).ok
    assert np.abs(constraint_residual(model, ik(model, X).q)).max() == 0.0


def test_a_tied_chain_has_no_closed_form_and_says_so():
    arm = with_fingers(carpal.load("srs7"))
    names = arm.joint_names
    tied = arm.replace(couplings=(carpal.model.Coupling("belt", names[4], names[1], (0.0, 0.5)),))
    with pytest.raises(InputError, match=f"joints that couplings or loops tie \\({names[1]}, {names[4]}\\)"):
        ik_all(tied, fk(tied, tied.q_home), arm_angle=0.1)
    with pytest.raises(InputError, match="couplings or loops tie"):
        arm_angle(tied, tied.q_home)


def test_a_mechanism_without_freedom_has_nothing_to_solve_for():
    with pytest.raises(InputError, match="leave no independent joint"):
        ik(extended_model(), [0.1, 0.0, 0.0])


@pytest.mark.full
def test_full_counts_of_tied_and_mimic_robots(figure):
    cases = (("mimic fingers", mimic_arm()), ("coupling in the arm", mimic_arm(True)), ("five-bar", five_bar()))
    for name, model in cases:
        X = fk(model, random_configurations(model, 2000, seed=21))
        target = X if name == "mimic fingers" else X[:, :3, 3]
        result = ik(model, target)
        figure(f"ik with couplings or loops, {name}: solved", result.ok.mean(), 0.998, at_least=True)
        figure(
            f"ik with couplings or loops, {name}: residual", np.abs(constraint_residual(model, result.q)).max(), 1e-12
        )
        inside = (result.q >= model.q_min) & (result.q <= model.q_max)
        figure(
            f"ik with couplings or loops, {name}: inside limits",
            inside.all(axis=1)[result.ok].mean(),
            1.0,
            at_least=True,
        )
