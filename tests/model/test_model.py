"""Model: what it derives, how it is copied, and what it refuses."""

import numpy as np
import pytest
from random_models import random_chain, random_pose, random_q, random_tree, relative_error

from carpal.errors import CarpalError, InputError, MissingInertiaError, ModelError, UnknownNameError
from carpal.kinematics import fk
from carpal.model import Body, Frame, Joint, Model
from carpal.spatial import Inertia


def two_links(**options: object) -> Model:
    upper = Body("upper", None, Joint("shoulder", "revolute", q_min=0.5, q_max=2.0, v_max=3.0, tau_max=4.0))
    lower = Body("lower", "upper", Joint("wrist", "ball"))
    return Model(name="two", bodies=(upper, lower, Body("tip", "lower", Joint("weld"))), **options)


def test_what_a_model_derives() -> None:
    model = two_links(extra_frames=[Frame("eye", "upper")])
    assert (model.nq, model.nv) == (5, 4)
    assert model.joint_names == ("shoulder", "wrist")  # fixed joints have no coordinates
    assert model.frames == ("upper", "lower", "tip", "eye")
    assert model.tool == "tip"
    assert np.array_equal(model.q_home, [0.5, 1, 0, 0, 0])  # zero moved inside the limits, quaternion neutral
    assert np.array_equal(model.q_min, [0.5, *[-np.inf] * 4])
    assert np.array_equal(model.v_max, [3.0, *[np.inf] * 3])
    assert np.array_equal(model.tau_max, [4.0, *[np.inf] * 3])
    assert model.joint_slices() == [("revolute", 0), ("ball", 1)]
    assert repr(model) == "<Model 'two': 3 bodies, nq 5, nv 4, tool 'tip'>"
    assert model.frame_index(None) == model.frame_index("tip") == 2
    assert model.body("lower").parent == "upper"


def test_joints_are_found_by_name() -> None:
    model = random_tree(3, joints=12)
    for (kind, first), name in zip(model.joint_slices(), model.joint_names, strict=True):
        assert model.q_index(name) == first, kind
    tables = {int(row[2]): int(row[3]) for row in model.tables.joints[1:]}
    assert [model.v_index(name) for name in model.joint_names] == [tables[model.q_index(n)] for n in model.joint_names]
    assert any(model.q_index(name) != model.v_index(name) for name in model.joint_names)
    with pytest.raises(UnknownNameError, match="moving joint of model 'two' 'weld'"):
        two_links().q_index("weld")  # a fixed joint has no coordinates
    with pytest.raises(UnknownNameError, match="did you mean 'wrist'"):
        two_links().v_index("wirst")


def test_a_model_cannot_be_changed_by_accident() -> None:
    model = two_links()
    with pytest.raises(AttributeError):
        model.name = "other"
    for array in (model.q_min, model.q_home, model.gravity, model.tool_axis):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_copies_differ_only_where_asked() -> None:
    model = two_links(tool_axis=[0, 2, 0], q_home=[1, 1, 0, 0, 0])
    other = model.replace(gravity=[0, 0, 0])
    assert np.array_equal(other.gravity, [0, 0, 0])
    assert np.array_equal(other.tool_axis, [0, 1, 0])
    assert np.array_equal(other.q_home, model.q_home)
    with pytest.raises(UnknownNameError, match="unknown argument of Model 'gravty'; did you mean 'gravity'"):
        model.replace(gravty=[0, 0, 0])


def test_mounting_moves_everything_that_stood_in_the_world() -> None:
    model, X = random_tree(11, joints=12), random_pose(np.random.default_rng(0))
    q = random_q(model, np.random.default_rng(1))
    moved = model.mounted(X)
    for frame in model.frames:
        assert relative_error(fk(moved, q, frame), X @ fk(model, q, frame)) < 1e-14
    with pytest.raises(InputError, match="not a rigid motion"):
        model.mounted(2 * np.eye(4))


def test_mass_is_the_sum_of_all_bodies() -> None:
    model = random_tree(5)
    assert model.mass == pytest.approx(sum(body.inertia.mass for body in model.bodies), rel=1e-14)
    assert model.has_inertia
    with pytest.raises(MissingInertiaError, match="no published inertia for upper, lower, tip, so its dynamics"):
        _ = two_links().mass


UP = Body("upper", None, Joint("shoulder", "revolute"))


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Model("x", ()), ModelError, "model 'x' has no bodies"),
        (
            lambda: Model("x", (Body("a", "b", Joint("j")),)),
            ModelError,
            "names the parent 'b', which does not come before",
        ),
        (lambda: Model("x", (UP, UP)), ModelError, "two bodies or joints named 'upper' / 'shoulder'"),
        (
            lambda: Model("x", (UP, Body("b", "upper", UP.joint))),
            ModelError,
            "two bodies or joints named 'b' / 'should",
        ),
        (lambda: two_links(extra_frames=[Frame("tip", "upper")]), ModelError, "model 'two' has two frames named 'tip'"),
        (lambda: two_links(extra_frames=[Frame("e", "uper")]), UnknownNameError, "'uper'; did you mean 'upper'"),
        (lambda: two_links(tool="tipp"), UnknownNameError, "tool frame of model 'two' 'tipp'; did you mean 'tip'"),
        (lambda: two_links(gravity=[0, 0]), InputError, r"gravity must be 3 finite numbers; got \[0, 0\]"),
        (lambda: two_links(gravity=[0, 0, np.inf]), InputError, "gravity must be 3 finite numbers"),
        (lambda: two_links(gravity="down"), InputError, "gravity must be real numbers; got 'down'"),
        (lambda: two_links(q_home=[0.0]), InputError, r"q_home must be 5 finite numbers; got \[0.0\]"),
        (lambda: two_links(tool_axis=[0, 0, 0]), InputError, "tool_axis must not be zero"),
        (lambda: two_links().body("lowr"), UnknownNameError, "body of model 'two' 'lowr'; did you mean 'lower'"),
        (lambda: two_links().frame_index(["tip"]), UnknownNameError, "valid: upper, lower, tip"),
    ],
)
def test_nonsense_is_reported(make, error: type[CarpalError], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        make()
    assert str(caught.value).endswith(".")


def test_chains_and_screws_and_rows_are_reachable_from_model() -> None:
    assert Model.from_dh([(0.1, 0, 0, 0)]).nq == 1
    assert Model.from_screws([[0, 0, 0, 0, 0, 1]], np.eye(4)).nq == 1
    assert random_chain(0, 3).bodies[0].inertia != Inertia.nothing()
