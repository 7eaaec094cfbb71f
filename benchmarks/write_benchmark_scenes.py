"""Write the benchmark scenes of `carpal compare --list` as TOML: python benchmarks/write_benchmark_scenes.py

Numbers in a scene are chosen; the references (`carpal/engines/comparison/references`) restate them.
"""

import itertools
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError
from carpal.model import (
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Ellipsoid,
    Joint,
    Model,
    ModelTendon,
    PlacedShape,
    Plane,
    Scene,
    Sphere,
    load,
)  # fmt: skip
from carpal.spatial import Inertia, pose, rotation_about, rotation_from_rpy

FOLDER = Path(__file__).parent.parent / "carpal" / "engines" / "comparison" / "scenes"
G = 9.81
Y, Z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def ground(name, degrees=0.0, **surface):
    """A scene on a plane; of an incline gravity is tilted, so that +x leads down it."""
    a = np.radians(degrees)
    scene = Scene(name, gravity=(G * np.sin(a), 0.0, -G * np.cos(a))).add_fixed("floor", Plane())
    return scene.add_surface(**surface)


def block(name, degrees=0.0, size=(0.1, 0.1, 0.1), twist=None, **surface):
    scene = ground(name, degrees, **surface)
    return scene.add_object("block", Box(size), mass=0.5, pose=[0, 0, size[2] / 2], twist=twist)


def ball(name, degrees=0.0, radius=0.05, mass=0.3, height=0.0, twist=None, **surface):
    scene = ground(name, degrees, **surface)
    return scene.add_object("ball", Sphere(radius), mass=mass, pose=[0, 0, radius + height], twist=twist)


def balls(name, places, speeds, gap=0.0, **surface):
    scene = ground(name, **surface)
    for i, (place, speed) in enumerate(zip(places, speeds, strict=True)):
        scene.add_object(f"ball_{i}", Sphere(0.05), mass=0.3, pose=[*place, 0.05], twist=[*speed, 0, 0, 0, 0])
    return scene


def ladder(name, mu):
    R, size = rotation_about(Y, np.radians(60)), np.array([1.0, 0.05, 0.02])
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * size @ R.T
    at = -corners.min(axis=0)  # it touches floor and wall; its foot is at large x
    scene = ground(name, mu=mu).add_fixed("wall", Plane(), pose=pose(rotation_about(Y, np.pi / 2)))
    scene.add_object("ladder", Box(tuple(size)), mass=2.0, pose=pose(R, [at[0], 0.0, at[2]]))
    return scene.add_surface("wall", mu=0.0)


def rod(length, mass, radius=0.01):
    """A thin rod that hangs from its frame."""
    return Inertia(mass, [0, 0, -length / 2], np.diag([mass * length**2 / 12] * 2 + [1e-3 * mass * length**2]))


def pendulum(name, angles, length=0.5):
    bodies, parent = [], None
    for i in range(len(angles)):
        X = pose(p=[0, 0, -length if i else 0])
        bodies.append(Body(f"rod_{i}", parent, Joint(f"hinge_{i}", "revolute", X_PJ=X, axis=Y), rod(length, 1.0)))
        parent = f"rod_{i}"
    return Scene(name).add_robot(Model(name, tuple(bodies)), name="arm", q=angles)


def coupled(name, length=0.5):
    bodies = tuple(
        Body(f"rod_{i}", None, Joint(f"hinge_{i}", "revolute", X_PJ=pose(p=[0.4 * i, 0, 0]), axis=Y), rod(length, 1.0))
        for i in range(2)
    )
    spring = ModelTendon("spring", {"hinge_0": 1.0, "hinge_1": -1.0}, stiffness=0.5)
    return Scene(name).add_robot(Model(name, bodies, tendons=(spring,)), name="arm", q=[0.4, 0.0])


def free_body(name, inertia, shapes, q, v, gravity=(0, 0, -G)):
    """A scene with one free body of any inertia."""
    placed = tuple(PlacedShape(label, "solid", shape, X) for label, shape, X in shapes)
    model = Model(name, (Body("solid", None, Joint("free", "free"), inertia),), shapes=placed)
    return Scene(name, gravity=gravity).add_robot(model, name="body", q=q, v=v)


