"""Ways between letters: proven apart, the same by MuJoCo, and ten thousand letters in a row."""

import numpy as np
import pytest
from sign_robots import HandInMuJoCo, hand, letters, mover

from carpal.labs.sign.hand.moves import dense_commands


def pairs(names):
    return [(a, b) for a in names for b in names if a != b]


def check_pairs(chosen, every):
    """Pairs that are not proven, least distance [m], and samples at which MuJoCo sees a touch."""
    one, shown = hand(), letters()[0]
    there = HandInMuJoCo(one.model)
    unproven, least, touching = 0, np.inf, 0
    for a, b in chosen:
        move = mover().move(shown[a].commands, shown[b].commands)
        assert np.array_equal(move.path[0], shown[a].commands) and np.array_equal(move.path[-1], shown[b].commands)
        unproven += not move.ok
        least = min(least, move.proven)
        for q in one.joints(dense_commands(one, move.path, step=every)):
            touching += there.touching(q)
    return unproven, least, touching


def test_ways_between_letters(figure):
    chosen = [pairs(list(letters()[0]))[i] for i in np.random.default_rng(0).choice(650, 60, replace=False)]
    chosen += [("R", name) for name in "ABSV"] + [(name, "R") for name in "ABSV"]
    unproven, least, touching = check_pairs(chosen, 0.05)
    figure("paths between letters that are not proven free, of 68", unproven, 0)
    figure("paths between letters: touches seen by MuJoCo, of 68", touching, 0)
    assert least > 0.002


@pytest.mark.full
def test_all_650_ordered_pairs(figure):
    unproven, least, touching = check_pairs(pairs(list(letters()[0])), 0.02)
    figure("ordered letter pairs whose path is not proven free, of 650", unproven, 0)
    figure("ordered letter pairs: distance proven along every path [mm]", 1e3 * least, 2.0, at_least=True)
    figure("ordered letter pairs: touches seen by MuJoCo along all paths, of 650", touching, 0)


def random_letters(count, seed, every):
    """A long text played from where the hand is: least distance [m] by the hand's own joints, and the drift at its end."""
    one, shown = hand(), letters()[0]
    names = list(shown)
    rng = np.random.default_rng(seed)
    now = shown["A"].commands.copy()
    samples, least = [], np.inf
    for k in range(count):
        wanted = shown[names[rng.integers(len(names))]].commands
        if not np.array_equal(now, wanted):
            move = mover().move(now, wanted)
            assert move, str(move)
            samples.append(dense_commands(one, move.path, step=every)[1:])
            now = samples[-1][-1].copy()
        assert np.array_equal(now, wanted)
        if len(samples) > 400 or k == count - 1:
            q = one.joints(np.concatenate(samples))
            least = min(least, float(mover().checker.distance(q).distance.min()))
            samples = []
    return least


def test_random_letters_in_a_row(figure):
    figure("300 random letters in a row: least distance [mm]", 1e3 * random_letters(300, 1, 0.1), 2.0, at_least=True)


@pytest.mark.full
def test_10000_random_letters_in_a_row(figure):
    least = random_letters(10_000, 2, 0.05)
    figure("10,000 random letters in a row without entanglement: least distance [mm]", 1e3 * least, 2.0, at_least=True)


def test_the_proof_sees_a_collision_between_looks():
    """A way through a finger is refused, whatever the order."""
    one = hand("cuhk")
    names = one.commands
    a = np.zeros(len(names))
    b = a.copy()
    a[names.index("index_1")], b[names.index("index_1")] = 0.0, 0.5  # sweeps into its neighbour
    b[names.index("middle_1")] = -0.0
    move = mover("cuhk").move(a, b)
    reverse = mover("cuhk").move(a, -b)
    assert not (move.ok and reverse.ok)
    assert "no order of the fingers keeps them apart" in (str(reverse) if move.ok else str(move))


def test_by_the_open_hand():
    shown = letters("cuhk")[0]
    moves = [mover("cuhk").move(shown[a].commands, shown[b].commands) for a, b in (("A", "E"), ("E", "D"), ("D", "E"))]
    assert all(moves)
    assert any(move.how == "by the open hand" for move in moves)
    assert mover("cuhk").opening(shown["E"].commands)
