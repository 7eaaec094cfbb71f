"""Tendons and actuators of a compiled MJCF file, and the efforts that its drives can give."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from carpal.model.actuators import Actuator, ModelTendon, PathStep
from carpal.model.parts import Body
from carpal.model.readers.assemble import KINDS, Names, nonzero, object_names
from carpal.model.shapes import Cylinder, PlacedShape, Sphere
from carpal.spatial import pose, rotation_from_wxyz

TRANSMISSIONS = {
    "mjTRN_SLIDERCRANK": "a slider-crank transmission", "mjTRN_SITE": "a site transmission",
    "mjTRN_BODY": "a body transmission (adhesion)", "mjTRN_SO3": "an SO(3) transmission",
}  # fmt: skip


def tendons_of(compiled: Any, joints: list[str], frames: list[str]) -> tuple[list[ModelTendon], list[str]]:
    """Tendons by their number in the file, and sentences on what is not kept.

    Args:
        compiled: the `MjModel`.
        joints, frames: names of its joints and sites in the model.
    """
    import mujoco

    written = object_names(compiled, "TENDON", compiled.ntendon)
    names = Names({name for name in written if name})
    wraps = mujoco.mjtWrap
    tendons: list[ModelTendon] = []
    lost: list[str] = []
    for i in range(compiled.ntendon):
        label = written[i] or names.new(f"tendon{i}")
        first, count = int(compiled.tendon_adr[i]), int(compiled.tendon_num[i])
        coefficients: dict[str, float] = {}
        path: list[PathStep] = []
        for k in range(first, first + count):
            kind, number, value = int(compiled.wrap_type[k]), int(compiled.wrap_objid[k]), float(compiled.wrap_prm[k])
            if kind == wraps.mjWRAP_JOINT:
                coefficients[joints[number]] = coefficients.get(joints[number], 0.0) + value
            elif kind == wraps.mjWRAP_SITE:
                path.append(PathStep("site", frames[number]))
            elif kind == wraps.mjWRAP_PULLEY:
                path.append(PathStep("pulley", divisor=value))
            else:
                shape = "sphere" if kind == wraps.mjWRAP_SPHERE else "cylinder"
                side = frames[round(value)] if value >= 0 else None
                path.append(PathStep(shape, compiled.geom(number).name, side))
        low, high = (float(x) for x in compiled.tendon_range[i])
        rest = tuple(float(x) for x in compiled.tendon_lengthspring[i])
        tendons.append(
            ModelTendon(
                label,
                coefficients,
                tuple(path),
                stiffness=float(compiled.tendon_stiffness[i]),
                damping=float(compiled.tendon_damping[i]),
                friction=float(compiled.tendon_frictionloss[i]),
                rest=(rest[0], rest[1]),
                limits=(low, high) if compiled.tendon_limited[i] else (-math.inf, math.inf),
            )
        )
        lost += _tendon_losses(compiled, i, label)
    return tendons, lost


def _tendon_losses(compiled: Any, i: int, label: str) -> list[str]:
    found = {
        "armature": nonzero(compiled, "tendon_armature", i),
        "limit of actuator forces (actuatorfrcrange)": nonzero(compiled, "tendon_actfrclimited", i),
        "stiffness that is not linear": nonzero(compiled, "tendon_stiffnesspoly", i),
        "damping that is not linear": nonzero(compiled, "tendon_dampingpoly", i),
        "plastic spring (springyield)": nonzero(compiled, "tendon_springyield", i),
    }
    return [f"the {what} of tendon '{label}' is not kept." for what, there in found.items() if there]


def actuators_of(compiled: Any, joints: list[str], tendons: list[ModelTendon]) -> tuple[list[Actuator], list[str]]:
    """Actuators, and sentences on what is not kept.

    Args:
        compiled: the `MjModel`.
        joints: names of its joints in the model.
        tendons: from `tendons_of`.
    """
    import mujoco

    written = object_names(compiled, "ACTUATOR", compiled.nu)
    names = Names({name for name in written if name})
    out: list[Actuator] = []
    lost: list[str] = []
    for i in range(compiled.nu):
        number = int(compiled.actuator_trnid[i, 0])
        drive = mujoco.mjtTrn(int(compiled.actuator_trntype[i])).name
        on_joint = drive in ("mjTRN_JOINT", "mjTRN_JOINTINPARENT")
        scalar = on_joint and KINDS[int(compiled.jnt_type[number])] in ("revolute", "prismatic")
        tendon = tendons[number] if drive == "mjTRN_TENDON" else None
        target = joints[number] if on_joint else tendon.name if tendon is not None else drive
        label = written[i] or names.new(f"{target}/actuator")
        if not scalar and tendon is None:
            through = (
                "a ball or free joint" if on_joint else TRANSMISSIONS.get(drive, f"a transmission of type {drive}")
            )
            lost.append(f"the actuator '{label}' acts through {through} and is not kept.")
            continue
        reason = _no_law(compiled, i)
        if reason:
            lost.append(f"the actuator '{label}' {reason} and is not kept.")
            continue
        lost += _actuator_losses(compiled, i, label)
        biased = compiled.actuator_biastype[i] == mujoco.mjtBias.mjBIAS_AFFINE
        gain = float(compiled.actuator_gainprm[i, 0])
        bias = tuple(float(x) if biased else 0.0 for x in compiled.actuator_biasprm[i, :3])
        out.append(
            Actuator(
                label,
                kind_of(gain, bias),
                joint=joints[number] if scalar else None,
                tendon=None if tendon is None else tendon.name,
                gear=float(compiled.actuator_gear[i, 0]),
                gain=gain,
                bias=(bias[0], bias[1], bias[2]),
                ctrl_range=_range(compiled.actuator_ctrllimited[i], compiled.actuator_ctrlrange[i]),
                force_range=_range(compiled.actuator_forcelimited[i], compiled.actuator_forcerange[i]),
            )
        )
    return out, lost


def kind_of(gain: float, bias: tuple[float, ...]) -> str:
    """What an actuator with these numbers is called."""
    if gain == 1.0 and not any(bias):
        return "motor"
    if gain != 0.0 and bias[0] == 0.0 and bias[1] == -gain:
        return "position"
    if gain != 0.0 and bias[:2] == (0.0, 0.0) and bias[2] == -gain:
        return "velocity"
    return "general"


def _range(limited: Any, values: Any) -> tuple[float, float]:
    return (float(values[0]), float(values[1])) if limited else (-math.inf, math.inf)


def _no_law(compiled: Any, i: int) -> str:
    """Why an actuator's force is not gain times control plus an affine bias; "" where it is."""
    import mujoco

    gain = mujoco.mjtGain(int(compiled.actuator_gaintype[i]))
    bias = mujoco.mjtBias(int(compiled.actuator_biastype[i]))
    dynamics = mujoco.mjtDyn(int(compiled.actuator_dyntype[i]))
    affine_gain = gain == mujoco.mjtGain.mjGAIN_AFFINE and not compiled.actuator_gainprm[i, 1:3].any()
    for what, name in ((gain, "gain"), (bias, "bias"), (dynamics, "dynamics")):
        kind = what.name.rpartition("_")[2].lower()
        if kind in ("muscle", "dcmotor", "so3", "pid", "user", "integrator"):
            return f"has {name} of type '{kind}'"
    if gain != mujoco.mjtGain.mjGAIN_FIXED and not affine_gain:
        return "has a gain that depends on length or speed"
    if compiled.actuator_plugin[i] >= 0:
        return "is a plugin"
    controls = getattr(compiled, "actuator_ctrlnum", None)
    if controls is not None and controls[i] != 1:
        return f"takes {int(controls[i])} controls"
    return ""