def top(name, spin=200.0, tilt=0.3):
    """A cone of 24 sides on its tip; its frame is at the tip."""
    turn = 2 * np.pi * np.arange(24) / 24
    rim = np.stack([0.04 * np.cos(turn), 0.04 * np.sin(turn), np.full(24, 0.05)], axis=1)
    solid = ConvexMesh(np.vstack([[[0, 0, 0]], rim]))
    R = rotation_about(Y, tilt)
    return ground(name, mu=1.0).add_object("top", solid, mass=0.1, pose=pose(R), twist=[0, 0, 0, *(spin * R[:, 2])])


def rattleback(name):
    R, m, axes = rotation_about(Z, 0.1), 0.1, np.array([0.1, 0.02, 0.015])
    moments = m / 5 * (np.sum(axes**2) - axes**2)
    inertia = Inertia(m, np.zeros(3), R @ np.diag(moments) @ R.T)
    scene = free_body(
        name, inertia, [("shell", Ellipsoid(tuple(axes)), np.eye(4))], [0, 0, 0.015, 1, 0, 0, 0],
        [0, 0, 0, 0.1, 0.1, -3.0],
    )  # fmt: skip
    return scene.add_fixed("floor", Plane()).add_surface(mu=1.0)


def on_plane(shape, R):
    """Height of a shape's middle on the plane z = 0."""
    from carpal.contact import shape_distance

    return -float(shape_distance(Plane(), np.eye(4), shape, pose(R, [0, 0, 0.0])).distance)


def tilted(name, shape, R, twist, mu=1.0, mass=0.3):
    return ground(name, mu=mu).add_object(
        "solid", shape, mass=mass, pose=pose(R, [0, 0, on_plane(shape, R)]), twist=twist
    )


def rolling_twist(shape, R, w):
    """(v, w) of a shape that rolls on the plane without slipping."""
    z = on_plane(shape, R)
    h, w = 1e-6, np.asarray(w, float)
    lowest = support(shape, R)
    assert abs(lowest[2] + z) < 1e-9 and h
    return [*np.cross(-w, lowest), *w]


def support(shape, R):
    """From the middle to the lowest point, in W."""
    n = R.T @ [0, 0, -1.0]
    if isinstance(shape, Ellipsoid):
        a = np.array(shape.radii) ** 2
        return R @ (a * n / np.sqrt(n @ (a * n)))
    across = n[:2] / np.linalg.norm(n[:2])
    return R @ np.array([*(shape.radius * across), np.sign(n[2]) * shape.length / 2])


def ellipsoid(name):
    shape, R = Ellipsoid((0.06, 0.04, 0.04)), rotation_from_rpy([0.0, 0.3, 0.0])
    return tilted(name, shape, R, rolling_twist(shape, R, [5.0, 0.0, 1.0]))


def disc(name):
    shape, R = Cylinder(0.0375, 0.002), rotation_from_rpy([0.5, 0.0, 0.0])
    rate = np.sqrt(4 * G / (0.0375 * np.sin(0.5)))
    w = rate * Z - rate * np.cos(0.5) * R[:, 2]
    return tilted(name, shape, R, rolling_twist(shape, R, w))


def wobble(name):
    shape, R = Cylinder(0.03, 0.06), rotation_from_rpy([0.15, 0.0, 0.0])
    return tilted(name, shape, R, rolling_twist(shape, R, [0.0, 0.0, 2.0]))


def dominoes(name, count=10):
    scene = ground(name, mu=0.3)
    for i in range(count):
        twist = [0.0, 0, 0, 0, 2.5, 0] if i == 0 else None
        scene.add_object(f"domino_{i}", Box((0.008, 0.024, 0.048)), mass=0.01, pose=[0.024 * i, 0, 0.024], twist=twist)
    return scene


def arch(name, ratio, stones=16, radius=1.0, deep=0.3):
    """A semicircular arch of mean radius 1 m whose thickness is that ratio of it."""
    scene, inner, outer = ground(name, mu=1.0), radius * (1 - ratio / 2), radius * (1 + ratio / 2)
    for i in range(stones):
        corners = []
        for angle in (np.pi * i / stones, np.pi * (i + 1) / stones):
            corners += [
                [r * np.cos(angle), y, r * np.sin(angle)] for r in (inner, outer) for y in (-deep / 2, deep / 2)
            ]
        middle = np.mean(corners, axis=0)
        scene.add_object(f"stone_{i}", ConvexMesh(np.array(corners) - middle), mass=10.0 * ratio, pose=middle)
    return scene


