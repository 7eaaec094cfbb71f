"""Spring fingers as TOML files: one entry for each field of `SpringFinger`, angles also in degrees under their name with _deg."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.labs.finger.robot import SpringFinger, three
from carpal.model import toml_data

MAX_BYTES = 1_000_000
ANGLES = ("neutral", "q_min", "q_max")
NEEDED = ("length", "mass", "stiffness")
FIELDS = tuple(f.name for f in dataclasses.fields(SpringFinger))
KEYS = (*FIELDS, *(f"{name}_deg" for name in ANGLES))
DATA = Path(__file__).parent / "data"


def read_finger(source: str | os.PathLike[str]) -> SpringFinger:
    """The finger of a TOML text or file; anything wrong is one sentence that says where."""
    data, what = toml_data(source, MAX_BYTES)
    for key in data:
        if key not in KEYS:
            raise unknown_name(f"entry of {what}", key, KEYS)
    for key in NEEDED:
        if key not in data:
            raise ModelError(f"{what} lacks {key}; a finger needs {', '.join(NEEDED)}.")
    fields = {key: value for key, value in data.items() if key in FIELDS}
    try:
        for name in ANGLES:
            if f"{name}_deg" in data:
                if name in data:
                    raise ModelError(f"give {name} or {name}_deg, not both.")
                fields[name] = np.radians(three(data[f"{name}_deg"], f"{name}_deg", finite=False))
        return SpringFinger(**fields)
    except CarpalError as error:
        raise ModelError(f"{what}: {error}") from None


def assumed_finger() -> SpringFinger:
    """The finger whose numbers are assumed, since Prabhu (2018) prints none; see docs/assumptions.md."""
    return read_finger(DATA / "finger.toml")


def finger_toml(finger: SpringFinger) -> str:
    """A finger as TOML that `read_finger` reads back to the last digit."""
    lines = [f'name = "{finger.name}"' if finger.name.isprintable() and '"' not in finger.name else 'name = "finger"']
    for name in FIELDS:
        if name != "name":
            lines.append(f"{name} = [{', '.join(repr(float(x)) for x in getattr(finger, name))}]")
    return "\n".join(lines) + "\n"
