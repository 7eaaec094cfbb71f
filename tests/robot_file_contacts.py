"""Contacts of a URDF at home beside native MuJoCo's reading of the same file; see `robot_file_checks`.

MuJoCo does not filter a link against its neighbour where that is fixed to the world; neighbours of a URDF never count here, so
such pairs are left out. Files with meshes that MuJoCo does not read (COLLADA), or whose inertias it refuses, are not comparable.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np

from carpal.engines import MuJoCoEngine
from carpal.model import Model, State
from carpal.model.readers.urdf_shapes import UrdfMeshes

READ = (".stl", ".obj", ".msh")


def native_urdf(path: Path) -> mujoco.MjModel:
    """The URDF as native MuJoCo reads it, links kept apart; files of meshes are found as ours are and given to it in memory."""
    root = ET.fromstring(path.read_bytes())
    meshes, assets = UrdfMeshes(root, path.parent, False), {}
    for link in root.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
    for k, mesh in enumerate(root.iter("mesh")):
        found = meshes.path(mesh.get("filename", ""))
        if found is None or found.suffix.lower() not in READ:
            raise ValueError(f"not comparable: MuJoCo does not read {mesh.get('filename')}")
        name = f"m{k}{found.suffix.lower()}"
        assets[name] = found.read_bytes()
        mesh.set("filename", name)
    for old in root.findall("mujoco"):
        root.remove(old)
    extension = ET.SubElement(root, "mujoco")
    ET.SubElement(extension, "compiler", {"fusestatic": "false", "discardvisual": "false", "balanceinertia": "true",
                                          "boundmass": "1e-9", "boundinertia": "1e-12"})  # fmt: skip
    return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"), assets)


def _neighbours_of_the_base(native: mujoco.MjModel, a: int, b: int) -> bool:
    """Whether a joint connects two bodies of which one is fixed to the world: MuJoCo filters neighbours, but not these; we do."""
    welds = native.body_weldid[[a, b]]
    moving = welds.max()
    return welds.min() == 0 and native.body_weldid[native.body_parentid[moving]] == 0


def contacts_apart(path: Path, model: Model) -> float:
    """How many pairs of bodies touch at home in one of the two and not in the other."""
    native = native_urdf(path)
    data = mujoco.MjData(native)
    for (kind, i), name in zip(model.joint_slices(), model.joint_names, strict=True):
        if kind in ("revolute", "prismatic"):
            data.qpos[native.joint(name).qposadr[0]] = model.q_home[i]
    mujoco.mj_forward(native, data)
    theirs = set()
    for contact in data.contact[: data.ncon]:
        bodies = [native.geom_bodyid[g] for g in contact.geom]
        if _neighbours_of_the_base(native, *bodies):
            continue
        a, b = (native.body(body).name for body in bodies)
        theirs.add(tuple(sorted("" if name == "world" else name for name in (a, b))))
    theirs -= {tuple(sorted(pair)) for pair in model.exclusions}
    state = State(0.0, np.array(model.q_home), np.zeros(model.nv))
    ours = {tuple(sorted((c.a, c.b))) for c in MuJoCoEngine(model).contacts(state, np.zeros(model.nv))}
    return float(len(theirs ^ ours))
