"""The signing robots and hands, made once for all tests."""

from __future__ import annotations

import functools

import numpy as np

from carpal.contact import collision_checker
from carpal.labs.sign import HandMover, Signer, letters_of, read_alphabet, sign_hand

WORDS = (
    "ZIO",
    "CIAO",
    "MAMMA",
    "GRAZIE",
    "FINESTRA",
    "ALFABETO",
    "BUONGIORNO",
    "SORDOCIECO",
    "ARRIVEDERCI",
    "TRASMISSIONE",
)


@functools.cache
def hand(robot="parloma"):
    return sign_hand(robot)


@functools.cache
def letters(robot="parloma"):
    return letters_of(hand(robot), read_alphabet())


@functools.cache
def mover(robot="parloma"):
    return HandMover(hand(robot), collision_checker(hand(robot).model))


@functools.cache
def signer(robot="parloma", arm="", behaviour="careful"):
    return Signer(robot, arm=arm, behaviour=behaviour)


@functools.cache
def plan(text="CIAO", robot="parloma"):
    return signer(robot).plan(text)


def random_touches(finger, count, seed, most=0.5):
    """Tendon travel (count) [m] and one or two forces (count, 2, 4) of at most `most` N in any direction."""
    rng = np.random.default_rng(seed)
    travel = rng.uniform(0.0, 1.05 * finger.travel, count)
    loads = np.zeros((count, 2, 4))
    loads[..., 0] = rng.integers(0, 3, (count, 2))
    loads[..., 1] = rng.uniform(0.0, 1.0, (count, 2)) * finger.lengths[loads[..., 0].astype(int)]
    force, turn = rng.uniform(0.0, most, (count, 2)), rng.uniform(-np.pi, np.pi, (count, 2))
    force[:, 1] *= rng.integers(0, 2, count)
    loads[..., 2], loads[..., 3] = force * np.cos(turn), force * np.sin(turn)
    return travel, loads


class HandInMuJoCo:
    """The distances of a hand's parts by MuJoCo, from the same shapes and nothing else of ours."""

    def __init__(self, model):
        import mujoco

        self._mujoco, self._model = mujoco, model
        self.there = mujoco.MjModel.from_xml_string(model.to_mjcf())
        self.data = mujoco.MjData(self.there)
        self.q_at = [self.there.joint(name).qposadr[0] for name in model.joint_names]
        geoms = [self.there.geom(shape.name).id for shape in model.shapes if shape.collides]
        owner = self.there.geom_bodyid
        parent = self.there.body_parentid
        self.pairs = [
            (a, b)
            for i, a in enumerate(geoms)
            for b in geoms[:i]
            if owner[a] != owner[b] and parent[owner[a]] != owner[b] and parent[owner[b]] != owner[a]
        ]

    def put(self, q):
        self.data.qpos[self.q_at] = q
        self._mujoco.mj_kinematics(self.there, self.data)

    def touching(self, q):
        """How many pairs overlap."""
        self.put(q)
        self._mujoco.mj_collision(self.there, self.data)
        return int(sum(contact.dist < 0 for contact in self.data.contact))

    def distance(self, q):
        """[m] of the nearest pair."""
        self.put(q)
        return min(self._mujoco.mj_geomDistance(self.there, self.data, a, b, 1.0, np.zeros(6)) for a, b in self.pairs)
