"""Names that are imported when they are first used, so that importing a package costs nothing.

The package's `__init__.pyi` is the single list of its names: type checkers and editors read it, and so does `lazy`.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any


def lazy(package: str, init_file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the stub beside its `__init__.py`.

    Args:
        package: the package's `__name__`.
        init_file: the package's `__file__`.
    """
    stub = ast.parse(Path(init_file).with_suffix(".pyi").read_text())
    home: dict[str, str] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                home[alias.asname or alias.name] = node.module or ""

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        where = f"{package}.{home[name]}" if home[name] else f"{package}.{name}"
        module = importlib.import_module(where)
        value = getattr(module, name) if home[name] else module
        setattr(importlib.import_module(package), name, value)  # the next access does not come here
        return value

    return get, lambda: sorted(home), sorted(home)
