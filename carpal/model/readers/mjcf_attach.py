"""Models that an MJCF file attaches: <asset><model file=.../> and <attach>, read as safely as the file itself.

MuJoCo joins the models, with their prefixes, frames and excludes; it gets each stripped file by a name of its own and opens
nothing itself.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from carpal.errors import ModelError
from carpal.model.readers.mjcf_files import expand_includes, find_part, settle_meshes
from carpal.model.readers.mjcf_strip import strip
from carpal.model.readers.safe_xml import one_line, parse, read_text_safely, to_text

MAX_MODELS = 100
MAX_NESTED = 5


@dataclass(frozen=True, eq=False)
class Attached:
    """A model that is attached: its element <mujoco>, includes expanded and meshes settled, and its meshes."""

    root: ET.Element
    meshes: dict[str, str | None]


def attached_models(root: ET.Element, name: str, folder: Path | None, *, confined: bool) -> dict[str, Attached]:
    """The models that a file attaches, by the names that their `file` attributes are changed to.

    Args:
        root: the element <mujoco>, includes expanded; its <model> elements are changed.
        name: what messages call the file.
        folder: of the file.
        confined: read only from the file's own folder and package.
    """
    found: dict[str, Attached] = {}
    _collect(root, name, folder, folder, confined, found, 0)
    return found


def _collect(
    root: ET.Element,
    name: str,
    main: Path | None,
    folder: Path | None,
    confined: bool,
    found: dict[str, Attached],
    depth: int,
) -> None:
    for element in root.findall("asset/model"):
        file = element.get("file", "")
        if len(found) >= MAX_MODELS or depth >= MAX_NESTED:
            raise ModelError(
                f"'{name}' attaches more than {MAX_MODELS} models, or models within models within models; refused."
            )
        path = find_part(file, name, main, folder, confined=confined, verb="attaches")
        child = parse(read_text_safely(path, path.name), path.name)
        if child.tag != "mujoco":
            raise ModelError(
                f"'{name}' attaches '{one_line(file)}', which is no MJCF file: its root is <{one_line(child.tag)}>."
            )
        beside = expand_includes(child, path.name, path.parent, confined=confined)
        if not element.get("name"):
            element.set("name", child.get("model") or path.stem)
        label = f"attached{len(found)}.xml"
        found[label] = Attached(child, settle_meshes(child, path.parent, confined=confined, beside=beside))
        element.set("file", label)
        element.attrib.pop("content_type", None)
        _collect(child, name, main, path.parent, confined, found, depth + 1)


def stripped_files(
    models: dict[str, Attached], name: str, *, keep_shapes: bool = False
) -> tuple[dict[str, bytes], list[str], bool]:
    """The models as MuJoCo gets them, with what `strip` says of each: sentences, and whether masses are changed."""
    files, notes, changed = {}, [], False
    for label, model in models.items():
        tree = copy.deepcopy(model.root)
        more, changes = strip(tree, name, model.meshes, keep_shapes=keep_shapes, attached=True)
        files[label] = to_text(tree).encode()
        notes += more
        changed |= changes
    return files, notes, changed
