"""Fields of the studio's page for a task's options, made from its `Options`."""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carpal.errors import CarpalError, InputError
from carpal.viewer.files import PLAIN


class OptionFields:
    """One field of the page for each option of a task.

    Args:
        gui: viser's `server.gui`.
        kind: the task's `Options`.
        groups: title to options that are folded away under it.
        resolve: from values to what the options stand for that are left to the task (`Task.resolved`).
    """

    def __init__(
        self,
        gui: Any,
        kind: type,
        groups: Mapping[str, Sequence[str]] | None = None,
        resolve: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        self._hints = typing.get_type_hints(kind)
        self._fields = {field.name: field for field in dataclasses.fields(kind)}
        self._resolve = resolve
        self._stands: dict[str, Any] = {}
        self._handles: dict[str, Any] = {}
        self._folders: list[Any] = []
        self.own_robots: dict[str, str] = {}
        """Robot files of this page: the name that is offered, and the path."""
        folded = {name for names in (groups or {}).values() for name in names}
        for name in (name for name in self._fields if name not in folded):
            self._handles[name] = self._add(gui, self._fields[name])
        for title, names in (groups or {}).items():
            self._folders.append(gui.add_folder(title, expand_by_default=False))
            with self._folders[-1]:
                for name in names:
                    self._handles[name] = self._add(gui, self._fields[name])
        self.show_resolved()

    def values(self) -> dict[str, Any]:
        """Name to value as the page has them; the task checks them. What is left to the task has its default."""
        return {
            name: _default(self._fields[name]) if self._is_left(name) else self._read(name, handle.value)
            for name, handle in self._handles.items()
        }

    def _is_left(self, name: str) -> bool:
        return name in self._stands and self._handles[name].value == self._stands[name]

    def show_resolved(self) -> None:
        """Show the values that options stand for which are left to the task."""
        if self._resolve is None:
            return
        left = {name for name in self._handles if self._is_left(name) or self._handles[name].value == self._plain(name)}
        try:
            found = self._resolve(self.values())
        except CarpalError:  # what cannot be resolved is refused with its sentence when the run starts
            return
        for name, value in found.items():
            if name in left:
                shown = self._shown(name, value)
                self._stands[name] = shown
                self._handles[name].value = shown

    def _plain(self, name: str) -> Any:
        """A field's default as its handle holds it."""
        value = _default(self._fields[name])
        return _text(value) if _width(self._hints[name]) == 0 else value

    def offer_robot(self, label: str, path: str) -> None:
        """Offer a robot file of this page and choose it."""
        handle = self._handles.get("robot")
        if handle is None:
            raise InputError("this task has no robot to choose; see the options of reach.")
        self.own_robots[label] = path
        handle.options = tuple(dict.fromkeys((*handle.options, label)))
        handle.value = label

    def fill(self, values: dict[str, Any]) -> None:
        """Show these values; names that the task does not have are refused."""
        unknown = [name for name in values if name not in self._handles]
        if unknown:
            raise InputError(f"this task has no option '{unknown[0]}'; valid: {', '.join(self._handles) or 'none'}.")
        for name, value in values.items():
            handle, shown = self._handles[name], self._shown(name, value)
            if self._fields[name].metadata.get("slider"):  # a slider offers what is usual, settings may hold more
                handle.min, handle.max = min(handle.min, shown), max(handle.max, shown)
            handle.value = shown

    def on_change(self, act: Callable[[Any], None]) -> None:
        """Call `act` with viser's event when a page changes a field."""
        for handle in self._handles.values():
            handle.on_update(act)

    def remove(self) -> None:
        """Take the fields off the page."""
        for handle in (*self._handles.values(), *self._folders):
            handle.remove()

    def _add(self, gui: Any, field: dataclasses.Field[Any]) -> Any:
        meta, hint, value = field.metadata, self._hints[field.name], _default(field)
        unit = f" [{meta['unit']}]" if meta.get("unit") else ""
        label, about = field.name.replace("_", " ") + unit, meta.get("help") or None
        choices = _choices(field)
        if choices:
            return gui.add_dropdown(label, choices, initial_value=value if value in choices else choices[0], hint=about)
        if hint is bool:
            return gui.add_checkbox(label, bool(value), hint=about)
        if hint is int:
            return gui.add_number(label, int(value), step=1, hint=about, **_bounds(meta, 1))
        if hint is float and meta.get("slider"):
            low, high = (float(x) for x in meta["slider"])
            return gui.add_slider(label, low, high, slider_step(low, high), float(value), hint=about)
        if hint is float:
            return gui.add_number(label, float(value), step=step_of(value), hint=about, **_bounds(meta, step_of(value)))
        if _width(hint) == 3:
            return gui.add_vector3(label, tuple(value), step=min(step_of(x) for x in value), hint=about)
        return gui.add_text(label, _text(value), hint=about)

    def _read(self, name: str, value: Any) -> Any:
        hint = self._hints[name]
        if name == "robot" and value in self.own_robots:
            return self.own_robots[value]
        if hint is str:
            if not isinstance(value, str) or (value and not PLAIN.fullmatch(value)):
                raise InputError(f"{name} must be a plain name; got '{str(value)[:60]}'.")
            choices = _choices(self._fields[name])
            if choices and value not in choices:
                raise InputError(f"{name} must be one of {', '.join(choices)}; got '{value[:60]}'.")
        return value

    def _shown(self, name: str, value: Any) -> Any:
        hint = self._hints[name]
        try:
            if _choices(self._fields[name]) or hint is str:
                return self._read(name, value)
            if hint is bool and isinstance(value, bool):
                return value
            if hint in (int, float) and not isinstance(value, bool) and math.isfinite(value):
                return hint(value)
            width = _width(hint)
            if width is not None and width in (0, len(value)):
                numbers = tuple(float(x) for x in value)
                return numbers if width == 3 else _text(numbers)
        except (TypeError, ValueError) as problem:
            if isinstance(problem, InputError):
                raise
        raise InputError(f"the option {name} cannot be {str(value)[:60]!r}.")


def step_of(value: float) -> float:
    """How finely a number is typed: a thousandth of it, and never coarser than a tenth."""
    return 0.001 if value == 0 else float(min(0.1, 10.0 ** (math.floor(math.log10(abs(value))) - 3)))


def slider_step(low: float, high: float) -> float:
    """How finely a slider moves: about 200 places, a power of ten or half of one."""
    fine = (high - low) / 200
    power = 10.0 ** math.floor(math.log10(fine))
    return power if fine < 2 * power else 5 * power


def _choices(field: dataclasses.Field[Any]) -> tuple[str, ...]:
    choices = tuple(field.metadata.get("choices") or ())
    if not choices and field.metadata.get("offered"):  # a page names what is in the package, not files of the server
        return tuple(field.metadata["offered"])
    if not choices and field.name == "robot":  # a page names robots of the catalogue, not files of the server
        from carpal.model import robots

        return tuple(robots())
    return choices


def _bounds(meta: Any, step: float) -> dict[str, float]:
    if meta.get("at_least") is not None:
        return {"min": meta["at_least"]}
    return {"min": meta["above"] + step} if meta.get("above") is not None else {}


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    return None if field.default_factory is dataclasses.MISSING else field.default_factory()


def _width(hint: Any) -> int | None:
    """Numbers in a tuple; 0 for any number of them; None for other types."""
    if typing.get_origin(hint) is not tuple:
        return None
    inner = typing.get_args(hint)
    return 0 if Ellipsis in inner else len(inner)


def _text(value: Any) -> str:
    return ", ".join(repr(x) for x in value) if isinstance(value, tuple | list) else "" if value is None else str(value)


def option_fields(gui: Any, name: str) -> OptionFields:
    """The fields of a task of the registry, grouped as it says, with the values that its defaults stand for."""
    from carpal.tasks import make_task, task_class

    kind = task_class(name)
    return OptionFields(gui, kind.Options, kind.option_groups, lambda values: make_task(name, **values).resolved())
