"""Islands: the same as the connected parts of the graph, each in successive rows, solved as if the others were not there."""

import numpy as np
from contact_problems import NO_TREES, random_problem, solver_room
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.contact_islands import coupling, group_contacts
from carpal.engines.modal.kernels.contact_table import (
    CONTACT_COLUMNS,
    IMPULSE,
    ISLAND_END,
    ISLAND_FIRST,
    PAIR,
    TREE_A,
    TREE_B,
)
from carpal.engines.modal.kernels.newton_solve import solve_contacts
from carpal.model import Plane, Scene, Sphere


def test_islands_are_the_connected_parts():
    rng = np.random.default_rng(5)
    for _ in range(200):
        trees, count = int(rng.integers(1, 9)), int(rng.integers(1, 15))
        con = np.zeros((1, count, CONTACT_COLUMNS))
        for c in range(count):
            pair = rng.integers(-1, trees, 2)
            if pair.max() < 0:
                pair[0] = rng.integers(trees)
            con[0, c, PAIR], con[0, c, [TREE_A, TREE_B]] = c, pair
        links = con[0, (con[0, :, [TREE_A, TREE_B]] >= 0).all(axis=0)][:, [TREE_A, TREE_B]].astype(int)
        graph = coo_array((np.ones(len(links)), links.T), shape=(trees, trees))
        part = connected_components(graph, directed=False)[1]
        group_contacts(con, np.zeros((1, trees)), 0, count)
        rows = con[0]
        assert sorted(rows[:, PAIR]) == list(range(count))
        own = part[np.where(rows[:, TREE_A] >= 0, rows[:, TREE_A], rows[:, TREE_B]).astype(int)]
        for c in range(count):
            members = np.flatnonzero(own == own[c])
            assert rows[c, ISLAND_FIRST] == members[0] and rows[c, ISLAND_END] == members[-1] + 1
            assert len(members) == members[-1] + 1 - members[0]


def test_an_island_is_solved_as_if_it_were_alone():
    """Two random problems side by side, with numbers left over between them that belong to nothing."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        first, second = random_problem(rng, 3, "grasp"), random_problem(rng, 4, "floor")
        W, con = np.full((1, 28, 28), 1e9), np.concatenate([first[1], second[1]], axis=1)
        W[0, :12, :12], W[0, 12:, 12:] = first[0][0], second[0][0]
        con[0, 3:, ISLAND_FIRST], con[0, 3:, ISLAND_END] = 3, 7
        assert coupling(W, con, 0, 11, 12) == 0.0 and coupling(W, con, 0, 12, 13) == W[0, 12, 13]
        for matrix, contacts in ((W, con), first[:2], second[:2]):
            n = contacts.shape[1]
            solve_contacts(NO_TREES, matrix, contacts, *solver_room(n), 0, n)
        # forces of a redundant floor are free to wander: what they do is compared
        both = con[0, :, IMPULSE : IMPULSE + 4] * (1.0, 1.0, 1.0, 0.0)
        for (one, contacts, *_), rows in ((first, slice(0, 3)), (second, slice(3, 7))):
            alone = contacts[0, :, IMPULSE : IMPULSE + 4] * (1.0, 1.0, 1.0, 0.0)
            away = one[0] @ (both[rows] - alone).ravel()
            assert np.abs(away).max() < 1e-9 * np.abs(one[0] @ alone.ravel()).max()


def test_a_ball_does_not_notice_others_far_away():
    """Balls that slide and begin to roll, each at its own moment (blocks would: their forces on four corners are free)."""

    def balls(count):
        scene = Scene("balls")
        for k in range(count):
            twist = [0.5 + 0.1 * k, 0.2, 0, 0, 0, 3.0 + k]
            scene.add_object(f"b{k}", Sphere(0.05), mass=0.5, pose=[0.3 * k, 0, 0.05], twist=twist)
        scene.add_fixed("floor", Plane())
        return ModalEngine(scene.build(), surface=Surface(mu=0.3)).run(scene.start(), None, 200).state

    one, four = balls(1), balls(4)
    assert np.abs(one.q - four.q[:7]).max() < 1e-12
    assert np.abs(one.v - four.v[:6]).max() < 1e-12
