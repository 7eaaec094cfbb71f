"""What a model holds and MJCF has no field for: kept as JSON in MJCF's <custom> texts, put back when the file is read.

Two texts: `carpal_model` (tool, tool axis, source, notes, order of bodies and frames) and `carpal_bodies` (for each
MuJoCo body that needs it: its true name, fixed joint's name, speed limits, joint poses, inertia). Whatever MJCF can
hold is read from MJCF, so an edit by hand counts.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError
from carpal.model.model import Model
from carpal.model.parts import JOINT_NUMBERS, NQ, Body, Frame
from carpal.model.plain_values import dict_in, number_in, pose_in
from carpal.model.serialise import inertia_in
from carpal.model.serialise_extensions import visual_in
from carpal.model.visuals import Visual
from carpal.spatial import Array, inverse

MODEL_TEXT, BODIES_TEXT = "carpal_model", "carpal_bodies"
Extras = dict[str, Any]


def extras_of(root: ET.Element, name: str) -> Extras:
    """The two texts of an MJCF tree as data: {"model": ..., "bodies": ...}, empty where there are none."""
    found: Extras = {"model": {}, "bodies": {}}
    for text in root.findall("custom/text"):
        for key, label in (("model", MODEL_TEXT), ("bodies", BODIES_TEXT)):
            if text.get("name") == label:
                try:
                    found[key] = json.loads(text.get("data", ""))
                except (ValueError, RecursionError):
                    raise ModelError(
                        f"the custom text '{label}' of '{name}' is not the JSON that Carpal writes."
                    ) from None
    return found


def restore(model: Model, extras: Extras, name: str) -> Model:
    """The model with everything that the extras say."""
    if not extras["model"] and not extras["bodies"]:
        return model
    try:
        return _restore(model, extras["model"], extras["bodies"])
    except CarpalError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise ModelError(f"the custom texts of '{name}' are not what Carpal writes: {error!r}.") from None


def contacts_of(extras: Extras, model: Model, name: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """The exclusions and contact pairs, as far as their names are still in the model: an edit by hand counts."""
    shapes = {shape.name for shape in model.shapes}
    known = {body.name for body in model.bodies} | shapes

    def means_something(thing: str) -> bool:
        return thing in known or any(label.startswith(f"{thing}/") for label in known)

    about = extras["model"] or {}
    try:
        excluded = [(str(a), str(b)) for a, b in about.get("exclusions", [])]
        paired = [(str(a), str(b)) for a, b in about.get("contact_pairs", [])]
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"the exclusions of '{name}' are not what Carpal writes: {error!r}.") from None
    return {
        "exclusions": tuple((a, b) for a, b in excluded if means_something(a) and means_something(b)),
        "contact_pairs": tuple((a, b) for a, b in paired if a in shapes and b in shapes),
    }


def visuals_of(extras: Extras, model: Model, name: str) -> tuple[Visual, ...]:
    """The visuals of bodies that are still in the model."""
    known = {None, *(body.name for body in model.bodies)}
    try:
        visuals = [visual_in(dict_in(data, "visuals")) for data in (extras["model"] or {}).get("visuals", [])]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"the visuals of '{name}' are not what Carpal writes: {error!r}.") from None
    return tuple(seen for seen in visuals if seen.body in known)


def _restore(model: Model, about: dict[str, Any], entries: dict[str, dict[str, Any]]) -> Model:
    bodies = {body.name: body for body in model.bodies}
    home = _home_by_body(model)
    frames = {frame.name: frame for frame in model.extra_frames if frame.name not in about.get("hidden", {})}
    renamed: dict[str, str] = {}
    for label, entry in entries.items():
        if label not in bodies:
            continue  # the file was edited
        if entry.get("free"):
            _join_free(bodies, home, label)
        if entry.get("inner"):
            _join_inner(bodies, home, label)
        if "chain" in entry:
            _place(bodies, label, entry["chain"], renamed)
        body = bodies[label]
        joint = replace(body.joint, name=entry.get("joint", body.joint.name), **_numbers(entry))
        inertia = inertia_in(entry["inertia"]) if "inertia" in entry else body.inertia
        bodies[label] = replace(body, joint=joint, inertia=inertia)
        if "name" in entry:
            renamed[label] = entry["name"]
    named = {renamed.get(label, label): (label, body) for label, body in bodies.items()}
    order = [label for label in about.get("order", []) if label in named]
    order += [label for label in named if label not in order] if len(order) < len(named) else []
    out: list[Body] = []
    for label in order:
        body = named[label][1]
        parent = None if body.parent is None else renamed.get(body.parent, body.parent)
        out.append(replace(body, name=label, parent=parent))
    frame_order = [label for label in about.get("frames", []) if label in frames]
    frame_order += [label for label in frames if label not in frame_order]
    kept = [frames[label] for label in frame_order]
    notes = (*about.get("notes", []), *(note for note in model.notes if note not in about.get("notes", [])))
    everything = {*named, *frames}
    return Model(
        name=model.name,
        bodies=tuple(out),
        extra_frames=tuple(
            Frame(f.name, None if f.body is None else renamed.get(f.body, f.body), f.X_BF) for f in kept
        ),
        tool=about["tool"] if about.get("tool") in everything else model.tool if model.tool in everything else None,
        tool_axis=about.get("tool_axis", model.tool_axis),
        gravity=model.gravity,
        q_home=np.concatenate([home[named[label][0]] for label in order]) if order else None,
        source=str(about.get("source", model.source)),
        notes=tuple(str(note) for note in notes),
    )


def _numbers(entry: dict[str, Any]) -> dict[str, Any]:
    return {what: number_in(entry[what]) for what in JOINT_NUMBERS if what in entry}


def _home_by_body(model: Model) -> dict[str, Array]:
    """Each body's part of q_home."""
    parts, first = {}, 0
    assert model.q_home is not None  # always set by Model
    for body in model.bodies:
        n = NQ[body.joint.kind]
        parts[body.name] = model.q_home[first : first + n]
        first += n
    return parts