def cards(name):
    """Two thick cards that lean on each other at 15 degrees from the vertical, cut flat where they touch."""
    scene, deep, thick, foot = ground(name, mu=0.2), 0.06, 0.004, 0.024
    steep = 1 / np.tan(np.radians(15))
    side = [(-foot - thick, 0.0), (-foot, 0.0), (0.0, foot * steep), (0.0, (foot + thick) * steep)]
    for label, sign in (("left", 1.0), ("right", -1.0)):
        corners = np.array([[sign * x, y, z] for x, z in side for y in (-deep / 2, deep / 2)])
        middle = corners.mean(axis=0)
        scene.add_object(label, ConvexMesh(corners - middle), mass=0.002, pose=middle)
    return scene


def wall(name, rows, columns, hit=False):
    scene, size = ground(name, mu=0.6), np.array([0.2, 0.1, 0.1])
    for row, column in itertools.product(range(rows), range(columns)):
        x = (column - columns / 2 + (0.5 if row % 2 else 0.0)) * size[0]
        scene.add_object(f"brick_{row}_{column}", Box(tuple(size)), mass=1.0, pose=[x, 0, (row + 0.5) * size[2]])
    if hit:
        scene.add_object("ball", Sphere(0.06), mass=1.0, pose=[0, -0.3, 0.25], twist=[0, 4.0, 0, 0, 0, 0])
    return scene


def pile(name, count=10):
    random, scene = np.random.default_rng(7), ground(name, mu=0.5)
    for i in range(count):
        shape = Sphere(0.04) if i % 2 else Box((0.07, 0.07, 0.07))
        at = [*random.uniform(-0.04, 0.04, 2), 0.06 + 0.1 * i]
        R = rotation_from_rpy(random.uniform(-1, 1, 3))
        scene.add_object(f"{'ball' if i % 2 else 'box'}_{i}", shape, mass=0.2, pose=pose(R, at))
    return scene


def pinch(name, mu, shape=None, spring=0.0, offset=0.0):
    """Two slides press on an object from both sides; with a spring their carriage swings up and down."""
    shape = shape or Box((0.06, 0.06, 0.06))
    half = shape.size[0] / 2 if isinstance(shape, Box) else shape.radius
    carriage = Joint("lift", "prismatic" if spring else "fixed", axis=Z, stiffness=spring)
    inertia = Inertia(1.0, np.zeros(3), 1e-3 * np.eye(3))
    bodies, shapes = [Body("carriage", None, carriage, inertia)], []
    for name_, sign in (("left", 1.0), ("right", -1.0)):
        joint = Joint(name_, "prismatic", X_PJ=pose(p=[-sign * (half + 0.01), 0, 0]), axis=[sign, 0, 0])
        bodies.append(Body(f"pad_{name_}", "carriage", joint, Inertia(0.1, np.zeros(3), 1e-4 * np.eye(3))))
        shapes.append(PlacedShape(f"pad_{name_}_box", f"pad_{name_}", Box((0.02, 0.04, 0.04))))
    model = Model(name, tuple(bodies), shapes=tuple(shapes))
    q = [offset, 0.0, 0.0] if spring else [0.0, 0.0]
    scene = Scene(name).add_robot(model, name="gripper", pose=[0, 0, 0.5], q=q)
    scene.add_object("object", shape, mass=0.2, pose=[0, 0, 0.5 + offset])
    return scene.add_surface(mu=mu)


def peg(name):
    scene, wide, deep = ground(name, mu=0.2), 0.0402, 0.08
    for i in range(4):
        R = rotation_about(Z, i * np.pi / 2)
        at = R @ [(wide + 0.04) / 2, 0.01, deep / 2]
        scene.add_fixed(f"side_{i}", Box((0.04, 0.1, deep)), pose=pose(R, at))
    return scene.add_object("peg", Box((0.04, 0.04, 0.12)), mass=0.2, pose=[0, 0, 0.1 + 0.06])


