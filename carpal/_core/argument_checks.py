"""What is wrong with an argument, judged by the annotation of its parameter: one sentence, or None.

Numbers, whole numbers, text and arrays are checked before a call (`early_checks`), other types once it has failed (`type_fault`)
or has gone well (`kept_fault`), so that a function's own sentence comes first. `annotation_fits` judges a value.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from carpal._core.annotation_fits import HOLDS_NAN, OTHER, alternatives, annotation_words, verdict

LARGEST = 2**53
"""A whole number beyond this is no count of anything [-]; seeds may be larger."""
SHAPE_TROUBLE = re.compile(
    "broadcast|core dimension|too many indices|out of bounds|inhomogeneous|0-dimensional|ambiguous|to unpack|not subscriptable"
    "|__round__|shape|dimension|array element with a sequence|iterable|has no len|empty sequence|0-d array"
    "|tuple index|cannot unpack|zero-size|unhashable|compatible with the length"
)
"""Words of NumPy's errors about shapes."""
ARTICLES = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "ArrayLike": "numbers",
}


class Endless(str):
    """A fault that must not be tried: the call might not end."""

    __slots__ = ()


class EarlyCheck(NamedTuple):
    """A parameter that is checked before every call."""

    at: int  # position; -1: by name only
    name: str
    fault: Callable[[str, Any], str | None]
    optional: bool


def early_checks(function: FunctionType, nan: bool) -> tuple[EarlyCheck, ...]:
    """Parameters that hold numbers, arrays or text; NaN is refused unless `nan`, or where it is the parameter's default."""
    kinds: dict[str, Callable[[str, Any], str | None]] = {
        "float": _number_fault if not nan else _any_number_fault, "int": _whole_fault, "str": _text_fault, "bool": _truth_fault,
    }  # fmt: skip
    if not nan:
        kinds["ArrayLike"] = _array_fault
    found = []
    for at, parameter in enumerate(inspect.signature(function).parameters.values()):
        parts = set(alternatives(annotation_words(parameter.annotation)))
        (kind, *others) = parts - {"None"} or {""}
        judged = parameter.kind is not parameter.VAR_POSITIONAL and not nan_default(parameter.default)
        if not others and kind in kinds and judged:
            by_name = parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD)
            optional = "None" in parts or parameter.default is None
            found.append(EarlyCheck(-1 if by_name else at, parameter.name, kinds[kind], optional))
    return tuple(found)


def late_fault(
    function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any], problem: Exception
) -> str | None:
    """Why a call that has failed could not go well: a number, a type or a shape; None where its arguments explain nothing."""
    return (
        first_fault(early_checks(function, nan=False), args, named)
        or type_fault(function, args, named)
        or shape_fault(function, args, named, problem)
        or _missing_part(function, args, named, problem)
        or _endless_number(function, args, named, problem)
    )


def kept_fault(function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any], nan: bool) -> str | None:
    """The first argument of a call that went well and yet cannot be what its parameter asks for, or holds NaN; else None."""
    kinds = _kinds_of(function)
    for name, value in (*zip(kinds, args, strict=False), *named.items()):
        annotation, default = kinds.get(name, ("", None))
        if not annotation or value is default or (annotation, type(value)) in _SOUND:
            continue
        found = verdict(annotation, value, function)
        if found == OTHER:
            return f"{name} must be {_readable(annotation)}; got {shown(value)}{_hint(annotation, value)}."
        if found == HOLDS_NAN and not nan and not nan_default(default):
            return f"{_nan_place(name, value)} is nan; all numbers must be finite."
        if type(value).__module__.startswith("carpal"):
            _SOUND.add((annotation, type(value)))
    return None


