"""<contact> in written MJCF: shapes that may touch among bodies that may not, bases that MuJoCo takes for the world."""

import mujoco
import numpy as np

from carpal.model import Body, Joint, Model, PlacedShape, Sphere
from carpal.model.writers.mjcf_contacts import contact_elements
from carpal.spatial import Inertia


def chain(**options) -> Model:
    """World - base (fixed) - one - two (massless, no shape) - three; all balls overlap."""
    solid = Inertia(1.0, np.zeros(3), np.eye(3))
    kinds = {"base": "fixed", "one": "revolute", "two": "revolute", "three": "revolute"}
    bodies, parent = [], None
    for name, kind in kinds.items():
        inertia = Inertia.nothing() if name == "two" else solid
        bodies.append(Body(name, parent, Joint(f"to_{name}", kind), inertia))
        parent = name
    shapes = [
        PlacedShape(f"{body}{i}", body, Sphere(1.0 + 0.1 * i)) for body in ("base", "one", "three") for i in range(2)
    ]
    shapes.append(PlacedShape("stone", None, Sphere(1.0)))
    return Model("chain", tuple(bodies), shapes=tuple(shapes), **options)


def contacts(model: Model) -> set[frozenset[str]]:
    there = mujoco.MjModel.from_xml_string(model.to_mjcf())
    data = mujoco.MjData(there)
    mujoco.mj_forward(there, data)
    return {frozenset((there.geom(int(c.geom1)).name, there.geom(int(c.geom2)).name)) for c in data.contact}


def both(a: str, b: str) -> set[frozenset[str]]:
    return {frozenset((f"{a}{i}", f"{b}{k}" if b != "stone" else b)) for i in range(2) for k in range(2)}


def test_base_and_first_link_are_neighbours_in_mujoco_too():
    # `two` becomes a joint of `three`, so MuJoCo would filter one and three as parent and child: they are paired
    excluded, paired = contact_elements(chain(), {"two"}, {})
    assert excluded == [("base", "one")] and {frozenset(p) for p in paired} == both("one", "three")
    assert contacts(chain()) == both("base", "three") | both("one", "three") | both("one", "stone") | both(
        "three", "stone"
    )


def test_an_exclusion_of_two_shapes_leaves_the_others_of_their_bodies():
    model = chain(exclusions=(("three0", "stone"), ("base1", "three0")))
    assert contacts(chain()) - contacts(model) == {frozenset(("three0", "stone")), frozenset(("base1", "three0"))}


def test_contact_pairs_and_the_worlds_name():
    model = chain(contact_pairs=(("base0", "one1"),))
    assert contacts(model) - contacts(chain()) == {frozenset(("base0", "one1"))}
    bodies = [Body("world" if body.name == "base" else body.name, "world" if body.parent == "base" else body.parent, body.joint, body.inertia) for body in chain().bodies]  # fmt: skip # noqa: E501
    shapes = tuple(PlacedShape(s.name, "world" if s.body == "base" else s.body, s.shape) for s in chain().shapes)
    assert contacts(Model("w", tuple(bodies), shapes=shapes)) == contacts(chain())
