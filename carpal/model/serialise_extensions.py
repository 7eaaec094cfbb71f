"""What a model holds beside its tree as plain data, and back: visuals, couplings, loops, tendons, actuators, pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carpal.model.actuators import Actuator, ModelTendon, PathStep
from carpal.model.constraints import Coupling, Loop
from carpal.model.native import NativeMjcf
from carpal.model.plain_values import dict_in, number_in, number_out, numbers_in, pose_in, pose_out, text_in
from carpal.model.shapes import shape_from_dict, shape_to_dict
from carpal.model.visuals import Visual

if TYPE_CHECKING:
    from carpal.model.model import Model


def extensions_out(model: Model) -> dict[str, Any]:
    """Plain data of everything beside the tree."""
    return {
        "contact_pairs": [list(pair) for pair in model.contact_pairs],
        "visuals": [visual_out(seen) for seen in model.visuals],
        "couplings": [_coupling_out(coupling) for coupling in model.couplings],
        "loops": [_loop_out(loop) for loop in model.loops],
        "tendons": [_tendon_out(tendon) for tendon in model.tendons],
        "actuators": [_actuator_out(actuator) for actuator in model.actuators],
        "native": [part.to_dict() for part in model.native],
    }


def extensions_in(fields: dict[str, Any]) -> dict[str, Any]:
    """Arguments of Model from what `extensions_out` wrote; data without them has none."""
    makers = {
        "visuals": visual_in, "couplings": _coupling_in, "loops": _loop_in, "tendons": _tendon_in,
        "actuators": _actuator_in, "native": NativeMjcf.from_dict,
    }  # fmt: skip
    out: dict[str, Any] = {
        what: tuple(make(dict_in(data, what)) for data in fields.get(what, [])) for what, make in makers.items()
    }
    return out | {"contact_pairs": tuple((text_in(a), text_in(b)) for a, b in fields.get("contact_pairs", []))}


def _name_in(value: object) -> str | None:
    return None if value is None else text_in(value)


def visual_out(seen: Visual) -> dict[str, Any]:
    """A visual as plain data."""
    return {
        "name": seen.name, "body": seen.body, "mesh": seen.mesh,
        "shape": None if seen.shape is None else shape_to_dict(seen.shape), "X_BV": pose_out(seen.X_BV),
        "scale": list(seen.scale), "rgba": None if seen.rgba is None else list(seen.rgba),
    }  # fmt: skip


def visual_in(data: dict[str, Any]) -> Visual:
    """The visual that `visual_out` described."""
    return Visual(
        text_in(data["name"]),
        _name_in(data["body"]),
        mesh=text_in(data["mesh"]),
        shape=None if data["shape"] is None else shape_from_dict(data["shape"]),
        X_BV=pose_in(data["X_BV"]),
        scale=tuple(numbers_in(data["scale"], 3)),
        rgba=None if data["rgba"] is None else tuple(numbers_in(data["rgba"], 4)),
    )


def _coupling_out(coupling: Coupling) -> dict[str, Any]:
    return {
        "name": coupling.name, "follower": coupling.follower, "leader": coupling.leader,
        "coefficients": list(coupling.coefficients), "refs": [coupling.follower_ref, coupling.leader_ref],
    }  # fmt: skip


def _coupling_in(data: dict[str, Any]) -> Coupling:
    coefficients = tuple(numbers_in(data["coefficients"], None))
    names = text_in(data["name"]), text_in(data["follower"]), _name_in(data["leader"])
    return Coupling(*names, coefficients, *(float(x) for x in numbers_in(data["refs"], 2)))


def _loop_out(loop: Loop) -> dict[str, Any]:
    return {
        "name": loop.name, "kind": loop.kind, "body_a": loop.body_a, "body_b": loop.body_b,
        "X_AL": pose_out(loop.X_AL), "X_BL": pose_out(loop.X_BL),
    }  # fmt: skip


def _loop_in(data: dict[str, Any]) -> Loop:
    names = text_in(data["name"]), text_in(data["kind"]), text_in(data["body_a"]), _name_in(data["body_b"])
    return Loop(*names, pose_in(data["X_AL"]), pose_in(data["X_BL"]))


def _tendon_out(tendon: ModelTendon) -> dict[str, Any]:
    path = [
        {"kind": step.kind, "name": step.name, "side": step.side, "divisor": number_out(step.divisor)}
        for step in tendon.path
    ]
    numbers = {what: number_out(getattr(tendon, what)) for what in ("stiffness", "damping", "friction")}
    ranges = {what: [number_out(x) for x in getattr(tendon, what)] for what in ("rest", "limits")}
    return {"name": tendon.name, "joints": dict(tendon.joints), "path": path} | numbers | ranges


def _tendon_in(data: dict[str, Any]) -> ModelTendon:
    steps = (dict_in(step, "step of a path") for step in data["path"])
    numbers: dict[str, Any] = {what: number_in(data[what]) for what in ("stiffness", "damping", "friction")}
    numbers |= {what: tuple(numbers_in(data[what], 2)) for what in ("rest", "limits")}
    return ModelTendon(
        text_in(data["name"]),
        {text_in(joint): number_in(value) for joint, value in dict_in(data["joints"], "tendon").items()},
        path=tuple(
            PathStep(text_in(s["kind"]), text_in(s["name"]), _name_in(s["side"]), number_in(s["divisor"]))
            for s in steps
        ),
        **numbers,
    )


def _actuator_out(actuator: Actuator) -> dict[str, Any]:
    names = {what: getattr(actuator, what) for what in ("name", "kind", "joint", "tendon", "gear", "gain")}
    ranges = {what: [number_out(x) for x in getattr(actuator, what)] for what in ("ctrl_range", "force_range")}
    return names | {"bias": list(actuator.bias)} | ranges


def _actuator_in(data: dict[str, Any]) -> Actuator:
    return Actuator(
        text_in(data["name"]),
        text_in(data["kind"]),
        joint=_name_in(data["joint"]),
        tendon=_name_in(data["tendon"]),
        gear=number_in(data["gear"]),
        gain=number_in(data["gain"]),
        bias=tuple(numbers_in(data["bias"], 3)),
        **{what: tuple(numbers_in(data[what], 2)) for what in ("ctrl_range", "force_range")},
    )
