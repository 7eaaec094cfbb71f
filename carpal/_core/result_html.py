"""A result as a notebook shows it: its sentence with a mark, and its short fields as a table."""

from __future__ import annotations

import dataclasses
from html import escape
from typing import Any

import numpy as np

MOST = 12
"""Numbers of an array that are listed; of a longer one only the shape is shown."""
GOOD, BAD = "#2f855a", "#c53030"
HIDDEN = ("ok", "status")


def result_html(result: Any) -> str:
    """HTML of a result with `ok` and `status`; text is escaped."""
    good = bool(result)
    rows = "".join(
        f'<tr><td style="text-align:left;color:#4a5568">{escape(name.replace("_", " "))}</td>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in short_fields(result)
    )
    mark = f'<b style="color:{GOOD if good else BAD}">{"&#10003;" if good else "&#10007;"}</b>'
    table = f'<table style="margin:.4em 0 0">{rows}</table>' if rows else ""
    return (
        f'<div class="carpal-result" style="border-left:4px solid {GOOD if good else BAD};padding:.3em .9em">'
        f"{mark} {escape(str(result.status))}{table}</div>"
    )


def short_fields(result: Any) -> list[tuple[str, str]]:
    """(name, text) of the fields that a line can hold: numbers, words, short arrays, shapes of long ones."""
    if not dataclasses.is_dataclass(result):
        return []
    found = []
    for field in dataclasses.fields(result):
        text = None if field.name in HIDDEN or field.name.startswith("_") else _text(getattr(result, field.name))
        if text is not None:
            found.append((field.name, text))
    return found


def _text(value: Any) -> str | None:
    if isinstance(value, bool | str | int):
        return str(value)[:120] or None
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        if value.size > MOST or value.dtype == object:
            return f"array of {' x '.join(map(str, value.shape))}"
        return np.array2string(value, precision=4, suppress_small=True, separator=", ").replace("\n", " ")
    return None