def _nan_place(name: str, value: Any) -> str:
    """Where the first NaN of a value stands: "q[1, 2]", "v_max['lift']"; empty where there is none."""
    if isinstance(value, Mapping | list | tuple):
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
        return next(filter(None, (_nan_place(f"{name}[{key!r}]", one) for key, one in pairs)), "")
    try:
        wrong = np.isnan(np.asarray(value, float))
    except (TypeError, ValueError):
        return ""
    at = [int(i) for i in np.argwhere(wrong)[0]] if wrong.any() else None
    return "" if at is None else f"{name}{at or ''}"


_SOUND: set[tuple[str, type]] = set()
"""Annotations and classes of the package that fit them."""


@functools.lru_cache(maxsize=4096)
def _kinds_of(function: FunctionType) -> dict[str, tuple[str, Any]]:
    """(annotation, default) of each parameter, in their order; extra positional and named ones are not judged."""
    many = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return {
        name: ("", None) if parameter.kind in many else (annotation_words(parameter.annotation), parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
    }


def nan_default(default: Any) -> bool:
    """Whether NaN has a meaning for a parameter: it is its default."""
    return isinstance(default, float) and math.isnan(default)


def type_fault(function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any]) -> str | None:
    """The first argument that does not fit its annotation, in words; None where all fit or the call itself is malformed."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **named).arguments
    except TypeError:
        return None
    for name, value in given.items():
        parameter = signature.parameters[name]
        if name == "self" or parameter.kind is parameter.VAR_KEYWORD or value is parameter.default:
            continue
        annotation = annotation_words(parameter.annotation)
        values = value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
        wrong = next((one for one in values if not fits(annotation, one, function)), value)
        if not all(fits(annotation, one, function) for one in values):
            return f"{name} must be {_readable(annotation)}; got {shown(wrong)}{_hint(annotation, wrong)}."
    return None


def shape_fault(
    function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any], problem: Exception
) -> str | None:
    """The shapes of a call's arrays, where what was raised is NumPy's complaint about a shape; else None."""
    if not SHAPE_TROUBLE.search(str(problem)) and not isinstance(problem, np.exceptions.AxisError):
        return None
    try:
        given = inspect.signature(function).bind(*args, **named).arguments
    except TypeError:
        return None
    kinds = _kinds_of(function)
    shapes = {
        name: np.shape(value)
        for name, value in given.items()
        if name != "self" and value is not None and _array_kind_fault(name, value) is None
        and (isinstance(value, np.ndarray) or re.search("Array|float|int", kinds[name][0]))
    }  # fmt: skip
    if not shapes:
        return None
    listed = ", ".join(f"{name} {shape if shape else 'a single number'}" for name, shape in shapes.items())
    return f"the shapes of its arguments do not fit: {listed} ({str(problem).partition(chr(10))[0][:120]})."


def _missing_part(
    function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any], problem: Exception
) -> str | None:
    """The argument that lacks an attribute, where that was raised about the argument itself."""
    if not isinstance(problem, AttributeError):
        return None
    given = dict(zip(inspect.signature(function).parameters, args, strict=False)) | dict(named)
    for name, value in given.items():
        if value is problem.obj and name != "self":
            return f"{name} must be an object with '{problem.name}'; got {shown(value)}."
    return None


def _endless_number(
    function: FunctionType, args: tuple[Any, ...], named: Mapping[str, Any], problem: Exception
) -> str | None:
    """The argument that is infinite, where a number was too large for what it was used for."""
    if not isinstance(problem, OverflowError):
        return None
    given = dict(zip(_kinds_of(function), args, strict=False)) | dict(named)
    wrong = (name for name, value in given.items() if isinstance(value, float) and math.isinf(value))
    name = next(wrong, None)
    return None if name is None else f"{name} is {given[name]}; it must be finite."


def shown(value: object) -> str:
    """A value with its type, short."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    try:
        text = f"{value!r}"
    except Exception:  # a foreign type's, or a whole number of thousands of digits
        text = ""
    return f"{type(value).__name__} {text[:60]}".strip()


def fits(annotation: str, value: Any, function: FunctionType) -> bool:
    """Whether a value is of a type that an annotation names."""
    return verdict(annotation, value, function, strict=True) != OTHER


