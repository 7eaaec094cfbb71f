"""The hand scenes of `benchmarks/modal.py` in Drake: the same bodies, servo and contacts, its discrete plant at 1 ms.

Drake runs in a process of its own, which `modal.py` starts:

    python benchmarks/modal_drake_hand.py drake
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import modal_scenes as scenes  # noqa: E402 - the path above is needed first
import numpy as np  # noqa: E402

STEPS, RATE, ROUNDS = 500, 0.4, 5  # as in modal.py
APPROXIMATIONS = ("sap", "lagged")


def drake_hand(fingers: int, approximation: str) -> Callable[[bool], tuple[float, float]]:
    """Settle the grasp for a second; the function returns (seconds of 500 steps, how far the cube went [m])."""
    from pydrake.geometry import AddContactMaterial, Box, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import (
        FixedOffsetFrame,
        PdControllerGains,
        RevoluteJoint,
        RotationalInertia,
        SpatialInertia,
    )
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    model, home = scenes.cross_fingers(fingers)
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlant(
        MultibodyPlantConfig(time_step=1e-3, discrete_contact_approximation=approximation), builder
    )
    plant.mutable_gravity_field().set_gravity_vector(model.gravity)
    bodies, joints = {None: plant.world_body()}, []
    for body in model.bodies:
        I = body.inertia.about_com
        about = RotationalInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        mass = SpatialInertia.MakeFromCentralInertia(body.inertia.mass, body.inertia.com, about)
        made = bodies[body.name] = plant.AddRigidBody(body.name, mass)
        if body.joint.kind == "revolute":
            place = FixedOffsetFrame(f"{body.joint.name}_place", bodies[body.parent], RigidTransform(body.joint.X_PJ))
            joint = RevoluteJoint(body.joint.name, plant.AddFrame(place), made.body_frame(), body.joint.axis, 0.0)
            joints.append(plant.AddJoint(joint))
            gains = PdControllerGains(p=3.0, d=0.05)  # taken implicitly, as ours
            plant.AddJointActuator(body.joint.name, joints[-1]).set_controller_gains(gains)
    for shape in model.shapes:
        form = Sphere(shape.shape.radius) if shape.shape.kind == "sphere" else Box(*shape.shape.size)
        touch = ProximityProperties()
        AddContactMaterial(dissipation=10.0, point_stiffness=1e6, friction=CoulombFriction(0.6, 0.6), properties=touch)
        plant.RegisterCollisionGeometry(bodies[shape.body], RigidTransform(shape.X_BS), form, shape.name, touch)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    root = simulator.get_mutable_context()
    context, n = plant.GetMyMutableContextFromRoot(root), len(joints)
    for joint, angle in zip(joints, model.q_home, strict=False):
        joint.set_angle(context, angle)
    port = plant.get_desired_state_input_port(joints[0].model_instance())
    target = np.concatenate([home[:n], np.zeros(n)])  # rates of zero, as MuJoCo's springs have them
    port.FixValue(context, target)
    simulator.AdvanceTo(1.0)
    begin = root.get_discrete_state_vector().CopyToVector()

    def run(moving: bool) -> tuple[float, float]:
        root.SetTime(0.0)
        root.SetDiscreteState(begin)
        at = plant.EvalBodyPoseInWorld(context, bodies["cube"]).translation().copy()
        simulator.Initialize()
        clock = time.thread_time()
        if not moving:
            simulator.AdvanceTo(1e-3 * STEPS)
        for k in range(STEPS // 10 if moving else 0):  # targets are moved every 10 ms, as MuJoCo's springs are
            target[:n:3] = home[:n:3] + RATE * k * 1e-2
            port.FixValue(context, target)
            simulator.AdvanceTo(1e-2 * (k + 1))
        clock = time.thread_time() - clock
        target[:n] = home[:n]
        port.FixValue(context, target)
        went = plant.EvalBodyPoseInWorld(context, bodies["cube"]).translation() - at
        return clock, float(np.linalg.norm(went))

    return run


def measure() -> list[list[object]]:
    """(fingers, approximation, moving, seconds of 500 steps, how far the cube went [m]) of each scene; medians."""
    out: list[list[object]] = []
    for fingers in (5, 3, 2):
        for approximation in APPROXIMATIONS:
            run = drake_hand(fingers, approximation)
            for moving in (False, True):
                times, ways = zip(*(run(moving) for _ in range(ROUNDS)), strict=True)
                out.append([fingers, approximation, moving, float(np.median(times)), ways[-1]])
    return out


def drake_rows() -> list[str]:
    """Lines of a page, from another process; they say so where Drake is not installed."""
    done = subprocess.run([sys.executable, __file__, "drake"], capture_output=True, text=True, check=False)
    if done.returncode:
        return ["", "Drake: absent, not measured."]
    answer = json.loads(done.stdout)
    lines = [
        "", f"Drake {answer['version']} (discrete plant, point contacts of 1e6 N/m, implicit PD motors) in a process of its own:",
        "", "| scene | approximation | us a step | the cube went in 0.5 s |", "|---|---|---|---|",
    ]  # fmt: skip
    for fingers, approximation, moving, seconds, way in answer["rows"]:
        scene = f"{fingers} fingers, {'moving' if moving else 'static'}"
        lines.append(f"| {scene} | {approximation} | {1e6 * seconds / STEPS:.1f} | {way:.1e} m |")
    return lines


if __name__ == "__main__":
    if sys.argv[1:] == ["drake"]:
        from importlib import metadata

        print(json.dumps({"version": metadata.version("drake"), "rows": measure()}))
    else:
        print("\n".join(drake_rows()))
