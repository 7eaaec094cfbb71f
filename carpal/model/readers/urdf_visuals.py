"""What the links of a URDF look like: <visual> with its mesh file or shape, and the colour of its <material>."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from carpal.errors import CarpalError
from carpal.model.readers.safe_xml import one_line
from carpal.model.readers.urdf_shapes import UrdfMeshes, mesh_scale, named_parts, numbers_of, origin_of, primitive_of
from carpal.model.shapes import GREY
from carpal.model.visuals import Visual

MAX_VISUALS = 5000
SHOWN = 4
Colour = tuple[float, float, float, float]


def urdf_visuals(root: ET.Element, meshes: UrdfMeshes) -> tuple[tuple[Visual, ...], list[str]]:
    """The visuals of every link, and notes on those that are not kept.

    A visual without a colour is grey, or keeps the colours of its mesh file. Meshes are not opened here.
    """
    parts = list(named_parts(root, "visual"))
    if len(parts) > MAX_VISUALS:
        return (), [f"{len(parts)} visuals are more than the {MAX_VISUALS} that are read; none is kept."]
    colours = {
        name: colour
        for material in root.findall("material")
        if (name := material.get("name")) and (colour := _colour(material)) is not None
    }
    for _, _, part in parts:  # a material that one visual defines may be named by others
        for material in part.findall("material"):
            colour, name = _colour(material), material.get("name")
            if name and colour is not None:
                colours.setdefault(name, colour)
    kept: list[Visual] = []
    lost: list[str] = []
    for name, link, part in parts:
        try:
            form, X_BV = primitive_of(part), origin_of(part)
            chosen = part.find("material")
            colour = None if chosen is None else _colour(chosen) or colours.get(chosen.get("name", ""))
            if not isinstance(form, ET.Element):
                kept.append(Visual(name, link, shape=form, X_BV=X_BV, rgba=colour or GREY))
            elif (path := meshes.path(form.get("filename", ""))) is not None:
                scale = tuple(float(factor) for factor in mesh_scale(form))
                kept.append(Visual(name, link, str(path.resolve()), X_BV=X_BV, scale=scale, rgba=colour))  # type: ignore[arg-type] # three
        except CarpalError as error:
            lost.append(f"link '{one_line(link)}': {one_line(error)}")
    if not lost:
        return tuple(kept), []
    listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
    return tuple(kept), [f"{len(lost)} of {len(parts)} visuals are not kept: {listed}."]


def _colour(material: ET.Element) -> Colour | None:
    element = material.find("color")
    if element is None or element.get("rgba") is None:
        return None
    try:
        r, g, b, alpha = (min(1.0, max(0.0, float(number))) for number in numbers_of(element, "rgba", 4))
    except CarpalError:  # a colour that is none spoils nothing
        return None
    return r, g, b, alpha
