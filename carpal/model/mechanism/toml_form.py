"""Mechanisms as TOML, which people write and read: the data of `Mechanism.to_dict`, a table for each part.

    format = "carpal-mechanism-1"
    name = "pendulum"
    [[bodies]]
    name = "rod"
    inertia = {mass = 1.0, com = [0, 0, -0.1], about_com = [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]}
    [[joints]]
    name = "pin/0"
    p_AP = [0, -0.05, 0]
    b = "rod"
    p_BP = [0, -0.05, 0]

What is left out has its default; a body `a` or `b` that is left out is the world. `kind` may be left out where there
is one kind, and for joints: with `path` it is a slot.
"""

from __future__ import annotations

import os
from typing import Any

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.mechanism.mechanism import Mechanism
from carpal.model.mechanism.plain_data import KINDS, mechanism_from_dict, mechanism_to_dict
from carpal.model.readers.toml_files import toml_data, toml_line

TOP = ("format", "name", "gravity", *KINDS, "fixed", "untouched", "untouched_shapes")
MAX_BYTES = 32_000_000


def read_mechanism(source: str | os.PathLike[str]) -> Mechanism:
    """The mechanism of a TOML text or file; anything wrong is one sentence."""
    return mechanism_of_data(*toml_data(source, MAX_BYTES))


def mechanism_of_data(data: dict[str, Any], what: str) -> Mechanism:
    """The mechanism of a file's data; `what` is what sentences call the file."""
    for key in data:
        if key not in TOP:
            raise unknown_name(f"entry of {what}", key, TOP)
    full: dict[str, Any] = {"format": data.get("format"), "name": data.get("name", "mechanism")}
    full["gravity"] = data.get("gravity", [0.0, 0.0, -9.81])
    for group, kinds in KINDS.items():
        entries = data.get(group, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ModelError(f"{group} in {what} must be tables, each under [[{group}]].")
        full[group] = [_part(entry, group, tuple(kinds)) for entry in entries]
    full["fixed"] = [{"body": None} | entry for entry in _tables(data, "fixed", what)]
    full["untouched"] = [[None if name == "" else name for name in pair] for pair in data.get("untouched", [])]
    full["untouched_shapes"] = data.get("untouched_shapes", [])
    try:
        return mechanism_from_dict(full)
    except CarpalError as error:
        raise type(error)(f"{what}: {error}") from None


def _tables(data: dict[str, Any], group: str, what: str) -> list[dict[str, Any]]:
    entries = data.get(group, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ModelError(f"{group} in {what} must be tables, each under [[{group}]].")
    return entries


def _part(entry: dict[str, Any], group: str, kinds: tuple[str, ...]) -> dict[str, Any]:
    made = dict(entry)
    if "kind" not in made:
        made["kind"] = (
            kinds[0] if len(kinds) == 1 else ("slot" if "path" in entry else "point") if group == "joints" else None
        )
    if group in ("joints", "springs", "actuators", "friction"):
        made = {"a": None, "b": None} | made
    return made


def mechanism_text(mechanism: Mechanism) -> str:
    """The mechanism as TOML, every digit kept; "" stands for the world in `untouched`."""
    data = mechanism_to_dict(mechanism)
    lines = [toml_line(key, data[key]) for key in ("format", "name", "gravity")]
    if data["untouched"]:
        lines.append(
            toml_line("untouched", [["" if name is None else name for name in pair] for pair in data["untouched"]])
        )
    if data["untouched_shapes"]:
        lines.append(toml_line("untouched_shapes", data["untouched_shapes"]))
    for group in (*KINDS, "fixed"):
        for part in data[group]:
            lines += ["", f"[[{group}]]"]
            lines += [toml_line(key, _plain(value)) for key, value in part.items() if value is not None]
    return "\n".join([*lines, ""])


def _plain(value: Any) -> Any:
    """Without None, which TOML does not have."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    return [_plain(item) for item in value] if isinstance(value, list) else value
