"""Whether a value fits an annotation: its type, element by element, and whether it holds NaN.

Where a class is asked for, a failed call is judged strictly (`strict`): the value's own classes must have that name. A call
that went well is judged mildly: an object of another class may stand in, but numbers, text, None, arrays, containers and
functions of Python and NumPy cannot. Names that cannot be resolved accept everything.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import math
import numbers
import os
import sys
import types
from types import FunctionType
from typing import Any

import numpy as np

FITS, HOLDS_NAN, OTHER = 0, 1, 2
"""Verdicts on a value: right, right but for a NaN inside, or something else."""
ARRAYS = ("ArrayLike", "Array", "NDArray", "ndarray", "ArrayWithGaps")
CONTAINERS = ("Sequence", "Iterable", "Iterator", "list", "tuple", "set", "frozenset", "Set", "Collection")
MAPPINGS = ("Mapping", "MutableMapping", "dict")
ANYTHING = ("", "Any", "object", "Unpack")
LOOKED_INTO = 2000
"""Elements of a container that are judged at most."""


def verdict(annotation: str, value: Any, function: FunctionType, *, strict: bool = False) -> int:
    """How a value fits an annotation: `FITS`, `HOLDS_NAN` or `OTHER`."""
    return min(_verdict_one(part, value, function, strict) for part in alternatives(annotation))


def _verdict_one(part: str, value: Any, function: FunctionType, strict: bool) -> int:
    base, _, inner = part.partition("[")
    base, inner = base.rpartition(".")[2], inner[:-1]
    if base in ANYTHING:
        return _loose(value)
    if part == "None":
        return FITS if value is None else OTHER
    if base == "float":
        return _number(value)
    if base in ("int", "str", "bool"):
        return FITS if _PLAIN[base](value) else OTHER
    if base in ARRAYS:
        found = _array(value, text=base == "ndarray")
        return FITS if found == HOLDS_NAN and base == "ArrayWithGaps" else found
    if base == "Literal":
        return FITS if repr(value) in [choice.strip().replace('"', "'") for choice in inner.split(",")] else OTHER
    if base in CONTAINERS:
        return _container(base, inner, value, function, strict)
    if base in MAPPINGS:
        return _mapping(inner, value, function, strict)
    if base in ("Path", "PathLike"):
        return FITS if isinstance(value, os.PathLike) or (isinstance(value, str) and not strict) else OTHER
    if base == "type":
        kind = resolved(inner, function)
        fine = isinstance(value, type) and (not isinstance(kind, type) or issubclass(value, kind))
        return FITS if fine else OTHER
    if base in _KINDS:
        return FITS if _KINDS[base](value) else OTHER
    return _instance(base, value, function, strict)


_PLAIN = {
    "int": lambda value: isinstance(value, numbers.Integral | np.integer),
    "str": lambda value: isinstance(value, str),
    "bool": lambda value: (
        isinstance(value, bool | np.bool_) or (isinstance(value, numbers.Integral) and value in (0, 1))
    ),
}
_KINDS: dict[str, Any] = {
    "Callable": callable,
    "bytes": lambda value: isinstance(value, bytes | bytearray | memoryview),
}


def _number(value: Any) -> int:
    if isinstance(value, numbers.Real | np.floating | np.integer | np.bool_):
        if isinstance(value, int) and abs(value) >= 2**63:
            return OTHER
        return HOLDS_NAN if value != value else FITS
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return _array(value)
    return OTHER


def _array(value: Any, text: bool = False) -> int:
    """Real numbers; where a plain `np.ndarray` is asked for, text and records of arrays as well."""
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
    except (ValueError, TypeError):
        return OTHER
    if text and array.dtype.kind in "UMV" and isinstance(value, np.ndarray):
        return FITS
    if array.dtype.kind not in "fiub":
        return OTHER
    if array.dtype.kind != "f" or not array.size or math.isfinite(float(np.vdot(array, array))):
        return FITS
    return HOLDS_NAN if np.isnan(array).any() else FITS


def _container(base: str, inner: str, value: Any, function: FunctionType, strict: bool) -> int:
    parts = split(inner, ",") if inner else []
    if isinstance(value, str):  # a row of letters, where a row of texts is asked for
        return FITS if base not in ("list", "tuple") and (not parts or parts[0] in ("str", *ANYTHING)) else OTHER
    if isinstance(value, bytes | collections.abc.Mapping) or not isinstance(value, collections.abc.Iterable):
        return OTHER
    if isinstance(value, np.ndarray) and (value.ndim == 0 or value.dtype.kind == "c"):
        return OTHER
    if not isinstance(value, list | tuple | set | frozenset | np.ndarray) or not parts:
        return FITS
    if base == "tuple" and parts[-1] != "...":
        fixed = len(parts) == len(value)
        pairs = zip(parts, value, strict=True) if fixed else ((parts[0], one) for one in list(value)[:LOOKED_INTO])
        return max((verdict(kind, one, function, strict=strict) for kind, one in pairs), default=FITS)
    return max((verdict(parts[0], one, function, strict=strict) for one in list(value)[:LOOKED_INTO]), default=FITS)


def _loose(value: Any) -> int:
    """What may be anything is no complex number and no NaN."""
    if isinstance(value, complex | np.complexfloating) or (isinstance(value, np.ndarray) and value.dtype.kind == "c"):
        return OTHER
    return HOLDS_NAN if isinstance(value, float | np.floating) and value != value else FITS


def _mapping(inner: str, value: Any, function: FunctionType, strict: bool) -> int:
    if not isinstance(value, collections.abc.Mapping):
        return OTHER
    parts = split(inner, ",")
    if len(parts) != 2:
        return FITS
    inside = list(value.items())[:LOOKED_INTO]
    return max(
        (
            verdict(kind, one, function, strict=strict)
            for pair in inside
            for kind, one in zip(parts, pair, strict=True)
            if kind not in ANYTHING  # what a user notes may be unknown
        ),
        default=FITS,
    )


def _instance(name: str, value: Any, function: FunctionType, strict: bool) -> int:
    """By the names of the value's classes; the name of an alias stands for what it names."""
    if any(cls.__name__ == name for cls in type(value).__mro__):
        return FITS
    built_in = type(value).__module__ in ("builtins", "numpy")
    known = resolved(name, function)
    if known is None:  # a class of a package that is not imported
        return OTHER if built_in else FITS
    if isinstance(known, type):
        protocol = getattr(known, "_is_protocol", False)
        if strict:
            return FITS if protocol else OTHER
        return OTHER if (_plain_data(value) if protocol else built_in) else FITS
    words = str(known)
    if "numpy._typing" in words:  # NumPy's ArrayLike is a union of its private classes
        if isinstance(value, numbers.Number | np.ndarray) or _only_numbers(value):
            return _array(value)
        return OTHER if _plain_data(value) and not isinstance(value, str) and "None" not in words else FITS
    alias = hasattr(known, "__origin__") or isinstance(known, types.UnionType)
    return verdict(words, value, function, strict=strict) if alias and "~" not in words else FITS


