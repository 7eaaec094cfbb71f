"""Two soft pads hold a ball, a cylinder, a capsule and a hull while their carriage swings: what is held does not creep."""

import numpy as np

from carpal.contact import Grasp, force_closure
from carpal.engines import engine_for, simulate
from carpal.model import Body, Box, Capsule, ConvexMesh, Cylinder, Joint, Model, PlacedShape, Scene, Sphere
from carpal.spatial import Inertia, pose

turn = 2 * np.pi * np.arange(8) / 8 + np.pi / 8
octagon = 0.03 / np.cos(np.pi / 8) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
HULL = ConvexMesh([[*corner, z] for corner in octagon for z in (-0.03, 0.03)])
SHAPES = {"ball": Sphere(0.03), "cylinder": Cylinder(0.03, 0.08), "capsule": Capsule(0.03, 0.05), "hull": HULL}


def gripper() -> Model:
    """A carriage on a spring, and a pad on a slide at either side of it."""
    heavy = Inertia(1.0, np.zeros(3), 1e-3 * np.eye(3))
    bodies, shapes = [Body("carriage", None, Joint("lift", "prismatic", stiffness=200.0), heavy)], []
    for name, sign in (("left", 1.0), ("right", -1.0)):
        joint = Joint(name, "prismatic", X_PJ=pose(p=[-0.04 * sign, 0, 0]), axis=[sign, 0, 0])
        bodies.append(Body(name, "carriage", joint, Inertia(0.1, np.zeros(3), 1e-4 * np.eye(3))))
        shapes.append(PlacedShape(f"{name}_pad", name, Box((0.02, 0.04, 0.04))))
    return Model("gripper", tuple(bodies), shapes=tuple(shapes))


for what, shape in SHAPES.items():
    scene = Scene(what).add_robot(gripper(), name="hand", q=[-0.05, 0.0, 0.0])
    scene.add_object("held", shape, mass=0.2, pose=[0, 0, -0.05]).add_surface(mu=0.6, tip="soft", torsion=0.004)
    ready = engine_for(scene, "modal")
    model, u = ready.engine.model, np.zeros(ready.engine.model.nv)
    u[[model.v_index("hand/left"), model.v_index("hand/right")]] = 12.0  # newtons on each pad
    done = simulate(ready.engine, ready.state, lambda time, state, u=u: u, 1.0)

    height, lift = done.q[:, model.q_index("held") + 2], done.q[:, model.q_index("hand/lift")]
    creep = float(np.ptp(height - lift))
    contacts = done.contacts[-1]
    grasp = Grasp(
        [c.point for c in contacts], [-np.array(c.normal) if c.a == "held" else c.normal for c in contacts], mu=0.6,
        tip="soft", torsion=0.004, centre=done.q[-1, model.q_index("held") :][:3],
    )  # fmt: skip
    modes = {c.mode for row in done.contacts for c in row}
    closed = bool(force_closure(grasp))
    print(
        f"{what:<9} {len(contacts)} contacts, {', '.join(sorted(modes))}; swings {np.ptp(lift):.3f} m, creeps {creep:.1e} m"
    )
    assert np.ptp(lift) > 0.02 and creep < 1e-9 and closed and "sliding" not in modes
