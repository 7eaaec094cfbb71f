"""XML from anywhere to a tree of elements, with everything refused that could hurt: bombs, depth, size, bytes.

The standard library's expat does the parsing. Whatever later reads the file (MuJoCo among others) sees only what
passed here.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from xml.parsers import expat

from carpal.errors import ModelError

MAX_BYTES = 32_000_000
MAX_DEPTH = 200
MAX_ELEMENTS = 300_000
MESSAGE_LENGTH = 300

# attributes that hold names or paths, in which the letters "nan" mean nothing
_WORDS = re.compile(r"name|link|joint|body|file|class|site|geom|mesh|data|parent|child|target|prefix|text|type", re.I)
_NAN = re.compile(r"(?:^|\s)[+-]?nan", re.I)


def one_line(text: object) -> str:
    """A message squeezed to one line of sensible length, without a full stop at its end."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split()).rstrip(".")
    return line if len(line) <= MESSAGE_LENGTH else line[: MESSAGE_LENGTH - 4] + " ..."


def read_text_safely(path: Path, name: str) -> str:
    """The text of a file that is a plain file, not too large, and UTF-8."""
    try:
        if not path.exists():
            raise ModelError(f"no file '{name}'.")
        if not path.is_file():
            raise ModelError(f"'{name}' is not a plain file.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"'{one_line(name)}' cannot be opened: {one_line(error)}.") from None
    return checked_text(data, name)


def checked_text(data: bytes, name: str) -> str:
    """Bytes as text, or a sentence saying why they are no robot description."""
    if len(data) > MAX_BYTES:
        raise ModelError(f"'{name}' is larger than {MAX_BYTES // 1_000_000} MB, the most that is read.")
    if not data.strip():
        raise ModelError(f"'{name}' is empty; a URDF (<robot>) or MJCF (<mujoco>) file was expected.")
    if b"\0" in data:
        raise ModelError(f"'{name}' holds NUL bytes: it is not text, but URDF and MJCF are.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(f"'{name}' is not UTF-8 text: byte {error.start} cannot be decoded.") from None


class _Builder:
    """Expat's callbacks: counts, refuses, and feeds a tree builder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.depth = 0
        self.elements = 0
        self.tree = ET.TreeBuilder()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth > MAX_DEPTH:
            raise ModelError(f"'{self.name}' is nested deeper than {MAX_DEPTH} elements, the most that is read.")
        if self.elements > MAX_ELEMENTS:
            raise ModelError(f"'{self.name}' has more than {MAX_ELEMENTS} elements, the most that is read.")
        for key, value in attributes.items():
            if _NAN.search(value) and not _WORDS.search(key) and _all_numbers(value):
                raise ModelError(
                    f"'{self.name}' has {key}=\"{one_line(value)}\" in <{one_line(tag)}>; finite numbers were expected."
                )
        self.tree.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.tree.end(tag)

    def doctype(self, *_: object) -> None:
        raise ModelError(
            f"'{self.name}' has a <!DOCTYPE> or <!ENTITY>, which robot files do not need and readers refuse."
        )


def _all_numbers(value: str) -> bool:
    try:
        return any(math.isnan(float(word)) for word in value.split())
    except ValueError:
        return False


def parse(text: str, name: str) -> ET.Element:
    """The root element of a text, or a ModelError of one sentence; comments are dropped."""
    builder = _Builder(name)
    # the declaration's encoding is overruled: the text was decoded as UTF-8 before
    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.tree.data
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.EntityDeclHandler = builder.doctype
    try:
        parser.Parse(text.encode("utf-8"), True)
        return builder.tree.close()
    except expat.ExpatError as error:
        raise ModelError(f"'{name}' is not well-formed XML: {one_line(error)}.") from None
    except UnicodeEncodeError:
        raise ModelError(f"'{name}' is not UTF-8 text.") from None


def to_text(root: ET.Element) -> str:
    """An element tree as text, for MuJoCo."""
    return ET.tostring(root, encoding="unicode")
