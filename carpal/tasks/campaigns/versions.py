"""Versions of what the numbers of a campaign may depend on."""

from __future__ import annotations

import importlib.metadata
import platform

from carpal import __version__


def versions() -> dict[str, str]:
    """Versions of Carpal, its kernels, Python and the packages below; rows of different versions must not be mixed."""
    from carpal._core.compile import kernels_hash

    found = {}
    for name in ("numpy", "numba", "mujoco"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:  # a machine that only runs compiled tasks may lack MuJoCo
            found[name] = "absent"
    return {"carpal": __version__, "kernels": kernels_hash(), "python": platform.python_version(), **found}
