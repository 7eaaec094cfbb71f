"""A motion as USD (.usd, .usdc, .usda): one Xform a body with time samples, its parts below it, joint values as attributes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.report.drawn_parts import drawn_parts, surface
from carpal.report.exports.motion import Motion
from carpal.report.parts import Part
from carpal.spatial import wxyz_from_rotation

CODES_PER_SECOND = 60.0
"""USD's time codes in a second; between two samples USD interpolates."""


def write_usd(motion: Motion, path: Path) -> None:
    """Write a stage in metres with z up."""
    from pxr import Gf, Sdf, Usd, UsdGeom

    if motion.model is None:
        raise InputError("USD shows bodies: a trajectory needs its model, export(trajectory, file, model=...).")
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(CODES_PER_SECOND)
    codes = [CODES_PER_SECOND * float(time) for time in motion.time]
    stage.SetStartTimeCode(codes[0])
    stage.SetEndTimeCode(codes[-1])
    root = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(root.GetPrim())
    for name, values in (("q", motion.q), ("v", motion.v)):
        attribute = root.GetPrim().CreateAttribute(f"carpal:{name}", Sdf.ValueTypeNames.DoubleArray, custom=True)
        for code, row in zip(codes, values, strict=True):
            attribute.Set(row.tolist(), code)
    taken: set[str] = set()
    paths: dict[str | None, str] = {None: "/World"}
    for name, X in motion.poses.items():
        paths[name] = f"/World/{_prim_name(name, taken)}"
        xform = UsdGeom.Xform.Define(stage, paths[name])
        xform.GetPrim().SetDisplayName(name)
        move, turn = (
            xform.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble),
            xform.AddOrientOp(UsdGeom.XformOp.PrecisionDouble),
        )
        for k, code in enumerate(codes):
            move.Set(Gf.Vec3d(*X[k, :3, 3].tolist()), code)
            turn.Set(Gf.Quatd(*motion.turns[name][k].tolist()), code)
    for part in drawn_parts(motion.model):
        if part.shape is None or part.shape.kind != "plane":
            _draw(stage, f"{paths[part.body]}/{_prim_name('part ' + part.name, taken)}", part)
    stage.GetRootLayer().Export(str(path))


def _draw(stage: Any, path: str, part: Part) -> None:
    from pxr import Gf, UsdGeom, Vt

    shape: Any = part.shape
    kind = "" if shape is None else shape.kind
    scale = (1.0, 1.0, 1.0)
    prim: Any
    if kind == "box":
        prim, scale = UsdGeom.Cube.Define(stage, path), shape.size
        prim.CreateSizeAttr(1.0)
    elif kind in ("sphere", "ellipsoid"):
        prim = UsdGeom.Sphere.Define(stage, path)
        prim.CreateRadiusAttr(1.0)
        scale = tuple(np.broadcast_to(shape.radius if kind == "sphere" else shape.radii, 3).tolist())
    elif kind in ("cylinder", "capsule"):
        prim = (UsdGeom.Cylinder if kind == "cylinder" else UsdGeom.Capsule).Define(stage, path)
        prim.CreateRadiusAttr(shape.radius)
        prim.CreateHeightAttr(shape.length)
        prim.CreateAxisAttr("Z")
    else:
        prim = UsdGeom.Mesh.Define(stage, path)
        points, faces = surface(part)
        prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points, np.float32)))
        prim.CreateFaceVertexCountsAttr([3] * len(faces))
        prim.CreateFaceVertexIndicesAttr(np.asarray(faces, int).reshape(-1).tolist())
        prim.CreateSubdivisionSchemeAttr("none")
    prim.GetPrim().SetDisplayName(part.name)
    prim.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*part.X_BS[:3, 3].tolist()))
    turn = wxyz_from_rotation(part.X_BS[:3, :3]).tolist()
    prim.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*turn))
    prim.AddScaleOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*scale))
    colour = [float(x) for x in part.rgba]
    prim.CreateDisplayColorAttr([Gf.Vec3f(*colour[:3])])
    if len(colour) > 3:
        prim.CreateDisplayOpacityAttr([colour[3]])


def _prim_name(name: str, taken: set[str]) -> str:
    """A name that USD allows, and that no other prim has."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII) or "_"
    plain = f"_{plain}" if plain[0].isdigit() else plain
    found, k = plain, 1
    while found in taken:
        k += 1
        found = f"{plain}_{k}"
    taken.add(found)
    return found
