"""Bad input to every public function: one sentence that names the value and the valid choices, never a traceback."""

from __future__ import annotations

import numpy as np
import pytest
from public_functions import FUNCTIONS, arguments
from random_models import random_chain, random_tree

import carpal
from carpal import dynamics, kinematics
from carpal.errors import (
    CarpalError,
    DeviceError,
    InputError,
    MissingInertiaError,
    ModelError,
    UnknownNameError,
    unknown_name,
)
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose

ARM = random_chain(2, 7)
TREE = random_tree(0, joints=14).replace(tool="body_9")
NAMES = list(FUNCTIONS)
FRAMED = [name for name in NAMES if name.split(" ")[0] not in dynamics.__all__ and name != "integrate"]
NEEDS_NO_INERTIA = ("dynamics_regressor",)  # inertias are what it multiplies
DYNAMIC = [name for name in NAMES if name in dynamics.__all__ and name not in NEEDS_NO_INERTIA]


def message_of(error: type[CarpalError], name: str, model: Model, given: list, **options: object) -> str:
    with pytest.raises(error) as caught:
        FUNCTIONS[name][0](model, *given, **options)
    text = str(caught.value)
    assert text.endswith((".", "?")), text
    assert "\n" not in text
    assert 20 < len(text) < 400
    return text


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", NAMES)
def test_a_number_that_is_not_finite_is_found(name: str, value: float) -> None:
    """In every argument, at every joint, alone and inside a batch, where the index is told."""
    takes = FUNCTIONS[name][1]
    for i, argument in enumerate(takes):
        alone, batch = arguments(TREE, takes, 1), arguments(TREE, takes, 1, (2, 3))
        if argument == "dt":
            alone[i] = value
            assert f"dt[0] is {value}" in message_of(InputError, name, TREE, alone)
            continue
        for k in range(alone[i].shape[-1]):
            spoiled = [array.copy() for array in alone]
            spoiled[i][k] = value
            assert f"{argument}[{k}] is {value}; all numbers must be finite" in message_of(
                InputError, name, TREE, spoiled
            )
        batch[i][1, 2, 3] = value
        assert f"{argument}[3] at batch index (1, 2) is {value}" in message_of(InputError, name, TREE, batch)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_shapes_are_told_with_the_right_one(name: str) -> None:
    takes = FUNCTIONS[name][1]
    for i, argument in enumerate(takes):
        if argument == "dt":
            continue
        given = arguments(ARM, takes, 1)
        for wrong, shape in ((np.zeros(6), "(6,)"), (np.zeros((2, 8)), "(2, 8)"), (0.0, "()"), ([], "(0,)")):
            given[i] = wrong
            text = message_of(InputError, name, ARM, given)
            assert f"{argument} of model 'chain_2' needs 7 numbers on its last axis (joint_0, " in text
            assert f"got shape {shape}" in text


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (np.zeros(7, complex), "got dtype complex128"),
        (np.zeros(7, bool), "got dtype bool"),
        (["0"] * 7, "got dtype <U1"),
        ([None] * 7, "got dtype object"),
        ([[0.0] * 7, [0.0] * 6], "its rows differ in length"),
        (None, "got dtype object"),
        ({"joint_0": 0.0}, "got dtype object"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_wrong_types_are_told(name: str, wrong: object, says: str) -> None:
    takes = FUNCTIONS[name][1]
    for i, argument in enumerate(takes):
        given: list = arguments(ARM, takes, 1)
        given[i] = wrong
        assert message_of(InputError, name, ARM, given).startswith(argument)
        assert says in message_of(InputError, name, ARM, given)


@pytest.mark.parametrize("name", FRAMED)
def test_unknown_frames_get_a_suggestion(name: str) -> None:
    given = arguments(ARM, FUNCTIONS[name][1], 1)
    text = message_of(UnknownNameError, name, ARM, given, frame="lonk_3")
    assert "unknown frame of model 'chain_2' 'lonk_3'; did you mean 'link_3'? valid: base, link_0" in text
    for frame in (7, ["link_3"], ""):
        assert "valid: base, link_0" in message_of(UnknownNameError, name, ARM, given, frame=frame)


@pytest.mark.parametrize("name", NAMES)
def test_zero_quaternions_are_named(name: str) -> None:
    takes = FUNCTIONS[name][1]
    for joint, (kind, first) in zip(TREE.joint_names, TREE.joint_slices(), strict=True):
        if kind not in ("ball", "free"):
            continue
        chain = TREE.tables.chains[TREE.frame_index(None)]
        row = 1 + TREE.joint_names.index(joint)
        if name in FRAMED and row not in chain:
            continue  # a joint that does not move the tool
        given = arguments(TREE, takes, 1, (2,))
        start = first + (3 if kind == "free" else 0)
        given[0][1, start : start + 4] = 0.0
        text = message_of(InputError, name, TREE, given)
        assert f"the quaternion of joint '{joint}' (q[{start}:{start + 4}]) at batch index (1,) is zero" in text


@pytest.mark.parametrize("name", NAMES)
def test_devices_and_threads(name: str) -> None:
    given = arguments(ARM, FUNCTIONS[name][1], 1)
    text = message_of(UnknownNameError, name, ARM, given, device="cpuu")
    assert text == "unknown device 'cpuu'; did you mean 'cpu'? valid: cpu, cuda."
    for threads in (0, -1, 1.5, "two"):
        text = message_of(InputError, name, ARM, given, threads=threads)
        assert text == f"threads must be a whole number, 1 or above; got {threads!r}."


@pytest.mark.parametrize("name", NAMES)
def test_no_gpu_is_one_clear_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    try:
        from numba import cuda

        if cuda.is_available():
            pytest.skip("this machine has a GPU")
    except ImportError:
        pass
    text = message_of(DeviceError, name, ARM, arguments(ARM, FUNCTIONS[name][1], 1), device="cuda")
    assert text.startswith('device="cuda" was asked for, but ')
    assert 'use device="cpu"' in text


def _with_last_inertia(joint: Joint, inertia: Inertia | None) -> Model:
    first = Body("upper", None, Joint("shoulder", "revolute"), Inertia(1.0, [0, 0, 0.1], 0.01 * np.eye(3)))
    return Model(name="odd", bodies=(first, Body("lower", "upper", joint, inertia)))


X = pose(p=[0.3, 0.2, 0.1])
POINT = Inertia(1.0, np.zeros(3), np.zeros((3, 3)))
ROD = Inertia(1.0, np.array([0.1, 0.2, 0.3]), np.zeros((3, 3)))


@pytest.mark.parametrize(
    ("joint", "inertia"),
    [
        (Joint("elbow", "revolute", X_PJ=X), Inertia.nothing()),
        (Joint("elbow", "ball", X_PJ=X), Inertia.nothing()),
        (Joint("elbow", "revolute", X_PJ=X, axis=[1, 0.3, 0.2]), POINT),  # a point on its own axis
        (Joint("elbow", "ball", X_PJ=X), ROD),  # a point on a stick does not resist turning about the stick
    ],
    ids=["massless revolute", "massless ball", "point on the axis", "point on a ball joint"],
)
def test_singular_dynamics_are_refused(joint: Joint, inertia: Inertia) -> None:
    """Not only exact zeros: an inertia that is nothing but rounding must not become an acceleration of 1e16."""
    model = _with_last_inertia(joint, inertia)
    ones = np.ones(model.nv)
    with pytest.raises(
        InputError, match=r"mass matrix of model 'odd' is singular there \(a joint that moves no mass\)"
    ):
        dynamics.forward_dynamics(model, model.q_home + 0.1, ones, ones)
    armoured = model.replace(
        bodies=tuple(
            Body(b.name, b.parent, Joint(b.joint.name, b.joint.kind, X_PJ=b.joint.X_PJ, armature=0.1), b.inertia)
            for b in model.bodies
        )
    )
    assert np.isfinite(dynamics.forward_dynamics(armoured, model.q_home + 0.1, ones, ones)).all()


@pytest.mark.parametrize("name", DYNAMIC)
def test_models_without_inertia_are_refused(name: str) -> None:
    model = _with_last_inertia(Joint("elbow", "revolute"), None)
    text = message_of(MissingInertiaError, name, model, arguments(model, FUNCTIONS[name][1], 1))
    assert "model 'odd' has no published inertia for lower, so its dynamics are refused" in text
    assert kinematics.fk(model, [0.0, 0.0]).shape == (4, 4)


def test_every_error_has_one_parent_that_is_a_value_error() -> None:
    for kind in (DeviceError, InputError, MissingInertiaError, ModelError, UnknownNameError):
        assert issubclass(kind, CarpalError)
    assert issubclass(CarpalError, ValueError)
    assert carpal.errors.CarpalError is CarpalError


def test_long_lists_of_choices_are_cut() -> None:
    text = str(unknown_name("robot", "xyz", [f"r{i}" for i in range(30)]))
    assert text.startswith("unknown robot 'xyz'; valid: r0, r1, ")
    assert text.endswith("r19, ... (30 in all).")
    assert str(unknown_name("robot", "xyz", [])) == "unknown robot 'xyz'; valid: none."