def _actuator_losses(compiled: Any, i: int, label: str) -> list[str]:
    import mujoco

    found = {
        "activation filter": compiled.actuator_dyntype[i] != mujoco.mjtDyn.mjDYN_NONE,
        "delay": nonzero(compiled, "actuator_delay", i),
        "damping": any(nonzero(compiled, f"actuator_{what}", i) for what in ("damping", "dampingpoly")),
        "armature": nonzero(compiled, "actuator_armature", i),
    }
    return [f"the {what} of actuator '{label}' is not kept." for what, there in found.items() if there]


def with_efforts(bodies: list[Body], actuators: list[Actuator], tendons: list[ModelTendon]) -> list[Body]:
    """The bodies with `tau_max` of joints that have none: the largest force of their actuators, where no tendon drives them."""
    pulled = {actuator.tendon for actuator in actuators}
    most = {joint: math.inf for tendon in tendons if tendon.name in pulled for joint in tendon.joints}
    for actuator in actuators:
        if actuator.joint is not None:
            most[actuator.joint] = most.get(actuator.joint, 0.0) + abs(actuator.gear) * _largest_force(actuator)
    return [
        replace(body, joint=replace(body.joint, tau_max=most[body.joint.name]))
        if body.joint.tau_max == math.inf and 0.0 < most.get(body.joint.name, 0.0) < math.inf
        else body
        for body in bodies
    ]


def _largest_force(actuator: Actuator) -> float:
    most = max(abs(x) for x in actuator.force_range)
    if not any(actuator.bias[1:]):  # a motor: its controls limit its force
        most = min(
            most, max(abs(actuator.gain * x + actuator.bias[0]) for x in actuator.ctrl_range) if actuator.gain else 0
        )
    return most


def wrapped_shapes(
    compiled: Any, tendons: list[ModelTendon], bodies: list[str | None], known: tuple[PlacedShape, ...]
) -> list[PlacedShape]:
    """The spheres and cylinders around which tendons wrap, where they are not among the known shapes; they do not collide."""
    import mujoco

    have = {shape.name for shape in known}
    wanted = {step.name for tendon in tendons for step in tendon.path if step.kind in ("sphere", "cylinder")} - have
    out = []
    for label in sorted(wanted):
        i = compiled.geom(label).id
        radius, half = float(compiled.geom_size[i, 0]), float(compiled.geom_size[i, 1])
        sphere = compiled.geom_type[i] == mujoco.mjtGeom.mjGEOM_SPHERE  # else a cylinder: MuJoCo wraps nothing else
        X_BS = pose(rotation_from_wxyz(compiled.geom_quat[i]), compiled.geom_pos[i])
        body = bodies[int(compiled.geom_bodyid[i])]
        form = Sphere(radius) if sphere else Cylinder(radius, 2 * half)
        out.append(PlacedShape(label, body, form, X_BS, collides=False))
    return out
