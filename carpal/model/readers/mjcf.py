"""MJCF to a model: the file is expanded and stripped here, compiled by MuJoCo, and read back from the compiled numbers.

Geoms that collide become shapes (`mjcf_geoms`); equalities, tendons and actuators are in `mjcf_constraints` and
`mjcf_drives`. What changes the motion and is not kept is warned about by name. Files that Carpal wrote carry more than MJCF
has fields for; `carpal.model.writers.mjcf_extras` puts it back.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.model import Model
from carpal.model.native import NativeMjcf
from carpal.model.parts import Body, Frame
from carpal.model.readers.assemble import assemble
from carpal.model.readers.home import home
from carpal.model.readers.mesh_files import may_be_read, missing_sentence
from carpal.model.readers.mjcf_attach import Attached, attached_models, stripped_files
from carpal.model.readers.mjcf_constraints import constraints_of
from carpal.model.readers.mjcf_drives import actuators_of, tendons_of, with_efforts, wrapped_shapes
from carpal.model.readers.mjcf_files import expand_includes, settle_meshes
from carpal.model.readers.mjcf_geoms import FileGeoms, mjcf_geoms
from carpal.model.readers.mjcf_options import option_losses, without_gravity
from carpal.model.readers.mjcf_strip import MAX_BODIES, strip
from carpal.model.readers.mujoco_compile import compile_text
from carpal.model.readers.native_text import native_text
from carpal.model.readers.safe_xml import to_text
from carpal.model.writers.mjcf_extensions import restored
from carpal.model.writers.mjcf_extras import contacts_of, extras_of, restore, visuals_of
from carpal.model.writers.mjcf_shapes import placed_shapes


def read_mjcf(
    root: ET.Element, name: str, folder: Path | None, *, confined: bool, concave: str | None = None
) -> tuple[Model, list[str]]:
    """A model from the root element <mujoco>, and the sentences that deserve a warning."""
    beside = expand_includes(root, name, folder, confined=confined)
    extras = extras_of(root, name)
    shapes = placed_shapes(root, extras, name)
    meshes = settle_meshes(root, folder, confined=confined, beside=beside)
    attached = attached_models(root, name, folder, confined=confined)
    for part in attached.values():
        meshes |= {f"attached {mesh}": file for mesh, file in part.meshes.items() if file is not None}
    title = root.get("model") or Path(name).stem
    written = copy.deepcopy(root)
    dropped, changed = strip(root, name, meshes)
    files, more_dropped, more_changed = stripped_files(attached, name)
    dropped += more_dropped
    exact = not (changed or more_changed)
    compiled, inertias = compile_text(to_text(root), name, exact_inertia=exact, files=files)
    if compiled.nbody > MAX_BODIES + 1:
        raise ModelError(f"'{name}' has {compiled.nbody - 1} bodies; at most {MAX_BODIES} are read.")
    unknown = _unknown(compiled, root)
    warnings = option_losses(written) + dropped
    missing = [file for file in meshes.values() if file is not None]
    if missing:
        warnings.append(missing_sentence(missing))
    bodies, frames, notes, heard = assemble(compiled, inertias, unknown=unknown)
    extensions, more = _extensions(compiled, bodies, frames)
    warnings += heard + more
    if not extras["model"]:
        bodies = with_efforts(bodies, extensions["actuators"], extensions["tendons"])
    geoms = FileGeoms()
    if not extras["model"]:  # somebody else's file
        geoms = mjcf_geoms(written, name, meshes, _carriers(compiled, bodies), concave=concave, attached=attached)
        warnings += geoms.warnings
        notes += geoms.notes
    notes += warnings
    model = Model(
        name=title,
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        gravity=np.zeros(3) if without_gravity(written) else np.array(compiled.opt.gravity),
        q_home=home(compiled, bodies, notes),
        source=f"MJCF '{name}'",
        notes=tuple(notes),
    )
    model = restore(model, extras, name).replace(shapes=shapes)
    if extras["model"]:
        seen = [
            v for v in visuals_of(extras, model, name) if not v.mesh or may_be_read(v.mesh, folder, confined=confined)
        ]
        model = model.replace(visuals=tuple(seen), **contacts_of(extras, model, name))
    else:
        model = geoms.put_on(model)
    wrapped = wrapped_shapes(compiled, extensions["tendons"], _body_names(compiled, bodies), model.shapes)
    tool = model.tool if extras["model"] else None  # chosen with couplings and actuators known
    model = model.replace(shapes=(*model.shapes, *wrapped), tool=tool, **restored(extensions, extras))
    if not extras["model"] and not confined and concave in (None, "hull"):
        model = model.replace(native=_native(written, meshes, folder, compiled, bodies, attached))
    return model, warnings


def _native(
    written: ET.Element,
    meshes: dict[str, str | None],
    folder: Path | None,
    compiled: Any,
    bodies: list[Body],
    attached: dict[str, Attached],
) -> tuple[NativeMjcf, ...]:
    """The file for MuJoCo; never a stranger's, whose text must not be compiled in this process."""
    text = native_text(written, meshes, folder)
    joints = [body.joint.name for body in bodies if body.joint.kind != "fixed"]
    files = {label: native_text(part.root, part.meshes, folder) for label, part in attached.items()}
    kept = {label: other for label, other in files.items() if other is not None}
    if text is None or len(kept) < len(files):
        return ()
    return (NativeMjcf(text, tuple(_carriers(compiled, bodies)), tuple(joints), files=kept),)


def _extensions(compiled: Any, bodies: list[Body], frames: list[Frame]) -> tuple[dict[str, Any], list[str]]:
    """Couplings, loops, tendons and actuators as arguments of Model, and sentences on what of them is not kept."""
    joints = [body.joint.name for body in bodies if body.joint.kind != "fixed"]
    couplings, loops, lost = constraints_of(compiled, joints, _body_names(compiled, bodies), frames)
    tendons, more = tendons_of(compiled, joints, [frame.name for frame in frames])
    actuators, rest = actuators_of(compiled, joints, tendons)
    kept = {"couplings": couplings, "loops": loops, "tendons": tendons, "actuators": actuators}
    return kept, lost + more + rest


def _body_names(compiled: Any, bodies: list[Body]) -> list[str | None]:
    return [None, *_carriers(compiled, bodies)]


def _carriers(compiled: Any, bodies: list[Body]) -> list[str]:
    """Names of the bodies that stand for MuJoCo's bodies 1, 2, ...: where one has several joints, the last of them."""
    last = np.cumsum(np.maximum(compiled.body_jntnum[1:], 1)) - 1
    return [bodies[int(i)].name for i in last]


def _unknown(compiled: Any, root: ET.Element) -> frozenset[int]:
    """Ids of bodies whose inertia would have come from a mesh that is missing."""
    marked = compiled.body_user
    if not marked.size or not marked.any():
        return frozenset()
    # a total mass is shared among all bodies: where one is unknown, all are
    total = any(float(compiler.get("settotalmass", "-1")) > 0 for compiler in root.findall("compiler"))
    rows = range(1, compiled.nbody) if total else np.flatnonzero(marked[:, 0])
    return frozenset(int(i) for i in rows)
