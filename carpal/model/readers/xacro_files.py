"""`.xacro` files to URDF text, by xacrodoc (no ROS needed)."""

from __future__ import annotations

from pathlib import Path

from carpal.errors import ModelError
from carpal.model.readers.safe_xml import one_line

EXTRA = 'pip install "carpal[xacro]"'


def urdf_of_xacro(file: Path) -> str:
    """The URDF that a xacro file expands to.

    xacro runs expressions of the file, so a stranger's file belongs into `load(untrusted=True)`.
    """
    if not file.is_file():
        raise ModelError(f"no file '{file.name}'.")
    try:
        from xacrodoc import XacroDoc
    except ImportError:
        raise ModelError(f"'{file.name}' is xacro, which needs the package xacrodoc: {EXTRA}.") from None
    try:
        text: str = XacroDoc.from_file(str(file)).to_urdf_string()
    except Exception as error:  # xacro's own errors, unknown packages, bad expressions
        raise ModelError(f"'{file.name}' could not be expanded by xacro: {one_line(error)[:200]}.") from None
    return text
