"""A task's options: declared once as a frozen dataclass, checked here, shown by the command line and the studio."""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name


def option(
    default: Any,
    help: str,
    *,
    unit: str = "",
    choices: Sequence[str] = (),
    above: float | None = None,
    at_least: float | None = None,
    slider: tuple[float, float] | None = None,
    offered: Sequence[str] = (),
) -> Any:
    """A field of a task's `Options`.

    Args:
        default: its type is the option's: a number, a text, True or False, or a tuple of numbers.
        help: one line.
        unit: of the number, for people.
        choices: the only texts that are allowed.
        above, at_least: bounds of a number.
        slider: what a page offers of a number by a slider, lowest and highest; others are allowed all the same.
        offered: texts that a page offers; the command line and Python may give others, such as paths of files.
    """
    known = {
        "help": help, "unit": unit, "choices": tuple(choices), "above": above, "at_least": at_least, "slider": slider,
        "offered": tuple(offered),
    }  # fmt: skip
    return dataclasses.field(default=default, metadata=known)


def read_options(kind: type, given: Mapping[str, Any], task: str = "task") -> Any:
    """The options, each checked; numbers may also come as text, as people write them.

    Args:
        kind: a frozen dataclass.
        given: names to values; what is not named has its default.
        task: for the sentences.
    """
    fields = {f.name: f for f in dataclasses.fields(kind)}
    hints = typing.get_type_hints(kind)
    for name in given:
        if name not in fields:
            raise unknown_name(f"option of {task}", name, fields)
    checked = {name: _value(fields[name], hints[name], value) for name, value in given.items()}
    return kind(**checked)


def options_as_dict(options: Any) -> dict[str, Any]:
    """The options as plain data, tuples as lists."""
    if not dataclasses.is_dataclass(options) or isinstance(options, type):
        raise InputError(f"options_as_dict: options must be a dataclass instance; got {type(options).__name__}.")
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(options).items()
    }


def _value(field: dataclasses.Field[Any], hint: Any, value: Any) -> Any:
    if hint is bool:
        return _truth(field.name, value)
    if hint is str:
        return _text(field, value)
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)
        count = None if Ellipsis in inner else len(inner)
        return _numbers(field, value, count)
    number = _number(field, value)
    if hint is int:
        if number != int(number):
            raise InputError(f"{field.name} must be a whole number; got {value!r}.")
        return int(number)
    return number


def _truth(name: str, value: Any) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise InputError(f"{name} must be true or false; got {value!r}.")


def _text(field: dataclasses.Field[Any], value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{field.name} must be a text; got {value!r:.60}.")
    choices = field.metadata.get("choices", ())
    if choices and value not in choices:
        raise unknown_name(field.name, value, choices)
    return value


def _number(field: dataclasses.Field[Any], value: Any) -> float:
    unit = f" [{field.metadata['unit']}]" if field.metadata.get("unit") else ""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{field.name} must be a finite number{unit}; got {value!r:.60}.")
    above, at_least = field.metadata.get("above"), field.metadata.get("at_least")
    if above is not None and not number > above:
        raise InputError(f"{field.name} must be above {above:g}{unit}; got {number:g}.")
    if at_least is not None and not number >= at_least:
        raise InputError(f"{field.name} must be {at_least:g} or above{unit}; got {number:g}.")
    return number


def _numbers(field: dataclasses.Field[Any], value: Any, count: int | None) -> tuple[float, ...]:
    parts = value.replace(",", " ").split() if isinstance(value, str) else value
    try:
        parts = list(parts)
    except TypeError:
        parts = [parts]
    numbers = tuple(_number(field, part) for part in parts)
    if count is not None and len(numbers) != count:
        raise InputError(f"{field.name} needs {count} numbers; got {len(numbers)}: {', '.join(map(str, parts))}.")
    return numbers
