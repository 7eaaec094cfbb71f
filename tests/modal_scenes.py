"""Scenes that tests, evidence and benchmarks of the modal engine share: hands that hold, pads that pinch, bodies that roll."""

from __future__ import annotations

import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Plane, Scene, Sphere, load
from carpal.spatial import Inertia, pose

GRAVITY = 9.81
HAND_GAINS = {"stiffness": 3.0, "damping": 0.05}
FINGERS = ("thumb", "index", "middle", "ring", "little")


def incline(angle: float, radius: float = 0.05, mass: float = 0.2) -> Scene:
    """A ball on a floor with gravity tilted by an angle [rad] towards +x."""
    scene = Scene("incline", gravity=(GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)))
    scene.add_object("ball", Sphere(radius), mass=mass, pose=[0.0, 0.0, radius])
    return scene.add_fixed("floor", Plane())


def thrown_ball(speed: float, *, height: float = 0.0, radius: float = 0.1, mass: float = 5.0) -> Scene:
    """A ball over a floor with a speed along x [m/s]."""
    scene = Scene("thrown ball")
    scene.add_object("ball", Sphere(radius), mass=mass, pose=[0, 0, radius + height], twist=[speed, 0, 0, 0, 0, 0])
    return scene.add_fixed("floor", Plane())


def block(push: tuple[float, float] = (0.0, 0.0), size: tuple[float, float, float] = (0.2, 0.1, 0.06)) -> Scene:
    """A block on a floor, four corners down, with gravity that also pulls sideways [m/s^2]."""
    scene = Scene("block", gravity=(*push, -GRAVITY))
    scene.add_object("box", Box(size), mass=1.0, pose=[0.0, 0.0, size[2] / 2])
    return scene.add_fixed("floor", Plane())


def tipped_hand(fingers: tuple[str, ...] = FINGERS) -> Model:
    """Chan's hand with a ball of 1 cm on each tip."""
    hand = load("cuhk_hand")
    shapes = tuple(PlacedShape(f"{name}_tip", f"{name}_link_3", Sphere(0.01)) for name in fingers)
    return hand.replace(shapes=shapes)


def cross_fingers(count: int, *, squeeze: float = 0.1, gravity: float = GRAVITY) -> tuple[Model, np.ndarray]:
    """A 6 cm cube held in the air by up to five two-link fingers on its sides, and servo targets that squeeze it.

    Each finger has three hinges of 0.07 kg links; tips are balls of 1 cm that touch the cube's sides at the start.
    """
    sides = {
        2: [(-1, 0.0, 0.0), (1, 0.0, 0.0)],
        3: [(-1, 0.0, 0.0), (1, 0.02, 0.0), (1, -0.02, 0.0)],
        5: [(-1, -0.015, 0.0), (-1, 0.015, 0.0), (1, -0.024, 0.0), (1, 0.0, 0.0), (1, 0.024, 0.0)],
    }[count]
    bodies, shapes, home, target = [], [], [], []
    for k, (side, y, z) in enumerate(sides):
        name = f"f{k}"
        # a column below the tip: yaw, then two bends; the tip ends up at (side * 0.04, y, z) with q = (0, a, b)
        base = pose(p=(side * 0.08, y, z - 0.09))
        R = np.array([[-side, 0, 0], [0, -side, 0], [0, 0, 1.0]])
        base = pose(R, base[:3, 3])
        links = (
            (Joint(f"{name}_1", "revolute", X_PJ=base, axis=np.array([0.0, 0, 1])), (0.0, 0, 0.02)),
            (Joint(f"{name}_2", "revolute", X_PJ=pose(p=(0, 0, 0.02)), axis=np.array([0.0, 1, 0])), (0.0, 0, 0.05)),
            (Joint(f"{name}_3", "revolute", X_PJ=pose(p=(0, 0, 0.05)), axis=np.array([0.0, 1, 0])), (0.0, 0, 0.04)),
        )
        parent = None
        for i, (joint, end) in enumerate(links):
            body = Body(f"{name}_link_{i + 1}", parent, joint, Inertia(0.07, np.asarray(end) / 2, 1e-5 * np.eye(3)))
            bodies.append(body)
            parent = body.name
        shapes.append(PlacedShape(f"{name}_tip", parent, Sphere(0.01), pose(p=(0, 0, 0.04))))
        a, b = _bend(0.04, 0.07)
        home += [0.0, a, b]
        target += [0.0, a + squeeze, b]
    object_mass = 0.1
    bodies.append(Body("cube", None, Joint("cube", "free"), Box((0.06,) * 3).inertia(object_mass)))
    shapes.append(PlacedShape("cube", "cube", Box((0.06,) * 3)))
    model = Model(
        name=f"{count} fingers", bodies=tuple(bodies), shapes=tuple(shapes), gravity=np.array([0.0, 0.0, -gravity]),
        q_home=np.array([*home, 0, 0, 0, 1, 0, 0, 0]),
    )  # fmt: skip
    return model, np.array([*target, 0, 0, 0, 0, 0, 0])


