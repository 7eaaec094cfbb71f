"""The files that an MJCF file needs: included ones are put in their places, meshes are found or reported missing."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

from carpal.errors import ModelError
from carpal.model.readers.mesh_files import find_mesh, inside, own_folder
from carpal.model.readers.safe_xml import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, one_line, parse, read_text_safely


def find_part(
    reference: str, name: str, main: Path | None, here: Path | None, *, confined: bool, verb: str = "includes"
) -> Path:
    """The file that another one names.

    Args:
        reference: as written.
        name: what messages call the main file.
        main: the folder of the main file, where MuJoCo searches.
        here: the folder of the file that holds the reference, searched after it.
        confined: only inside the main file's own folder and package.
        verb: what the file does with it.
    """
    label = one_line(reference)
    if main is None or here is None:
        raise ModelError(f"'{name}' {verb} '{label}', but a text without a folder cannot include files.")
    for folder in (main, here):
        path = folder / reference
        try:
            if confined and not inside(path, own_folder(main)):
                raise ModelError(f"'{name}' {verb} '{label}', which is outside its own folder; refused.")
            if path.is_file():
                return path
        except (OSError, ValueError, RuntimeError) as error:
            if isinstance(error, ModelError):
                raise
            break
    raise ModelError(f"'{name}' {verb} '{label}', which was not found.")


class _Includer:
    """Puts included files in place, each at most once, as MuJoCo does."""

    def __init__(self, name: str, folder: Path | None, confined: bool) -> None:
        self.name, self.folder, self.confined = name, folder, confined
        self.seen: set[Path] = set()
        self.beside: dict[ET.Element, Path] = {}  # <mesh> elements of included files, and where those files are
        self.bytes_left = MAX_BYTES
        self.elements_left = MAX_ELEMENTS

    def expand(self, element: ET.Element, here: Path | None, depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise ModelError(f"'{self.name}' and the files it includes are nested deeper than {MAX_DEPTH} elements.")
        children: list[ET.Element] = []
        for child in element:
            self.elements_left -= 1
            if self.elements_left < 0:
                raise ModelError(f"'{self.name}' and the files it includes have more than {MAX_ELEMENTS} elements.")
            if child.tag != "include":
                self.expand(child, here, depth + 1)
                children.append(child)
                continue
            path = find_part(child.get("file", ""), self.name, self.folder, here, confined=self.confined)
            if path.resolve() in self.seen:
                raise ModelError(f"'{self.name}' includes '{one_line(child.get('file'))}' twice, or in a circle.")
            self.seen.add(path.resolve())
            text = read_text_safely(path, path.name)
            self.bytes_left -= len(text)
            if self.bytes_left < 0:
                raise ModelError(f"'{self.name}' and the files it includes exceed {MAX_BYTES // 1_000_000} MB.")
            root = parse(text, path.name)
            self.beside |= dict.fromkeys(root.iter("mesh"), path.parent)
            self.expand(root, path.parent, depth)
            children.extend(root)
        element[:] = children


def expand_includes(root: ET.Element, name: str, folder: Path | None, *, confined: bool) -> dict[ET.Element, Path]:
    """Replace every <include> by what the file holds; confined files may include from their own folder only.

    Returns:
        The folder of the included file, for each <mesh> that came from one.
    """
    includer = _Includer(name, folder, confined)
    includer.expand(root, folder)
    return includer.beside


def settle_meshes(
    root: ET.Element, folder: Path | None, *, confined: bool, beside: Mapping[ET.Element, Path] | None = None
) -> dict[str, str | None]:
    """Find mesh files and write their full paths into the tree.

    Args:
        root: the element <mujoco>, includes expanded.
        folder: of the main file; MuJoCo searches there.
        confined: as in `find_mesh`.
        beside: from `expand_includes`; meshes that are not where MuJoCo searches are found beside the included file.

    Returns:
        By mesh name (`height_field_key` of height fields): None for a file that is there, else the file that is missing.
    """
    settings: dict[str, str] = {}
    for compiler in root.findall("compiler"):
        settings |= {
            key: value for key in ("meshdir", "assetdir", "strippath") if (value := compiler.get(key)) is not None
        }
    subfolder = settings.get("meshdir", settings.get("assetdir", ""))
    found: dict[str, str | None] = {}
    for asset in root.findall("asset"):
        for mesh in asset.findall("mesh"):
            file = mesh.get("file")
            name = mesh.get("name") or Path(file or "").stem
            if file is None:
                found[name] = None
                continue
            if settings.get("strippath") == "true":
                file = file.replace("\\", "/").rpartition("/")[2]
            place = (beside or {}).get(mesh)
            path = find_mesh(file, folder, subfolder=subfolder, confined=confined, beside=place)
            found[name] = None if path else file
            if path:
                mesh.set("name", name)
                mesh.set("file", str(path.resolve()))
        for field in asset.findall("hfield"):
            file = field.get("file")
            if file is not None:
                path = find_mesh(file, folder, subfolder=subfolder, confined=confined, beside=(beside or {}).get(field))
                field.set("name", field.get("name") or Path(file).stem)
                found[height_field_key(field)] = None if path else file
                if path:
                    field.set("file", str(path.resolve()))
    return found


def height_field_key(field: ET.Element) -> str:
    """How a height field stands among the meshes of `settle_meshes`."""
    return f"height field {field.get('name', '')}"