def painleve(name):
    """A rod that slides on its tip with friction above 4/3, where rigid bodies have no consistent force (Painlevé 1895)."""
    R, length = rotation_about(Y, np.radians(60)), 0.5
    shape = Capsule(0.01, length)
    return ground(name, mu=1.8).add_object(
        "rod",
        shape,
        mass=0.2,
        pose=pose(R, [0, 0, length / 2 * np.cos(np.radians(60)) + 0.01]),
        twist=[-2.0, 0, 0, 0, 0, 0],
    )


def stack(name, count=3, hit=True):
    scene = ground(name, mu=0.6)
    for i in range(count):
        scene.add_object(f"box_{i}", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[0, 0, 0.05 + 0.1 * i])
    return scene.add_object("ball", Sphere(0.04), mass=0.2, pose=[-0.4, 0.01, 0.15], twist=[2.0, 0, 0.9, 0, 0, 0])


def row(name, count=5):
    """A pusher with a constant force behind a row of boxes."""
    scene, size = ground(name, mu=0.0), 0.1
    model = Model(
        "pusher",
        (Body("plate", None, Joint("slide", "prismatic", axis=[1, 0, 0]), Inertia(0.5, np.zeros(3), 1e-3 * np.eye(3))),),
        shapes=(PlacedShape("plate_box", "plate", Box((0.02, 0.08, 0.08))),),
    )  # fmt: skip
    scene.add_robot(model, name="pusher", pose=[-size / 2 - 0.01, 0, 0.05])
    for i in range(count):
        scene.add_object(f"box_{i}", Box((size, size, size)), mass=0.5, pose=[size * i, 0, size / 2])
        scene.add_surface(f"box_{i}", "floor", mu=0.2)
    return scene


def plate(name):
    scene = ground(name, mu=0.5)
    for i, j in itertools.product(range(3), repeat=2):
        scene.add_object(
            f"foot_{i}_{j}", Box((0.05, 0.05, 0.05)), mass=0.2, pose=[0.15 * (i - 1), 0.15 * (j - 1), 0.025]
        )
    return scene.add_object("plate", Box((0.4, 0.4, 0.02)), mass=2.0, pose=[0, 0, 0.06])


def tippe(name):
    """A sphere whose centre of mass lies below its middle, spun fast."""
    scene = free_body(
        name, Inertia(0.05, [0, 0, -0.004], 0.4 * 0.05 * 0.02**2 * np.eye(3)), [("ball", Sphere(0.02), np.eye(4))],
        [0, 0, 0.02, np.cos(0.05), np.sin(0.05), 0, 0], [0, 0, 0, 0, 0, 150.0],
    )  # fmt: skip
    return scene.add_fixed("floor", Plane()).add_surface(mu=0.3)


def rotor(name):
    scene = Scene(name, gravity=(0, 0, 0))
    return scene.add_object("box", Box((0.3, 0.2, 0.1)), mass=1.0, twist=[0, 0, 0, 0.05, 5.0, 0.05])


def held_by_hand(name, robot, at, q):
    """A cube above the palm of a hand whose joints begin at `q` where a name ends in these words."""
    start = np.array(robot_q(robot, q))
    scene = Scene(name).add_robot(robot, name="hand", q=start)
    return scene.add_object("object", Box((0.05, 0.05, 0.05)), mass=0.1, pose=at).add_surface(mu=0.8)


def robot_q(robot, endings):
    """The home configuration with some joints elsewhere."""
    model = load(robot)
    q = np.array(model.q_home)
    for ending, value in endings.items():
        for joint in model.joint_names:
            if joint.endswith(ending):
                q[model.q_index(joint)] = value
    return q


def held_by_gripper(name, clearance=1e-4):
    """A cube between the pads of a 2F-85, closed by the driver until they nearly touch it."""
    from carpal.contact import distance
    from carpal.kinematics import fk, satisfy_constraints

    model, low, high = load("robotiq_2f85"), 0.0, 0.7

    def made(angle):
        q = np.array(model.q_home)
        q[[model.q_index(f"{side}_driver_joint") for side in ("left", "right")]] = angle
        q = satisfy_constraints(model, q).q
        middle = 0.5 * (fk(model, q, "left_pad")[:3, 3] + fk(model, q, "right_pad")[:3, 3]) + [0, 0, 0.015]
        scene = Scene(name).add_robot("robotiq_2f85", name="hand", q=q)
        return scene.add_object("object", Box((0.05, 0.03, 0.03)), mass=0.1, pose=middle).add_surface(mu=0.8)

    for _ in range(40):
        angle = 0.5 * (low + high)
        scene = made(angle)
        low, high = (angle, high) if distance(scene, scene.build().q_home).distance > clearance else (low, angle)
    return made(low)


