"""The answer's sentences: each of its kinds, with numbers that are checked against fk."""

import dataclasses

import numpy as np
import pytest

import carpal
from carpal.kinematics import IKResult, random_configurations, reach_bound
from carpal.kinematics.inverse.ik_target import read_target

ARM = carpal.load("sawyer")
GOAL = np.array([0.3, -0.6, 0.2, 1.1, -0.3, 0.7, 0.4])
X = carpal.fk(ARM, GOAL)


def answer(
    q: np.ndarray, target: object, *, ok: bool = False, model: carpal.Model = ARM, attempts: int = 3
) -> IKResult:
    """A result with a configuration of our choice, errors by numpy."""
    asked = read_target(target)
    Y = carpal.fk(model, q)
    p = np.linalg.norm(asked.position - Y[..., :3, 3], axis=-1)
    return IKResult(
        model=model,
        frame=model.tool,
        target=asked,
        method="lm",
        ok=np.full(p.shape, ok)[()],
        q=q,
        position_error=p,
        angle_error=np.zeros_like(p),
        iterations=np.full(p.shape, 5),
        attempts=np.full(p.shape, attempts),
    )


def test_success_says_how_well() -> None:
    result = answer(GOAL, X[:3, 3] + (0, 0, 2e-7), ok=True)
    assert bool(result) is True
    assert str(result) == result.status == "tool reaches its target within 0.2 um, 5 iterations (lm)."
    assert "0.2 um and 0 deg" in str(answer(GOAL, X @ lifted(2e-7), ok=True))


def lifted(z: float) -> np.ndarray:
    out = np.eye(4)
    out[2, 3] = z
    return out


@pytest.mark.parametrize(("z", "text"), [(4e-5, "40 um"), (0.0123, "12.3 mm"), (0.5, "500 mm"), (1.25, "1.25 m")])
def test_lengths_read_well(z: float, text: str) -> None:
    """A configuration with no joint at a limit and no singularity: nothing but the distance is known."""
    inward = (reach_bound(ARM, "tool").center - X[:3, 3]) / np.linalg.norm(reach_bound(ARM, "tool").center - X[:3, 3])
    result = answer(GOAL, X[:3, 3] + z * inward)
    assert str(result) == f"no solution found: the best of 3 starts is {text} short."
    assert "best of 1 start is" in str(answer(GOAL, X[:3, 3] + z * inward, attempts=1))


def test_out_of_reach_counts_from_the_chain_s_length() -> None:
    bound = reach_bound(ARM, "tool")
    direction = np.array([0.6, 0.0, 0.8])
    for beyond, text in ((0.12, "0.12 m"), (0.0031, "3.1 mm"), (2.0, "2 m")):
        result = answer(GOAL, bound.center + (bound.tool_length + beyond) * direction)
        assert str(result) == f"out of reach by {text} for certain: no configuration brings tool there."
    # at the boundary itself, rounding must not make it certain
    result = answer(GOAL, bound.center + bound.tool_length * (1 + 1e-13) * direction)
    assert "out of reach" not in str(result)


def test_a_joint_at_its_limit_is_named_only_if_it_is_in_the_way() -> None:
    q = GOAL.copy()
    q[3] = ARM.q_max[3]
    beyond, before = q.copy(), q.copy()
    beyond[3] += 0.05
    before[3] -= 0.05
    for target in (carpal.fk(ARM, beyond), carpal.fk(ARM, beyond)[:3, 3]):
        assert "stopped at q_max of j3; the best of 3 starts is" in str(answer(q, target))
    assert "j3" not in str(answer(q, carpal.fk(ARM, before)[:3, 3]))
    q[3], q[1] = GOAL[3], ARM.q_min[1]
    low = q.copy()
    low[1] -= 0.05
    Y = carpal.fk(ARM, low)
    assert "stopped at q_min of j1" in str(answer(q, (Y[:3, 3], Y[:3, :3] @ ARM.tool_axis)))


def test_a_wrong_direction_alone_can_hold_a_joint() -> None:
    """The position is reached; only the last joint could turn the tool on, and it stands at its limit."""
    model = carpal.load("k10").replace(tool_axis=[0, 1, 0])
    q = np.array([0.2, -0.5, 0.8, 0.3, model.q_max[4]])
    beyond = q + np.array([0, 0, 0, 0, 0.3])
    Y, Z = carpal.fk(model, q), carpal.fk(model, beyond)
    assert np.allclose(Y[:3, 3], Z[:3, 3], atol=1e-12)
    result = dataclasses.replace(answer(q, (Z[:3, 3], Z[:3, 1]), model=model), angle_error=np.array(0.3))
    assert "stopped at q_max of wrist" in str(result)


def test_singular_counts_the_task_s_lost_directions() -> None:
    """The straight arm bends in one plane only: a point loses two directions, a pose three."""
    model = carpal.load("srs7")
    q = np.zeros(7)
    inside = carpal.fk(model, q) @ lifted(-0.1)
    J = carpal.jacobian(model, q)
    assert [np.linalg.matrix_rank(rows, tol=1e-9) for rows in (J[:3], J)] == [1, 3]
    assert "singular: two singular values below 1e-9" in str(answer(q, inside[:3, 3], model=model))
    assert "singular: three singular values below 1e-9" in str(answer(q, inside, model=model))
    # pointing: turning about the direction is not asked for, so it does not count as lost
    plain = random_configurations(carpal.load("k10"), 1, seed=3)[0]
    k10 = carpal.load("k10")
    Y = carpal.fk(k10, plain)
    assert "singular" not in str(answer(plain, (Y[:3, 3] * 0.98, Y[:3, 0]), model=k10))
    assert "singular" in str(answer(plain, Y @ lifted(1e-3), model=k10)), "five joints never give six freedoms"


def test_outside_the_limits_comes_first() -> None:
    q = GOAL.copy()
    q[2] = 3.5
    text = str(answer(q, X[:3, 3]))
    assert text == "the search ended outside the limits: j2 = 3.5 is not in [-3.043, 3.043]."


def test_batches() -> None:
    q = np.tile(GOAL, (2, 3, 1))
    points = np.tile(X[:3, 3], (2, 3, 1))
    result = answer(q, points, ok=True)
    assert str(result) == "6 of 6 targets solved."
    assert result
    ok = np.ones((2, 3), bool)
    ok[1, 0] = False
    points[1, 0] = 5.0
    mixed = dataclasses.replace(answer(q, points), ok=ok)
    assert not mixed
    assert str(mixed).startswith("5 of 6 targets solved; the first unsolved, (1, 0): out of reach by")
    assert mixed.explain((0, 2)).startswith("tool reaches its target")
