"""Batches: one at a time equals many at once, bit for bit, for every public function, layout and number of threads."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from public_functions import FUNCTIONS, OF_SOME_ARMS, arguments
from random_models import random_chain, random_tree

from carpal import dynamics, kinematics
from carpal._core.batch import Groups, KernelInput, run_batch
from carpal.errors import InputError
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia

# every joint kind, a part that the world holds, and a tool behind free, revolute and ball joints
TREE = random_tree(0, joints=14).replace(tool="body_9")
ARM = random_chain(2, 7)
Figure = Callable[..., None]
CASES = [pytest.param(name, id=name.replace(" ", "-")) for name in FUNCTIONS]


def test_the_list_is_complete() -> None:
    """Every lazily exported function of both folders that takes a configuration is in the list."""
    listed = {name.split(" ")[0] for name in FUNCTIONS}
    assert {"fixed", "revolute", "prismatic", "ball", "free"} == {body.joint.kind for body in TREE.bodies}
    assert any(body.parent is None and body.joint.kind != "free" for body in TREE.bodies)
    for folder in (kinematics, dynamics):
        for name in folder.__all__:
            takes = inspect.signature(getattr(folder, name)).parameters
            if {"model", "q", "device"} <= set(takes) and name not in OF_SOME_ARMS:
                assert name in listed, f"{folder.__name__}.{name} is not in tests/public_functions.py"


def differing(got: np.ndarray, expected: np.ndarray) -> int:
    """How many numbers are not the same; shapes must be."""
    assert got.shape == expected.shape
    return int(np.sum(got != expected))


@pytest.mark.parametrize("model", [TREE, ARM], ids=["tree", "arm"])
@pytest.mark.parametrize("name", CASES)
def test_one_at_a_time_equals_batched_bit_for_bit(name: str, model: Model, figure: Figure) -> None:
    function, takes = FUNCTIONS[name]
    given = arguments(model, takes, 1, (3, 4))
    together = function(model, *given)
    alone = [function(model, *(array[index] for array in given)) for index in np.ndindex(3, 4)]
    flat = function(model, *(array.reshape(12, *array.shape[2:]) for array in given))
    wrong = differing(np.reshape(alone, together.shape), together) + differing(flat.reshape(together.shape), together)
    figure(f"{name} of {model.name}, one at a time, as (12,) and as (3, 4): numbers that differ in any bit", wrong, 0)


@pytest.mark.parametrize("name", CASES)
def test_threads_do_not_change_a_bit(name: str, figure: Figure) -> None:
    """20,000 worlds of 14 joints: far above the millisecond below which threads are not started."""
    function, takes = FUNCTIONS[name]
    given = arguments(TREE, takes, 2, (20_000,))
    one = function(TREE, *given, threads=1)
    wrong = sum(differing(function(TREE, *given, threads=threads), one) for threads in (2, 5, None))
    figure(f"{name} of 20,000 worlds with 1, 2, 5 and all threads: numbers that differ in any bit", wrong, 0)


@pytest.mark.parametrize("name", CASES)
def test_layouts_and_types_give_the_same_bits(name: str, figure: Figure) -> None:
    function, takes = FUNCTIONS[name]
    given = arguments(TREE, takes, 3, (6,))
    expected = function(TREE, *given)
    before = [array.copy() for array in given]
    read_only = [array.copy() for array in given]
    for array in read_only:
        array.setflags(write=False)
    variants = {
        "fortran": [np.asfortranarray(array) for array in given],
        "every second": [np.repeat(array, 2, axis=0)[::2] for array in given],
        "backwards": [array[::-1].copy()[::-1] for array in given],
        "read-only": read_only,
        "float32": [array.astype(np.float32) for array in given],
        "big-endian": [array.astype(">f8") for array in given],
        "lists": [array.tolist() for array in given],
    }
    wrong = sum(differing(function(TREE, *values), expected) for values in variants.values())
    figure(f"{name} of {', '.join(variants)} input: numbers that differ in any bit", wrong, 0)
    assert all(np.array_equal(a, b) for a, b in zip(given, before, strict=True)), f"{name} wrote into its input"


@pytest.mark.parametrize("name", CASES)
def test_whole_numbers_are_numbers(name: str) -> None:
    function, takes = FUNCTIONS[name]
    whole = [np.ones(array.shape, int) for array in arguments(TREE, takes, 4, (2,))]
    assert np.array_equal(function(TREE, *whole), function(TREE, *(array.astype(float) for array in whole)))


@pytest.mark.parametrize("name", CASES)
def test_empty_batches_have_the_right_shape(name: str) -> None:
    function, takes = FUNCTIONS[name]
    one = function(TREE, *arguments(TREE, takes, 5))
    for shape in ((0,), (3, 0), (0, 2)):
        assert function(TREE, *arguments(TREE, takes, 5, shape)).shape == (*shape, *one.shape)


@pytest.mark.parametrize("name", [case for case in CASES if len(FUNCTIONS[case.values[0]][1]) > 1])
def test_batch_shapes_are_broadcast(name: str) -> None:
    function, takes = FUNCTIONS[name]
    given = arguments(TREE, takes, 6)
    given[0] = arguments(TREE, ("q",), 7, (4, 1))[0]
    given[1] = arguments(TREE, ("v",), 8, (3,))[0]
    together = function(TREE, *given)
    for i, j in np.ndindex(4, 3):
        assert np.array_equal(together[i, j], function(TREE, given[0][i, 0], given[1][j], *given[2:]))


@pytest.mark.parametrize("name", CASES)
def test_a_robot_that_cannot_move_has_answers_too(name: str) -> None:
    """nq = nv = 0: shapes with a zero in them."""
    statue = Model(name="statue", bodies=(Body("base", None, Joint("mount"), Inertia.point(2.0, [0, 0, 1])),))
    function, takes = FUNCTIONS[name]
    one, many = function(statue, *arguments(statue, takes, 9)), function(statue, *arguments(statue, takes, 9, (3,)))
    assert many.shape == (3, *one.shape)
    assert np.array_equal(many[1], one)


def test_unfit_batch_shapes_are_named() -> None:
    q, v = np.zeros((4, ARM.nq)), np.zeros((3, ARM.nv))
    with pytest.raises(InputError, match=r"do not fit together: q \(4, 7\), v \(3, 7\), vdot \(7,\)"):
        dynamics.inverse_dynamics(ARM, q, v, v[0])


def test_results_are_new_arrays() -> None:
    q = np.zeros((2, ARM.nq))
    first = kinematics.fk(ARM, q)
    kept = first.copy()
    kinematics.fk(ARM, q + 1)
    assert np.array_equal(first, kept)
    assert first.flags.writeable
    assert not np.shares_memory(kinematics.integrate(ARM, q, q, 0.0), q)


def test_large_scratch_is_kept_for_the_same_list_of_shapes() -> None:
    """By each thread for itself."""
    from concurrent.futures import ThreadPoolExecutor

    from carpal._core.batch import _room

    model, shapes = ARM, [(300, 200), (5,)]
    room = _room(model, shapes)
    assert [array.shape for array in room] == [(1, 300, 200), (1, 5)]
    assert _room(model, 4)[0].shape == (1, len(model.tables.joints), 4)
    for _ in range(5):
        _room(model, [(3,)])  # too small to be kept
    assert _room(model, shapes) is room
    assert _room(model, list(shapes)) is not room
    assert ThreadPoolExecutor(1).submit(_room, model, shapes).result() is not _room(model, shapes)
    for _ in range(4):
        _room(model, list(shapes))
    assert _room(model, shapes) is not room  # others came since


def test_groups_hand_arrays_over_by_name() -> None:
    seen = []

    class Pair(NamedTuple):
        a: np.ndarray
        b: np.ndarray

    def entry(factor, inputs, out, start, stop, stride, slot):
        seen.append(type(inputs))
        out[start:stop] = factor * inputs.a[start:stop] + inputs.b[start:stop]
        return 0

    given = [KernelInput("a", np.ones((4, 2)), (2,)), KernelInput("b", np.arange(2.0), (2,))]
    (out,) = run_batch(None, entry, (3.0,), given, [(2,)], groups=Groups(inputs=Pair), threads=1)
    assert seen == [Pair] and np.array_equal(out, np.broadcast_to([3.0, 4.0], (4, 2)))


def test_entries_with_tables_are_called_directly_from_the_second_time() -> None:
    from carpal._core.batch import _known
    from carpal.engines import RigidEngine
    from carpal.engines.rigid.kernels.run import run_batch_of_steps
    from carpal.model import State, load

    engine = RigidEngine(load("so101_old"))
    first, second = (engine.step(State.home(engine.model), np.ones(5)) for _ in range(2))
    assert any(key[0] is run_batch_of_steps for key in _known)
    assert np.array_equal(first.q, second.q) and np.array_equal(first.v, second.v)
    many = engine.step(State(0.0, np.tile(first.q, (3, 1)), np.tile(first.v, (3, 1))), np.ones(5))
    assert np.array_equal(many.q[1], engine.step(first, np.ones(5)).q)


def test_tables_of_another_type_are_never_run_by_the_code_of_the_first() -> None:
    """The same class of table with other dtypes: Numba compiles again instead of misreading memory."""
    from carpal._core.batch import _call_grouped
    from carpal._core.compile import entry

    class Table(NamedTuple):
        x: np.ndarray

    @entry
    def first_of(table, out, start, stop, stride, slot):
        out[0] = table.x[0]
        return 0

    out = np.zeros(1)
    for x in (np.array([2.5]), np.array([3]), np.array([4.5])[::-1], np.array([5.5])):
        for _ in range(2):
            _call_grouped(first_of, (Table(x),), (out, 0, 1, 1, 0))
            assert out[0] == x[0]
