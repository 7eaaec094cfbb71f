"""One TOML file, whatever it describes: a scene, a linkage or a mechanism, recognised by its entries."""

from __future__ import annotations

import os

from carpal.errors import ModelError
from carpal.model.linkage.description import Linkage
from carpal.model.linkage.toml_reader import linkage_of_data
from carpal.model.mechanism.mechanism import Mechanism
from carpal.model.mechanism.plain_data import FORMAT
from carpal.model.mechanism.toml_form import mechanism_of_data
from carpal.model.readers.toml_files import toml_data
from carpal.model.scene import Scene
from carpal.model.scene_toml import scene_of_data

MAX_BYTES = 32_000_000


def read_description(source: str | os.PathLike[str]) -> Scene | Linkage | Mechanism:
    """What a TOML text or file describes.

    A file with `[[bar]]` or `[drive]` is a linkage, one with `[[bodies]]` or the format of a mechanism is a mechanism, any
    other is a scene.
    """
    data, what = toml_data(source, MAX_BYTES)
    if not data:
        raise ModelError(f"{what} is empty; it should describe a scene, a linkage or a mechanism.")
    if "bar" in data or "drive" in data:
        return linkage_of_data(data, what)
    if "bodies" in data or data.get("format") == FORMAT:
        return mechanism_of_data({"format": FORMAT} | data, what)
    return scene_of_data(data, what)