def _bend(forward: float, up: float) -> tuple[float, float]:
    """Angles of links of 5 and 4 cm whose end is that far forward and up."""
    reach = np.hypot(forward, up)
    inner = np.arccos((0.05**2 + reach**2 - 0.04**2) / (2 * 0.05 * reach))
    a = np.arctan2(forward, up) - inner
    elbow = np.array([0.05 * np.sin(a), 0.05 * np.cos(a)])
    out = np.array([forward, up]) - elbow
    return float(a), float(np.arctan2(out[0], out[1]) - a)


def pinch(force: float) -> tuple[Model, np.ndarray]:
    """mujoco#3328: a 45 g capsule between two pads that press with a force [N], gravity across the line; drive forces u."""
    radius, length = 0.02, 0.08
    bodies, shapes = [], []
    for name, side in (("left", -1.0), ("right", 1.0)):
        joint = Joint(name, "prismatic", X_PJ=pose(p=(side * (radius + 0.01), 0, 0)), axis=np.array([1.0, 0, 0]))
        bodies.append(Body(name, None, joint, Inertia.point(0.1, np.zeros(3))))
        shapes.append(PlacedShape(name, name, Box((0.02, 0.06, 0.06))))
    bodies.append(Body("capsule", None, Joint("capsule", "free"), Capsule(radius, length).inertia(0.045)))
    shapes.append(PlacedShape("capsule", "capsule", Capsule(radius, length)))
    model = Model(
        name="pinch", bodies=tuple(bodies), shapes=tuple(shapes), exclusions=(("left", "right"),),
        q_home=np.array([0.0, 0.0, 0, 0, 0, np.sqrt(0.5), np.sqrt(0.5), 0, 0]),
    )  # fmt: skip
    return model, np.array([force, -force, 0, 0, 0, 0, 0, 0])


def ball_on_ball(duration: float) -> tuple[Scene, float]:
    """A ball of 5 cm that rolls down a fixed one of 20 cm from 0.1 rad, and its angle after a duration [s]."""
    from scipy.integrate import solve_ivp

    big, small, start = 0.2, 0.05, 0.1
    scene = Scene("ball on ball")
    scene.add_object(
        "ball", Sphere(small), mass=0.1, pose=[(big + small) * np.sin(start), 0, (big + small) * np.cos(start)]
    )
    scene.add_fixed("big", Sphere(big))
    rate = 5 / 7 * GRAVITY / (big + small)
    truth = solve_ivp(lambda t, y: [y[1], rate * np.sin(y[0])], (0, duration), [start, 0.0], rtol=1e-12, atol=1e-14)
    return scene, float(truth.y[0, -1])


def painleve_rod(mu: float) -> tuple[Scene, ModalEngine]:
    """A thin rod whose lower end slides on a floor against its lean (Painleve 1895): for mu > 4/3 at the worst lean it jams."""
    from carpal.spatial import rotation_about

    length, radius, lean = 1.0, 1e-3, np.arctan(2.0)  # the worst lean of a thin rod: tan = 2
    turn = np.asarray(rotation_about((0, 1, 0), np.pi / 2 - lean))
    along = turn @ [0, 0, 1]
    p = along * length / 2 + [0, 0, radius]
    scene = Scene("Painleve rod")
    scene.add_object("rod", Capsule(radius, length), mass=1.0, pose=pose(turn, p), twist=[-2.0, 0, 0, 0, 0, 0])
    scene.add_fixed("floor", Plane())
    return scene, ModalEngine(scene.build(), surface=Surface(mu=mu), dt=1e-4)