def _readable(annotation: str) -> str:
    """An annotation in words: "a number or None", "a Model", "text or a path"."""
    parts = ["a path" if "PathLike" in part or part == "Path" else part for part in alternatives(annotation)]
    parts = [ARTICLES.get(part, part if part in ("None", "a path") else f"a {part}") for part in parts]
    return " or ".join(dict.fromkeys(re.sub(r"^a (?=[AEIOU])", "an ", part) for part in parts))


def _hint(annotation: str, value: object) -> str:
    if isinstance(value, str) and "Model" in alternatives(annotation):
        return f"; carpal.load({value!r:.60}) makes a Model"
    return ""


def _any_number_fault(name: str, value: Any) -> str | None:
    """What is no real number; an array of real numbers is left to the function."""
    if isinstance(value, numbers.Real | np.floating | np.integer | np.bool_):
        out = isinstance(value, int) and abs(value) >= 2**63
        return f"{name} is {_size(value)}, out of range." if out else None
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return None
    return f"{name} must be a number; got {shown(value)}."


def _size(value: Any) -> str:
    """A large whole number in few letters."""
    try:
        return f"{float(value):.3g}"
    except OverflowError:
        return f"a whole number of {int(value).bit_length()} bits"


def _number_fault(name: str, value: Any) -> str | None:
    if type(value) is float and value == value:
        return None
    fault = _any_number_fault(name, value)
    if fault is None and np.isnan(np.asarray(value, dtype=float)).any():
        return f"{name} is nan; it must be a number."
    return fault


def _whole_fault(name: str, value: Any) -> str | None:
    if not isinstance(value, numbers.Integral | np.integer):
        fault = _number_fault(name, value)
        return None if fault is None else f"{name} must be a whole number; got {shown(value)}."
    if name.endswith("seed") and value < 0:
        return f"{name} is {value}; a seed is 0 or above."
    if abs(int(value)) > LARGEST and not (name.endswith("seed") and abs(int(value)) < 2**128):
        return Endless(f"{name} is {_size(value)}; whole numbers go up to {LARGEST:.3g}.")
    return None


def _truth_fault(name: str, value: Any) -> str | None:
    """Whatever Python takes for true would be tried, for as long as it takes."""
    fine = isinstance(value, bool | np.bool_) or (isinstance(value, numbers.Integral) and value in (0, 1))
    return None if fine else Endless(f"{name} must be true or false; got {shown(value)}.")


def _text_fault(name: str, value: Any) -> str | None:
    return None if isinstance(value, str) else f"{name} must be text; got {shown(value)}."


def _array_kind_fault(name: str, value: Any) -> str | None:
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
    except (ValueError, TypeError):
        return f"{name} is not an array of numbers: its rows differ in length."
    if array.dtype.kind not in "fiub":
        return (
            f"{name} must be real numbers; got {shown(value) if array.dtype.kind == 'O' else f'dtype {array.dtype}'}."
        )
    return None


def _array_fault(name: str, value: Any) -> str | None:
    fault = _array_kind_fault(name, value)
    if fault is not None:
        return fault
    array = np.asarray(value)
    if array.dtype.kind != "f" or not array.size or math.isfinite(float(np.vdot(array, array))):
        return None
    wrong = np.isnan(array)
    if not wrong.any():  # infinite numbers are the function's own to refuse: a limit may be infinite
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{name}{list(at) if at else ''} is nan; all numbers must be finite."


def first_fault(checks: Iterable[EarlyCheck], args: tuple[Any, ...], named: Mapping[str, Any]) -> str | None:
    """The first argument of a call that an early check refuses, in words."""
    for check in checks:
        if 0 <= check.at < len(args):
            value = args[check.at]
        elif check.name in named:
            value = named[check.name]
        else:
            continue
        if value is None and check.optional:
            continue
        fault = check.fault(check.name, value)
        if fault is not None:
            return fault
    return None
