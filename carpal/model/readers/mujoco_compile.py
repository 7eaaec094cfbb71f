"""MuJoCo as a silent compiler: XML text in, a compiled model and exact inertias out, and every complaint a ModelError.

MuJoCo splits a full inertia matrix into principal axes with an absolute tolerance of 1e-12, which small robots
feel, and refuses inertias that no solid body could have, which many published URDFs hold. So a body's full inertia
is taken as it stands in the file, and MuJoCo compiles a unit inertia in its place.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.readers.safe_xml import one_line
from carpal.spatial import Inertia, rotation_from_wxyz


@contextmanager
def silence() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings, which it would otherwise print and append to MUJOCO_LOG.TXT in the working folder."""
    import mujoco

    heard: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(heard.append)
    try:
        with warnings.catch_warnings():  # MuJoCo's Python side warns of settings that it will drop some day
            warnings.simplefilter("ignore")
            yield heard
    finally:
        mujoco.set_mju_user_warning(before)


def _quat_inertia(body: Any) -> Inertia:
    xx, yy, zz, xy, xz, yz = (float(x) for x in body.fullinertia)
    R = rotation_from_wxyz(body.iquat)
    return Inertia(
        float(body.mass), np.array(body.ipos), R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    )


def _point(body: Any) -> Inertia:
    mass = float(body.mass)
    return Inertia.point(mass, np.array(body.ipos)) if mass else Inertia.nothing()


def compile_text(
    text: str, name: str, *, exact_inertia: bool, massless: bool = False, files: Mapping[str, bytes] | None = None
) -> tuple[Any, dict[int, Inertia]]:
    """Compile a URDF or MJCF text.

    Args:
        text: the whole description, with nothing left to include.
        name: what error messages call the file.
        exact_inertia: take full inertias as they are written. Off where the file asks MuJoCo to change masses.
        massless: accept moving bodies without mass or without moments of inertia (points), which MuJoCo refuses.
        files: models that the text attaches, by the names that it calls them.

    Returns:
        The `MjModel`, and the inertia of each body whose numbers were taken from the text, by body id.
    """
    return compile_spec(text, name, exact_inertia=exact_inertia, massless=massless, files=files)[1:]


def compile_spec(
    text: str, name: str, *, exact_inertia: bool, massless: bool = False, files: Mapping[str, bytes] | None = None
) -> tuple[Any, Any, dict[int, Inertia]]:
    """As `compile_text`, with the `MjSpec` before the rest."""
    import mujoco

    with silence():
        try:
            spec = mujoco.MjSpec.from_string(text, include=dict(files or {}))
            written: dict[str, Inertia] = {}
            for body in spec.bodies:  # MuJoCo would quietly turn negative ones into zero
                if body.explicitinertial and (body.mass < 0 or min(body.inertia) < 0):
                    raise ModelError(f"body '{body.name}' in '{name}' has a negative mass or inertia.")
            if exact_inertia:
                for i, body in enumerate(spec.bodies):
                    full = not np.isnan(body.fullinertia[0])
                    point = massless and not full and not np.any(body.inertia)
                    if body.explicitinertial and (full or point) and i > 0:
                        # names are unique where there are any; a body without one is found again by this one
                        body.name = body.name or _free_name(spec, i)
                        written[body.name] = _quat_inertia(body) if full else _point(body)
                        body.fullinertia = [np.nan, 0, 0, 0, 0, 0]
                        body.mass, body.inertia = 1.0, np.ones(3)
                        body.ipos, body.iquat = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
            compiled = spec.compile()
        except ModelError:
            raise
        except MemoryError:
            raise ModelError(f"'{name}' needs more memory than there is.") from None
        except Exception as error:  # MuJoCo raises ValueError, its own FatalError, TypeError, UnicodeError
            raise ModelError(f"'{name}' was refused by MuJoCo: {_reason(error)}.") from None
    inertias = {
        mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_BODY, body_name): inertia
        for body_name, inertia in written.items()
    }
    return spec, compiled, inertias


def _free_name(spec: Any, number: int) -> str:
    taken = {body.name for body in spec.bodies}
    name = f"body{number}"
    while name in taken:
        name += "_"
    return name


def _reason(error: Exception) -> str:
    line = one_line(error)
    for prefix in ("Error: ", "XML Error: ", "XML parse error "):
        line = line.removeprefix(prefix)
    return line.replace("Element name ''", "element without a name")


def compiled_inertia(compiled: Any, body: int) -> Inertia:
    """A body's inertia from MuJoCo's principal axes."""
    if compiled.body_mass[body] == 0 and not compiled.body_inertia[body].any():
        return Inertia.nothing()  # where MuJoCo makes up a centre of mass
    R = rotation_from_wxyz(compiled.body_iquat[body])
    about_com = (R * compiled.body_inertia[body]) @ R.T
    return Inertia(float(compiled.body_mass[body]), compiled.body_ipos[body], about_com)
