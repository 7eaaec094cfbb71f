"""An MJCF tree without everything that a model does not keep, so that MuJoCo neither reads nor builds it.

Textures, materials, lights, cameras, skins and height fields never matter here (a texture of a mutated size once
kept MuJoCo busy for half a minute). Shapes matter only where a body's inertia comes from them, or where tendons wrap around
them. What changes the physics and is not kept (deformables, plugins) is dropped with a sentence.
"""

from __future__ import annotations

import contextlib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

from carpal.errors import ModelError
from carpal.model.readers.mjcf_files import height_field_key
from carpal.model.readers.safe_xml import one_line

MAX_BODIES = 2000
MAX_COPIES = 10_000
KEPT = {
    "compiler", "option", "default", "asset", "worldbody", "custom", "keyframe", "tendon", "equality", "actuator",
}  # fmt: skip
NOTED = {"deformable": "deformable bodies are", "extension": "plugins are"}
NOT_COMPILED = {
    "equality": {"flex", "flexvert", "flexstrain"},
    "actuator": {"plugin"},
}
"""Children of sections that are dropped by name before MuJoCo compiles the file."""
UNSEEN = {"visual", "statistic", "sensor", "contact", "size"}
NOT_IN_DEFAULTS = {"material", "camera", "light"}
NOT_IN_BODIES = {"camera", "light", "plugin"}
ELSEWHERE = {
    "meshdir",
    "assetdir",
    "texturedir",
    "strippath",
    "saveinertial",
    "fusestatic",
    "discardvisual",
    "usethread",
}
PLACEHOLDER = {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"}
UNKNOWN = "1"  # written into the field `user` of bodies whose inertia is unknown; survives <replicate>


def strip(
    root: ET.Element, name: str, meshes: dict[str, str | None], *, keep_shapes: bool = False, attached: bool = False
) -> tuple[list[str], bool]:
    """Strip the tree in place.

    Args:
        root: the element <mujoco>, includes expanded.
        name: what messages call the file.
        meshes: from `settle_meshes`.
        keep_shapes: keep all shapes that can be had, not only those that give a body its inertia.
        attached: the tree is attached to another one, where shapes of its world may give a body its inertia.

    Returns:
        Sentences on what is not kept, and whether MuJoCo is asked to change masses (so that written inertias are not the
        final ones).
    """
    notes = [f"{what} not kept: {_listed(root, tag)}." for tag, what in NOTED.items() if len(list(_inside(root, tag)))]
    notes += _strip_sections(root)
    kept = KEPT - {"tendon", "equality", "actuator"} | {"contact"} if keep_shapes else KEPT
    known = KEPT | set(NOTED) | UNSEEN
    for child in list(root):
        if child.tag in known - kept:
            root.remove(child)
    settings: dict[str, str] = {}
    for compiler in root.findall("compiler"):
        compiler[:] = []
        for key in ELSEWHERE:
            compiler.attrib.pop(key, None)
        settings |= compiler.attrib
    from_shapes = settings.get("inertiafromgeom") == "true"
    changed = from_shapes or settings.get("balanceinertia") == "true"
    changed |= any(settings.get(key, "0") not in ("0", "-1") for key in ("settotalmass", "boundmass", "boundinertia"))
    for default in root.findall("default"):
        _strip_defaults(default, keep_shapes)
    for option in root.findall("option"):
        option[:] = []
        option.attrib = {"gravity": option.attrib["gravity"]} if "gravity" in option.attrib else {}
    for keyframe in root.findall("keyframe"):
        for pose in keyframe:
            pose.attrib = {what: value for what, value in pose.attrib.items() if what in ("name", "qpos")}
    for custom in root.findall("custom"):
        custom[:] = []  # already read, where it is ours
    count = sum(1 for world in root.findall("worldbody") for _ in world.iter("body"))
    if count > MAX_BODIES:
        raise ModelError(f"'{name}' has {count} bodies; at most {MAX_BODIES} are read.")
    for world in root.findall("worldbody"):
        _check_copies(world, name)
    lost = {mesh for mesh, missing in meshes.items() if missing is not None}
    wrapped = {geom.get("geom", "") for tendon in _inside(root, "tendon") for geom in tendon.findall("geom")}
    named = _geom_names(root)
    for world in root.findall("worldbody"):
        _strip_body(world, lost, from_shapes, notes, keep_shapes, wrapped, keep_own=attached)
    gone = named - _geom_names(root)
    for contact in root.findall("contact"):
        contact[:] = [child for child in contact if not {child.get("geom1"), child.get("geom2")} & gone]
    used = {geom.get("mesh", "") for world in root.findall("worldbody") for geom in world.iter("geom")}
    used |= {geom.get("mesh", "") for default in root.findall("default") for geom in default.iter("geom")}
    for asset in root.findall("asset"):
        asset[:] = [child for child in asset if _wanted_asset(child, used - lost, lost, keep_shapes)]
        for child in asset:
            child[:] = []
            if child.tag == "material":
                child.attrib = {key: value for key, value in child.attrib.items() if key in ("name", "class", "rgba")}
    own = ET.SubElement(root, "compiler", {"fusestatic": "false", "discardvisual": "false", "usethread": "false"})
    ET.SubElement(own, "lengthrange", {"mode": "none"})  # MuJoCo would simulate muscles to find their range
    if from_shapes:
        own.set("inertiafromgeom", "auto")
    return notes, changed


def _inside(root: ET.Element, tag: str) -> Iterator[ET.Element]:
    for section in root.findall(tag):
        yield from section


def _listed(root: ET.Element, tag: str) -> str:
    names = [f"{child.tag} '{child.get('name')}'" if child.get("name") else child.tag for child in _inside(root, tag)]
    return one_line(", ".join(names[:6]) + (f", ... ({len(names)} in all)" if len(names) > 6 else ""))


def _strip_sections(root: ET.Element) -> list[str]:
    """Drop what no model keeps of equalities and actuators, with a sentence for each, and the looks of tendons."""
    lost = []
    for tag, kinds in NOT_COMPILED.items():
        for section in root.findall(tag):
            gone = [child for child in section if child.tag in kinds]
            lost += [f"the {child.tag} {tag} '{one_line(child.get('name', ''))}' is not kept." for child in gone]
            section[:] = [child for child in section if child not in gone]
    for tendon in _inside(root, "tendon"):
        tendon.attrib.pop("material", None)
    return lost


def _wanted_asset(child: ET.Element, meshes: set[str], lost: set[str], keep_shapes: bool) -> bool:
    if child.tag == "hfield":
        return keep_shapes and height_field_key(child) not in lost
    if child.tag == "mesh":
        return child.get("name", "") in meshes
    return child.tag == "model" or (keep_shapes and child.tag == "material")


def _geom_names(root: ET.Element) -> set[str]:
    return {name for world in root.findall("worldbody") for geom in world.iter("geom") if (name := geom.get("name"))}


def _strip_defaults(default: ET.Element, keep_shapes: bool) -> None:
    unwanted = NOT_IN_DEFAULTS - {"material"} if keep_shapes else NOT_IN_DEFAULTS
    default[:] = [child for child in default if child.tag not in unwanted]
    for child in default:
        if child.tag == "material":
            child.attrib = {"rgba": child.attrib["rgba"]} if "rgba" in child.attrib else {}
            child[:] = []
        elif child.tag != "geom" or not keep_shapes:
            child.attrib.pop("material", None)
        if child.tag == "default":
            _strip_defaults(child, keep_shapes)


def _own(body: ET.Element) -> Iterator[ET.Element]:
    """Everything that belongs to a body itself: frames and copies do not count as bodies."""
    for child in body:
        yield child
        if child.tag in ("frame", "replicate"):
            yield from _own(child)


def _strip_body(
    body: ET.Element,
    lost: set[str],
    from_shapes: bool,
    notes: list[str],
    keep_shapes: bool,
    wrapped: set[str],
    keep_own: bool = False,
) -> None:
    """Strip a body and those below it; `keep_own` keeps its own shapes, of the world of a model that is attached."""
    shapes = [child for child in _own(body) if child.tag == "geom"]
    explicit = body.find("inertial") is not None
    needed = body.tag == "body" and bool(shapes) and (not explicit or from_shapes)
    unknown = needed and any(geom.get("mesh", "") in lost for geom in shapes)

    def wanted(child: ET.Element) -> bool:
        if child.tag in ("composite", "flexcomp"):
            notes.append(f"the <{child.tag}> in body '{one_line(body.get('name', 'world'))}' is not kept.")
            return False
        if child.tag == "geom":
            kept = (needed and not unknown) or ((keep_shapes or keep_own) and child.get("mesh", "") not in lost)
            kept |= child.get("name", "") in wrapped
            field = child.get("hfield")
            if field is None and child.get("type") != "hfield":
                return kept
            return kept and keep_shapes and field is not None and f"height field {field}" not in lost
        return child.tag not in NOT_IN_BODIES and not (child.tag == "inertial" and needed)

    _keep(body, wanted)
    for child in _own(body):
        if child.tag in ("geom", "site"):
            if child.tag == "site" or not keep_shapes:
                child.attrib.pop("material", None)
            child[:] = []
        elif child.tag == "body":
            _strip_body(child, lost, from_shapes, notes, keep_shapes, wrapped)
    body.attrib.pop("user", None)
    if unknown:
        body.set("user", UNKNOWN)
        ET.SubElement(body, "inertial", PLACEHOLDER)


def _keep(element: ET.Element, wanted: Callable[[ET.Element], bool]) -> None:
    element[:] = [child for child in element if wanted(child)]
    for child in element:
        if child.tag in ("frame", "replicate"):
            _keep(child, wanted)


def _check_copies(element: ET.Element, name: str, copies: int = 1) -> None:
    """Refuse copies of copies of copies before MuJoCo makes them."""
    for child in element:
        count = copies
        if child.tag == "replicate":
            with contextlib.suppress(ValueError):  # MuJoCo says what is wrong with it
                count = copies * max(1, int(child.get("count", "1")))
            if count > MAX_COPIES:
                raise ModelError(f"'{name}' replicates a body {count} times; at most {MAX_COPIES} copies are read.")
        _check_copies(child, name, count)
