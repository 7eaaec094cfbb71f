"""Faults of arguments by their annotations."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import pytest
from numpy.typing import ArrayLike

from carpal._core.argument_checks import early_checks, first_fault, fits, late_fault, shown, type_fault
from carpal.model import Model


class Walks(Protocol):
    def walk(self) -> None: ...


def public(
    model: Model, q: ArrayLike, scale: float = 1.0, count: int | None = None, name: str = "", *,
    place: ArrayLike = np.nan,
    file: str | Path | None = None, kind: Literal["a", "b"] = "a", words: list[str] | None = None, pet: Walks | None = None,
) -> None:  # fmt: skip
    """A function with one parameter of each kind."""


def fault(**given):
    return first_fault(early_checks(public, nan=False), (), given)


@pytest.mark.parametrize(
    "good", [{"q": [1, 2]}, {"q": np.ones((2, 3))}, {"q": [np.inf]}, {"scale": 1}, {"scale": np.float32(2)}, {"scale": np.inf},
             {"place": [1.0, np.nan]},
             {"count": np.int64(3)}, {"count": None}, {"name": "x"}, {}],
)  # fmt: skip
def test_what_fits_has_no_fault(good):
    assert fault(**good) is None


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"q": [1.0, np.nan]}, "q[1] is nan"),
        ({"q": [[1.0], [1.0, 2.0]]}, "rows differ in length"),
        ({"q": "text"}, "q must be real numbers"),
        ({"q": None}, "q must be real numbers; got None"),
        ({"scale": np.nan}, "scale is nan"),
        ({"scale": 1j}, "scale must be a number; got complex"),
        ({"scale": "2"}, "scale must be a number; got str '2'"),
        ({"count": "many"}, "count must be a whole number"),
        ({"count": -(10**40)}, "count is -1e+40; whole numbers go up to"),
        ({"scale": 10**5000}, "scale is a whole number of 16610 bits, out of range"),
        ({"name": 3}, "name must be text; got int 3"),
    ],
)
def test_what_does_not_fit_is_said(bad, words):
    assert words in fault(**bad)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"model": "k10"}, "model must be a Model; got str 'k10'; carpal.load('k10') makes a Model."),
        ({"file": 3}, "file must be text or a path or None; got int 3."),
        ({"kind": "c"}, "kind must be"),
        ({"words": ["a", 2]}, "words must be"),
        ({"words": "abc"}, "words must be"),
    ],
)
def test_types_after_a_failure(bad, words):
    assert words in type_fault(public, (), {"model": None, "q": [0.0]} | bad) or "model" not in bad
    given = {"q": [0.0]} | bad
    assert words in type_fault(public, (given.pop("model", MODEL),), given)


MODEL = object.__new__(Model)


def test_protocols_and_unbound_calls_are_not_judged():
    assert type_fault(public, (MODEL, [0.0]), {"pet": 3}) is None
    assert type_fault(public, (), {}) is None
    assert fits("Unheard | None", MODEL, public) and not fits("Unheard | None", 3, public)


def test_shapes_only_where_numpy_complains_about_them():
    wrong = ValueError("operands could not be broadcast together with shapes (3,) (4,)")
    assert "q (2,)" in late_fault(public, (MODEL, np.zeros(2)), {}, wrong)
    assert late_fault(public, (MODEL, np.zeros(2)), {}, ValueError("no such letter")) is None


def test_values_are_shown_short():
    assert shown(np.zeros((2, 3))) == "an array of shape (2, 3) and type float64" and shown(None) == "None"
    assert len(shown("x" * 500)) < 80
