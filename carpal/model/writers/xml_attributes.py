"""XML attributes with every digit of a number."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import ModelError

_NOT_XML = re.compile("[^\t\n\r -퟿-�\U00010000-\U0010ffff]")


def attributes(**values: ArrayLike | str | None) -> str:
    """XML attributes: numbers with all digits, texts escaped, None left out."""
    out = []
    for name, value in values.items():
        if value is None:
            continue
        text = value if isinstance(value, str) else " ".join(repr(float(x)) for x in np.atleast_1d(np.asarray(value)))
        bad = _NOT_XML.search(text)
        if bad:
            raise ModelError(f"{text[:60]!r} cannot be written as XML: it holds the character {bad.group()!r}.")
        quoted = escape(text, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
        out.append(f'{name.rstrip("_")}="{quoted}"')
    return " ".join(out)
