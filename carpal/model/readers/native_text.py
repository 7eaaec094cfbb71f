"""The text of an MJCF file as MuJoCo shall compile it again: files included, paths written out, looks left out."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from pathlib import Path

from carpal.model.readers.mesh_files import find_mesh
from carpal.model.readers.safe_xml import to_text

UNSEEN = {"visual", "statistic", "sensor"}
DRAWN = {"texture", "material", "skin"}
SETTLED = {"meshdir", "assetdir", "texturedir", "strippath", "fusestatic", "discardvisual"}


def native_text(root: ET.Element, meshes: dict[str, str | None], folder: Path | None) -> str | None:
    """The text; None where MuJoCo could not compile the file either, because a mesh or height field is missing.

    Args:
        root: the element <mujoco>, includes expanded and meshes settled, not yet stripped; it is left as it is.
        meshes: from `settle_meshes`.
        folder: where height fields are searched.
    """
    if any(missing is not None for missing in meshes.values()):
        return None
    tree = copy.deepcopy(root)
    for section in list(tree):
        if section.tag in UNSEEN:
            tree.remove(section)
    folders = {key: compiler.get(key, "") for compiler in tree.findall("compiler") for key in SETTLED}
    for field in tree.findall("asset/hfield"):
        if field.get("file"):
            subfolder = folders.get("meshdir") or folders.get("assetdir") or ""
            path = find_mesh(field.get("file", ""), folder, subfolder=subfolder, confined=False)
            if path is None:
                return None
            field.set("file", str(path.resolve()))
    for compiler in tree.findall("compiler"):
        for key in SETTLED:
            compiler.attrib.pop(key, None)
    for asset in (*tree.findall("asset"), *tree.findall("deformable")):
        asset[:] = [child for child in asset if child.tag not in DRAWN]
    for default in list(tree.iter("default")):
        default[:] = [child for child in default if child.tag not in DRAWN]
    for element in tree.iter():
        element.attrib.pop("material", None)
    return to_text(tree)
