"""`read_file` and `read_text`: the edge at which every problem of a robot file becomes one sentence."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError, ModelError
from carpal.model.model import Model
from carpal.model.readers.collision_meshes import checked_concave
from carpal.model.readers.safe_xml import MAX_BYTES, checked_text, one_line, parse, read_text_safely


def read_file(path: str | os.PathLike[str], *, confined: bool = False, concave: str | None = None) -> Model:
    """A model from a URDF, xacro or MJCF file.

    Args:
        path: the file; its root element says what it is, not its name.
        confined: follow includes and meshes only inside the file's own folder and package (see `mesh_files`), and refuse others.
        concave: what becomes of concave collision meshes, as in `load`.

    Raises:
        ModelError: one sentence, for anything that is wrong with the file.
    """
    file = Path(path)
    if file.suffix.lower() == ".xacro":
        from carpal.model.readers.xacro_files import urdf_of_xacro

        text = urdf_of_xacro(file)
    else:
        text = read_text_safely(file, file.name)
    return _read(text, file.name, file.parent, confined, checked_concave(concave))


def read_text(
    text: str, *, name: str = "text", folder: str | os.PathLike[str] | None = None, concave: str | None = None
) -> Model:
    """A model from the text of a URDF or MJCF file.

    Args:
        text: the XML.
        name: what messages and the model's source call it.
        folder: where included files and meshes are searched; nowhere by default.
        concave: what becomes of concave collision meshes, as in `load`.
    """
    if not isinstance(text, str):
        raise ModelError(f"read_text() takes the text of a robot file; got {type(text).__name__}.")
    if len(text) > MAX_BYTES:
        raise ModelError(f"'{name}' is larger than {MAX_BYTES // 1_000_000} MB, the most that is read.")
    data = text.encode("utf-8", "surrogatepass")
    where = None if folder is None else Path(folder)
    return _read(checked_text(data, name), name, where, False, checked_concave(concave))


def _read(text: str, name: str, folder: Path | None, confined: bool, concave: str | None) -> Model:
    from carpal.model.readers.mjcf import read_mjcf
    from carpal.model.readers.urdf import read_urdf

    try:
        root = parse(text, name)
        if root.tag not in ("robot", "mujoco"):
            raise ModelError(
                f"'{name}' has the root element <{one_line(root.tag)}>; <robot> (URDF) or <mujoco> (MJCF) was expected."
            )
        reader = read_urdf if root.tag == "robot" else read_mjcf
        with np.errstate(all="ignore"):  # numbers that overflow are refused as such
            model, heard = reader(root, name, folder, confined=confined, concave=concave)
            _check_finite(model, name)
    except ModelError as error:
        sentence = str(error)
        raise ModelError(sentence if f"'{name}'" in sentence else f"'{name}': {sentence}") from None
    except CarpalError as error:
        raise ModelError(f"'{name}' makes no sense: {one_line(error)}.") from None
    except MemoryError:
        raise ModelError(f"'{name}' needs more memory than there is.") from None
    except RecursionError:
        raise ModelError(f"'{name}' is nested too deeply.") from None
    except Exception as error:  # a defect of this reader, which a user must not meet as a traceback; the cause is kept
        raise ModelError(f"'{name}' is beyond this reader ({type(error).__name__}: {one_line(error)}).") from error
    for sentence in heard:
        warnings.warn(f"'{name}': {sentence}", UserWarning, stacklevel=3)
    return model


def _check_finite(model: Model, name: str) -> None:
    """Refuse a model in which folding fixed joints together overflowed."""
    if not (np.isfinite(model.tables.bodies).all() and np.isfinite(model.tables.frames).all()):
        raise ModelError(f"'{name}' holds numbers so large that its geometry or inertia overflows.")
