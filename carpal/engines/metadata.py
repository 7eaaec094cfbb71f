"""What a recording says about how it came to be: enough to run it again, and nothing that changes from day to day."""

from __future__ import annotations

import importlib.metadata
import json
import math
import platform
from collections.abc import Mapping
from typing import Any

import numpy as np

from carpal import __version__
from carpal.engines.recording_files import FORMAT
from carpal.errors import InputError
from carpal.model import Model, model_to_dict


def run_metadata(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """Everything needed to run it again: versions, the model, and what was given."""
    versions = {"carpal": __version__, "python": platform.python_version()}
    used = ("numpy", "numba", "mujoco") if given.get("engine") == "mujoco" else ("numpy", "numba")
    versions |= {name: importlib.metadata.version(name) for name in used}
    fixed = {"format": FORMAT, **versions, "model": model_to_dict(model)}
    for name in given:
        if name in fixed:
            raise InputError(f"'{name}' is filled in by the recorder; leave it out of the metadata.")
    plain = {str(name): _plain(value, str(name)) for name, value in given.items()}
    return fixed | {"seed": None, "engine": None, "dt": None, "integrator": None, "options": {}} | plain


def _plain(value: Any, what: str) -> Any:
    """As JSON holds it; infinities as text, as in a model's data."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist(), what)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(inner, what) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, what) for inner in value]
    raise InputError(f"the metadata '{what}' must be plain data; got {type(value).__name__} {str(value)[:60]!r}.")


def json_text(data: Any) -> str:
    """As JSON; the same data gives the same text."""
    return json.dumps(data, sort_keys=True, allow_nan=False)