def _chain_of(bodies: dict[str, Body], label: str, count: int) -> list[str]:
    """The names of a MuJoCo body's `count` bodies, one for each joint, the nearest to the parent first."""
    names = [label]
    for _ in range(count - 1):
        parent = bodies[names[0]].parent
        if parent is None:
            raise KeyError(f"{label} has fewer joints than it was written with")
        names.insert(0, parent)
    return names


def _join_free(bodies: dict[str, Body], home: dict[str, Array], label: str) -> None:
    """Three slides and a ball back to the free joint that they stand for."""
    names = _chain_of(bodies, label, 4)
    first, last = bodies[names[0]], bodies[label]
    joint = replace(last.joint, kind="free", X_PJ=first.joint.X_PJ, X_JB=np.eye(4))
    bodies[label] = replace(last, parent=first.parent, joint=joint)
    home[label] = np.concatenate([home[name] for name in names])
    for name in names[:-1]:
        del bodies[name]


def _join_inner(bodies: dict[str, Body], home: dict[str, Array], label: str) -> None:
    """A body that was fixed inside the moving frame of its own joint back to one body."""
    inner = bodies[label]
    if inner.parent is None:
        raise KeyError(f"{label} has no parent")
    outer = bodies.pop(inner.parent)
    bodies[label] = replace(inner, parent=outer.parent, joint=replace(outer.joint, X_JB=inner.joint.X_PJ))
    home[label] = home[outer.name]


def _place(bodies: dict[str, Body], label: str, chain: list[dict[str, Any]], renamed: dict[str, str]) -> None:
    """Joint frames as they were: MuJoCo knows only the body's pose at zero, and axes and anchors in the body."""
    names = _chain_of(bodies, label, len(chain))
    X_PB0 = np.eye(4)
    for name in names:
        X_PB0 = X_PB0 @ bodies[name].joint.X_PJ @ bodies[name].joint.X_JB
    S = np.eye(4)  # pose of the last body in the frame of the joint at hand, at zero
    for name, place in reversed(list(zip(names, chain, strict=True))):
        joint = bodies[name].joint
        X_JB = pose_in(place["X_JB"])
        S = X_JB @ S
        axis = S[:3, :3] @ joint.axis if joint.kind in ("revolute", "prismatic") else joint.axis
        first = name == names[0]
        X_PJ = X_PB0 @ inverse(S) if first else pose_in(place["X_PJ"])
        bodies[name] = replace(bodies[name], joint=replace(joint, X_PJ=X_PJ, X_JB=X_JB, axis=axis, **_numbers(place)))
        if "name" in place:
            renamed[name] = place["name"]
        if not first:
            S = X_PJ @ S
