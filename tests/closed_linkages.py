"""Planar linkages with loops, their closed forms, and the motion of a four-bar by its own equation."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from carpal.model import Body, Coupling, Joint, Loop, Model
from carpal.spatial import Inertia, pose

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.5, 0.4, 0.5
MASSES = {"crank": 0.5, "coupler": 0.8, "rocker": 0.6}
TURN = np.array([0.0, 1.0, 0.0])


def link(name: str, parent: str | None, x: float, length: float, mass: float, z: float = 0.0, **joint: float) -> Body:
    """A rod along x on a hinge about y at (x, 0, z) of its parent."""
    hinge = Joint(f"hinge_{name}", "revolute", X_PJ=pose(p=np.array([x, 0.0, z])), axis=TURN, **joint)
    moment = mass * length * length / 12.0
    return Body(name, parent, hinge, Inertia(mass, np.array([length / 2, 0.0, 0.0]), np.diag([1e-4, moment, moment])))


def at(x: float) -> np.ndarray:
    """A pose at (x, 0, 0)."""
    return pose(p=np.array([x, 0.0, 0.0]))


def four_bar(**crank: float) -> Model:
    """Crank and coupler from the origin, rocker from (GROUND, 0, 0), joined by three equations in space."""
    bodies = (
        link("crank", None, 0.0, CRANK, MASSES["crank"], **crank),
        link("coupler", "crank", CRANK, COUPLER, MASSES["coupler"]),
        link("rocker", None, GROUND, ROCKER, MASSES["rocker"]),
    )
    return Model("four_bar", bodies, loops=(Loop("joint", "connect", "coupler", "rocker", at(COUPLER), at(ROCKER)),))


def four_bar_angles(theta: float) -> np.ndarray:
    """World angles of crank, coupler and rocker about y at a crank angle."""
    P = CRANK * np.array([np.cos(theta), -np.sin(theta)])
    r = np.array([GROUND, 0.0]) - P
    far = np.hypot(*r)
    along = (COUPLER**2 - ROCKER**2 + far**2) / (2 * far)
    e = r / far
    B = P + along * e + np.sqrt(COUPLER**2 - along**2) * np.array([-e[1], e[0]])
    return np.array([theta, -np.arctan2(*(B - P)[::-1]), -np.arctan2(*(B - [GROUND, 0.0])[::-1])])


def four_bar_q(theta: float) -> np.ndarray:
    """Configuration of `four_bar` at a crank angle."""
    crank, coupler, rocker = four_bar_angles(theta)
    return np.array([crank, coupler - crank, rocker])


def _energies(theta: float, stiffness: float, slack: float) -> tuple[float, float]:
    """Inertia seen by the crank's angle, and potential energy."""
    step = 1e-5
    places = []
    for t in (theta - step, theta, theta + step):
        angles = four_bar_angles(t)
        heads = np.array([np.cos(angles), -np.sin(angles)])
        centre = np.array([[0.0, 0.0], CRANK * heads[:, 0], [GROUND, 0.0]]).T + 0.5 * heads * [CRANK, COUPLER, ROCKER]
        places.append((angles, centre))
    turn, way = ((places[2][k] - places[0][k]) / (2 * step) for k in range(2))
    m, size = np.array(list(MASSES.values())), np.array([CRANK, COUPLER, ROCKER])
    inertia = (m * (way**2).sum(axis=0) + m * size**2 / 12 * turn**2).sum()
    return float(inertia), float((m * 9.81 * places[1][1][1]).sum() + 0.5 * stiffness * (theta - slack) ** 2)


def four_bar_motion(theta: float, time: float, stiffness: float = 0.0, slack: float = 0.0) -> tuple[float, float]:
    """Crank angle and speed after a time from rest, by the equation of the one freedom that is left."""

    def rate(_: float, y: np.ndarray) -> list[float]:
        step = 1e-4
        low, here, high = (_energies(y[0] + s, stiffness, slack) for s in (-step, 0.0, step))
        inertia_slope, slope = (high[0] - low[0]) / (2 * step), (high[1] - low[1]) / (2 * step)
        return [y[1], -(0.5 * inertia_slope * y[1] ** 2 + slope) / here[0]]

    y = solve_ivp(rate, (0.0, time), [theta, 0.0], rtol=1e-10, atol=1e-10).y[:, -1]
    return float(y[0]), float(y[1])


def five_bar() -> tuple[Model, np.ndarray]:
    """Two arms of two links each that meet in a point, and a configuration in which they do."""
    bodies = (
        link("a1", None, -0.1, 0.2, 0.3), link("a2", "a1", 0.2, 0.3, 0.2),
        link("b1", None, 0.1, 0.2, 0.3), link("b2", "b1", 0.2, 0.3, 0.2),
    )  # fmt: skip
    model = Model("five_bar", bodies, loops=(Loop("meet", "connect", "a2", "b2", at(0.3), at(0.3)),))
    tip, q = np.array([0.03, 0.4]), []
    for x, side in ((-0.1, 1.0), (0.1, -1.0)):
        r = tip - [x, 0.0]
        far = np.hypot(*r)
        elbow = np.arccos((0.2**2 + far**2 - 0.3**2) / (2 * 0.2 * far))
        first = np.arctan2(r[1], r[0]) + side * elbow
        second = np.arctan2(*(r - 0.2 * np.array([np.cos(first), np.sin(first)]))[::-1])
        q += [-first, first - second]
    return model, np.array(q)


def tied_model() -> Model:
    """Two trees of hinges and a free body with a polynomial coupling, a point and a weld between them."""
    bodies = (
        link("a", None, 0.0, 0.3, 1.0), link("b", "a", 0.3, 0.2, 0.7, z=0.05), link("c", None, 0.6, 0.3, 0.8),
        link("d", "c", 0.3, 0.2, 0.4),
        Body("box", None, Joint("free", "free"), Inertia(0.5, np.array([0.01, 0.0, 0.02]), 1e-3 * np.diag([1.0, 2.0, 2.5]))),
    )  # fmt: skip
    return Model(
        "tied", bodies,
        couplings=(Coupling("gear", "hinge_d", "hinge_a", (0.1, -2.0, 0.5, 0.2), 0.2, 0.3),),
        loops=(
            Loop("pin", "connect", "b", "c", at(0.1), at(-0.05)),
            Loop("glue", "weld", "d", "box", at(0.15), pose(np.eye(3)[[1, 2, 0]].T, np.array([0.0, 0.02, 0.0]))),
        ),
    )  # fmt: skip