def hand_scenes():
    """Those that need robots of the extra zoo."""
    curled = {"fj1": 0.3, "fj2": 0.2, "fj3": 0.2}
    leap = {"if_mcp": 0.4, "mf_mcp": 0.4, "rf_mcp": 0.4, "pip": 0.3, "dip": 0.2}
    made = [
        held_by_hand("allegro_holds_cube", "allegro", [0.02, 0.0, 0.048], curled),
        held_by_hand("leap_holds_cube", "leap_hand", [0.02, 0.02, 0.18], leap),
        held_by_gripper("gripper_2f85_holds_cube"),
    ]
    return {scene.name: scene for scene in made}


def scenes():
    """All of them, by name."""
    five = np.array([[0.101 * i, 0.0] for i in range(5)])
    cradle = np.vstack([[[-0.3, 0.0]], five])
    made = [
        block("block_on_incline_slides", 20, mu=0.2),
        block("block_on_incline_sticks", 20, mu=0.5),
        block("block_slip_reversal", 20, twist=[-1.0, 0, 0, 0, 0, 0], mu=0.2),
        block("block_stops", 0, twist=[1.5, 0, 0, 0, 0, 0], mu=0.4),
        block("block_topples", 25, (0.1, 0.1, 0.3), mu=1.0),
        block("block_stands", 15, (0.1, 0.1, 0.3), mu=1.0),
        ladder("ladder_holds", 0.35),
        ladder("ladder_slides", 0.2),
        ball("sphere_rolls", 20, mu=0.5),
        ball("sphere_slips_down", 30, mu=0.1),
        ground("cylinder_rolls", 20, mu=0.5).add_object(
            "cylinder", Cylinder(0.05, 0.1), mass=0.5, pose=pose(rotation_from_rpy([np.pi / 2, 0, 0]), [0, 0, 0.05])
        ),
        ball("bowling_ball", 0, 0.108, 6.0, twist=[3.0, 0, 0, 0, 0, 0], mu=0.2),
        ball("ball_with_backspin", 0, twist=[1.0, 0, 0, 0, -100.0, 0], mu=0.3),
        ball("bouncing_ball", height=0.5, mu=0.3, restitution=0.8),
        ball("oblique_bounce", height=0.4, twist=[1.0, 0, 0, 0, 0, 0], mu=0.5, restitution=0.7),
        balls("billiard_collision", [[0, 0], [0.4, 0.05]], [[1.0, 0.0], [0.0, 0.0]], mu=0.0, restitution=1.0),
        balls("newtons_cradle", cradle, [[1.0, 0.0]] + [[0.0, 0.0]] * 5, mu=0.0, restitution=1.0),
        pendulum("pendulum", [1.2]),
        pendulum("double_pendulum", [1.0, 0.5]),
        coupled("coupled_pendulums"),
        rotor("free_rotor"),
        top("spinning_top"),
        rattleback("rattleback"),
        ellipsoid("rolling_ellipsoid"),
        disc("euler_disc"),
        wobble("wobbling_cylinder"),
        dominoes("dominoes"),
        arch("arch_stands", 0.15),
        arch("arch_falls", 0.09),
        cards("card_house"),
        wall("wall_3x3", 3, 3),
        wall("wall_4x4_hit", 4, 4, hit=True),
        pile("pile"),
        pinch("pinch_holds", 0.3),
        pinch("pinch_slips", 0.15),
        pinch("shaken_pinch", 0.6, spring=200.0, offset=0.05),
        pinch("pinched_ball", 0.5, Sphere(0.03)),
        peg("peg_in_hole"),
        painleve("painleve_rod"),
        stack("hit_stack"),
        row("pushed_row"),
        plate("plate_on_boxes"),
        tippe("tippe_top"),
    ]
    return {scene.name: scene for scene in made}


if __name__ == "__main__":
    every = scenes()
    try:
        every |= hand_scenes()
    except CarpalError as problem:
        print(f"scenes with hands are left as they are: {problem}")
    for name, scene in every.items():
        (FOLDER / f"{name}.toml").write_text(scene.to_toml())
    print(f"{len(every)} scenes in {FOLDER}")
