"""Shows the section "Example:" of a docstring as code: Griffe knows it as "Examples:" only."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Renames the section before docstrings are parsed."""

    def on_object(self, *, obj: Any, **more: Any) -> None:
        """Called for every object that Griffe has read."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