def _only_numbers(value: Any) -> bool:
    """Whether a list holds numbers, and lists of them, alone."""
    return isinstance(value, list | tuple) and all(isinstance(x, numbers.Number) or _only_numbers(x) for x in value)


def _plain_data(value: Any) -> bool:
    """What fulfils no protocol."""
    return value is None or isinstance(value, numbers.Number | np.ndarray | str | bytes) or type(value) is object


def resolved(name: str, function: FunctionType) -> Any:
    """What a name in an annotation of a function means; None where no module of the package knows it."""
    key = (name, function.__module__)
    known = _MEANT.get(key, function.__globals__.get(name))
    if known is None:
        for module in tuple(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("carpal."):
                known = vars(module).get(name, known)
    if known is not None:
        _MEANT[key] = known
    return known


_MEANT: dict[tuple[str, str], Any] = {}


@functools.lru_cache(maxsize=4096)
def alternatives(annotation: str) -> tuple[str, ...]:
    """The parts of a union, split where no bracket is open."""
    return split(annotation, "|")


@functools.lru_cache(maxsize=4096)
def split(words: str, at: str) -> tuple[str, ...]:
    """Parts of an annotation between marks that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(words):
        depth += (letter == "[") - (letter == "]")
        if letter == at and depth == 0:
            parts.append(words[start:i].strip())
            start = i + 1
    return (*parts, words[start:].strip())


def annotation_words(annotation: Any) -> str:
    """An annotation as it is written."""
    if annotation is inspect.Parameter.empty:
        return ""
    annotation = getattr(annotation, "__forward_arg__", annotation)
    return annotation.strip("'\"") if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
