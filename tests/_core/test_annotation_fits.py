"""Values against annotations: right, right but for NaN, something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest
from numpy.typing import ArrayLike

from carpal._core.annotation_fits import FITS, HOLDS_NAN, OTHER, alternatives, resolved, split, verdict
from carpal.engines import Contact
from carpal.errors import InputError
from carpal.kinematics import PosePath
from carpal.model import Model
from carpal.tasks import Map

Clock = Callable[[], float]
Colour = tuple[float, ...]
Target = ArrayLike | Callable[[float], ArrayLike]
Carried = Mapping[str, str | tuple[str, ArrayLike]]


class Walks(Protocol):
    def walk(self) -> None: ...


class Stranger:
    """Of another package: it may stand in for a class, and holds no number."""


def function() -> None:
    """Where names are looked up."""


MODEL = object.__new__(Model)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("float", 3),
        ("float", np.float32(2)),
        ("float", np.inf),
        ("float", np.ones(2)),
        ("int", np.int64(3)),
        ("bool", np.True_),
        ("bool", 0),
        ("str | None", None),
        ("str | Path", Path("x")),
        ("Path", "x"),
        ("Array", [[1, 2], [3, 4]]),
        ("np.ndarray", np.array(["a"])),
        ("ArrayWithGaps", [1.0, np.nan]),
        ("Sequence[float]", (1.0, 2)),
        ("Sequence[float]", np.ones(3)),
        ("tuple[float, ...]", [1.0]),
        ("tuple[str, float]", ("a", 1.0)),
        ("Mapping[str, float]", {"a": 1.0}),
        ("dict[str, Any]", {"a": np.nan}),
        ("Callable[[float], None]", print),
        ("type[int]", int),
        ("Literal['a', 'b']", "b"),
        ("Model", MODEL),
        ("Model", Stranger()),
        ("Walks", Stranger()),
        ("Unheard", Stranger()),
        ("Clock", print),
        ("Colour", (0.1, 0.2)),
        ("Target", [1.0]),
        ("Target", print),
        ("Carried", {"rod": ("link", np.eye(4))}),
        ("Iterable[object]", ["a", ("b", "c")]),
        ("Any", "x"),
        ("", 3),
        ("float | Mapping[str, float]", {"a": 1.0}),
        ("Sequence[str]", {"a": 1}.keys()),
    ],
)
def test_what_fits(annotation, value):
    assert verdict(annotation, value, function) == FITS


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("float", np.nan),
        ("float | None", np.nan),
        ("Array", [1.0, np.nan]),
        ("Sequence[float]", [np.nan]),
        ("Colour", (0.1, np.nan)),
        ("Mapping[str, float]", {"a": np.nan}),
        ("tuple[str, float]", ("a", np.nan)),
        ("Target", np.full(2, np.nan)),
        ("Iterable[object]", [np.nan]),
        ("Any", np.nan),
        ("float | Array", np.nan),
    ],
)
def test_nan_inside(annotation, value):
    assert verdict(annotation, value, function) == HOLDS_NAN


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("float", 1j),
        ("float", "2"),
        ("float", 10**30),
        ("int", 2.0),
        ("int", None),
        ("bool", 2),
        ("bool", "yes"),
        ("str", 3),
        ("Array", [[1.0], [1.0, 2.0]]),
        ("Array", np.ones(2) * 1j),
        ("Array", ["a"]),
        ("np.ndarray", np.array([None])),
        ("Sequence[float]", 3.0),
        ("Sequence[float]", {"a": 1}),
        ("list[str]", "abc"),
        ("tuple[float, ...]", [1j]),
        ("Mapping[str, float]", []),
        ("tuple[str, float]", (1.0, "a")),
        ("Callable[[], None]", 3),
        ("type[int]", 3),
        ("Literal['a']", "c"),
        ("Model", "k10"),
        ("Model", None),
        ("Model", {1}),
        ("Model", object()),
        ("Walks", np.nan),
        ("Unheard", 3),
        ("Clock", np.ones(2)),
        ("Target", [[1.0], [1.0, 2.0]]),
        ("Iterable[object]", np.ones(2) * 1j),
        ("Any", 1j),
        ("bytes", "x"),
        ("Path", 3),
    ],
)
def test_what_is_something_else(annotation, value):
    assert verdict(annotation, value, function) == OTHER


def test_after_a_failure_a_class_must_have_the_name():
    assert verdict("Model", Stranger(), function, strict=True) == OTHER
    assert verdict("Walks", 3, function, strict=True) == FITS, "a protocol is not judged"


def test_parts_of_annotations():
    assert alternatives("dict[str, int | None] | None") == ("dict[str, int | None]", "None")
    assert split("str, tuple[int, int]", ",") == ("str", "tuple[int, int]")
    assert resolved("Model", function) is Model and resolved("Unheard", function) is None


def test_records_refuse_what_they_cannot_mean_and_say_what():
    with pytest.raises(InputError, match=r"PosePath: X_WT\[0, 0\] is nan"):
        PosePath([0.0], np.full((4, 4), np.nan))
    with pytest.raises(InputError, match=r"Contact: point\[2\] is nan"):
        Contact("a", "b", "free", (0.0, 0.0, np.nan))
    with pytest.raises(InputError, match=r"Contact: a must be text; got float 1\.0"):
        Contact(1.0, "b", "free", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0, (0.0, 0.0, 0.0))
    gaps = Map("t", "m", "x", "y", np.zeros(2), np.zeros(2), np.array([1.0, np.nan]), np.ones(2, bool))
    assert np.isnan(gaps.values[1]), "a map may have gaps"
