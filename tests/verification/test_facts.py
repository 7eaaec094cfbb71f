"""The theses' own numbers, with their errata corrected (docs/errata.md)."""

import numpy as np
import pytest

import carpal
from carpal.kinematics import manipulability, random_configurations, singular_values
from carpal.model import DHRow, Model
from carpal.model.catalogue.sawyer_dh import TABLE


def test_thesis_1_start_pose(figure):
    arm = carpal.load("catcher_arm")
    X = carpal.fk(arm, np.radians([0, 180, -90, -90, 0, 90]))
    expected = np.array([[0, -1, 0, 0.16743165], [0, 0, 1, -0.333], [-1, 0, 0, -0.3535], [0, 0, 0, 1]])
    figure("thesis 1: hand pose at the start configuration, largest error", np.abs(X - expected).max(), 1e-6)
    values = singular_values(arm, arm.q_home)
    figure(
        "thesis 1: singular values at the start pose, against 1.80 1.44 1.06 0.29 0.22 0.15",
        np.abs(values - (1.80, 1.44, 1.06, 0.29, 0.22, 0.15)).max(),
        0.005,
    )
    figure("thesis 1: |det J| at the start pose, against 0.0268", abs(manipulability(arm, arm.q_home) - 0.0268), 5e-5)


def test_thesis_3_forward_kinematics(figure):
    arm = carpal.load("k10")
    X = carpal.fk(arm, np.zeros(5))
    figure(
        "thesis 3: T05(0) against identity with offset (0.636, 0, 0.1812)",
        np.abs(X[:3, 3] - (0.636, 0, 0.1812)).max(),
        1e-15,
    )
    assert np.array_equal(X[:3, :3], np.eye(3))
    # (A.24): the pointing direction in frame 3 does not depend on the first three joints
    q = random_configurations(arm, 1000, seed=1)
    c4, s4, c5, s5 = np.cos(q[:, 3]), np.sin(q[:, 3]), np.cos(q[:, 4]), np.sin(q[:, 4])
    R3 = carpal.fk(arm, q, "elbow_link")[:, :3, :3]
    pointing = np.einsum("nji,nj->ni", R3, carpal.fk(arm, q)[:, :3, 0])
    expected = np.stack([c5, s5 * c4, s5 * s4], -1)
    figure("thesis 3: pointing direction against (A.24), 1000 poses", np.abs(pointing - expected).max(), 1e-14)
    # independent of the tables: the five corrected matrices multiplied out
    figure(
        "thesis 3: FK against the five corrected matrices, 1000 poses", np.abs(carpal.fk(arm, q) - _k10(q)).max(), 1e-14
    )


def _k10(q):
    out = []
    for t1, t2, t3, t4, t5 in q:
        (c1, c2, c3, c4, c5), (s1, s2, s3, s4, s5) = np.cos([t1, t2, t3, t4, t5]), np.sin([t1, t2, t3, t4, t5])
        T01 = [[c1, -s1, 0, 0], [s1, c1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        T12 = [[c2, -s2, 0, 0], [0, 0, 1, 0], [-s2, -c2, 0, 0.112], [0, 0, 0, 1]]
        T23 = [[c3, -s3, 0, 0.325], [0, 0, -1, 0], [s3, c3, 0, 0], [0, 0, 0, 1]]
        T34 = [[0, 0, 1, 0.311], [-c4, s4, 0, 0], [-s4, -c4, 0, 0.0692], [0, 0, 0, 1]]
        T45 = [[-s5, -c5, 0, 0], [0, 0, -1, 0], [c5, -s5, 0, 0], [0, 0, 0, 1]]
        out.append(np.linalg.multi_dot([np.array(T, float) for T in (T01, T12, T23, T34, T45)]))
    return np.array(out)


def test_thesis_4_sample_pose(figure):
    arm = carpal.load("srs7")
    X = carpal.fk(arm, np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2]))
    figure("thesis 4: sample pose, largest error", np.abs(X[:3, 3] - (0.547153, 0.003269, 0.548326)).max(), 5e-7)
    other = carpal.fk(arm, np.array([-0.06071, 1.7537, -0.25798, -1.1, -0.79801, 0.50106, 1.29621]))
    figure("thesis 4: the other printed branch reaches the same pose", np.abs(other - X).max(), 2e-5)
    q = random_configurations(arm, 1000, seed=2)
    figure(
        "thesis 4: FK against the closed form of the wrist, 1000 poses",
        np.abs(carpal.fk(arm, q)[:, :3, 3] - _srs7(q)).max(),
        1e-14,
    )


def _srs7(q):
    """Position by rotating the links' vectors, without DH: Rz Ry Rz, elbow Ry, Rz Ry."""
    from scipy.spatial.transform import Rotation

    shoulder = Rotation.from_euler("ZYZ", q[:, :3])
    elbow = shoulder * Rotation.from_euler("Y", q[:, 3:4])
    wrist = elbow * Rotation.from_euler("ZY", q[:, 4:6])
    z = np.array([0.0, 0.0, 1.0])
    return 0.31 * z + shoulder.apply(0.27 * z) + elbow.apply(0.27 * z) + wrist.apply(0.145 * z)


def test_thesis_5_table(figure):
    arm = carpal.load("sawyer_dh")
    X = carpal.fk(arm, arm.q_home)
    expected = np.array([[0, 0, 1, 1.01575], [1, 0, 0, 0.1603], [0, 1, 0, 0.317], [0, 0, 0, 1]])
    figure("thesis 5: T07 against (4.8) with d2 = 192.5 mm", np.abs(X - expected).max(), 1e-9)
    values = singular_values(arm, arm.q_home)
    figure(
        "thesis 5: singular values at the start pose, against 1.985 1.732 1.434 0.506",
        np.abs(values[:4] - (1.985, 1.732, 1.434, 0.506)).max(),
        5e-4,
    )
    figure("thesis 5: the start pose is doubly singular, fifth singular value", values[4], 1e-12)


def test_thesis_5_printed_table_contradicts_itself():
    """Erratum E1: with the printed d2 the table misses its own T07 by 2 mm."""
    printed = [list(row) for row in TABLE]
    printed[1][1] = 194.5
    rows = [DHRow(a=a / 1000, alpha=np.radians(alpha), d=d / 1000) for _, d, a, alpha in printed]
    p = carpal.fk(Model.from_dh(rows), np.radians([row[0] for row in TABLE]))[:3, 3]
    assert p[1] == pytest.approx(0.1623, abs=1e-12)


def test_thesis_5_table_against_the_makers_chain(figure):
    table, maker = carpal.load("sawyer_dh"), carpal.load("sawyer")
    q = random_configurations(maker, 2000, seed=3)
    q_table = table.q_home + np.array([1, 1, 1, -1, 1, 1, 1]) * q
    assert ((table.q_min - 1e-12 <= q_table) & (q_table <= table.q_max + 1e-12)).all()
    X, Y = carpal.fk(maker, q), carpal.fk(table, q_table)
    figure("thesis 5: DH table against the maker's chain, 2000 poses [m]", np.abs(X - Y)[:, :3, 3].max(), 2.5e-4)
    figure("thesis 5: tool axis of table and maker's chain", np.abs(X - Y)[:, :3, 2].max(), 1e-5)
    figure(
        "thesis 5: centre of mass of table and maker's chain [m]",
        np.abs(carpal.com(maker, q) - carpal.com(table, q_table)).max(),
        2e-4,
    )


def test_screws_dh_and_urdf_of_one_arm_agree(figure, tmp_path):
    dh = carpal.load("srs7")
    # screws of thesis 4's arm at zero: all axes z or y through points on the z axis
    axes = [
        ((0, 0, 1), 0.0),
        ((0, 1, 0), 0.31),
        ((0, 0, 1), 0.0),
        ((0, 1, 0), 0.58),
        ((0, 0, 1), 0.0),
        ((0, 1, 0), 0.85),
        ((0, 0, 1), 0.0),
    ]
    screws = [np.concatenate([-np.cross(w, (0, 0, z)), w]) for w, z in axes]
    home = np.eye(4)
    home[2, 3] = 0.995
    poe = Model.from_screws(screws, home)
    urdf = tmp_path / "srs7.urdf"
    urdf.write_text(_urdf(axes))
    read = carpal.load(urdf)
    modified = Model.from_dh(_modified_rows(), convention="modified", tool=_lift(0.145))
    q = random_configurations(dh, 1000, seed=4)
    X = carpal.fk(dh, q)
    for name, other, frame in (("screws", poe, None), ("URDF", read, "tool"), ("modified DH", modified, None)):
        figure(
            f"{name} against standard DH of thesis 4's arm, 1000 poses",
            np.abs(carpal.fk(other, q, frame) - X).max(),
            1e-12,
        )


def _lift(z):
    X = np.eye(4)
    X[2, 3] = z
    return X


def _modified_rows():
    half = np.pi / 2
    alphas = (0, -half, half, -half, half, -half, half)
    return [DHRow(alpha=alpha, d=d) for alpha, d in zip(alphas, (0.31, 0, 0.27, 0, 0.27, 0, 0), strict=True)]


def _urdf(axes):
    heights = [z for _, z in axes]
    text = ['<robot name="srs7"><link name="base"/>']
    parent, below = "base", 0.0
    for i, ((x, y, z), height) in enumerate(zip((a for a, _ in axes), heights, strict=True)):
        text.append(
            f'<link name="l{i}"/><joint name="q{i}" type="continuous"><parent link="{parent}"/><child link="l{i}"/>'
            f'<origin xyz="0 0 {height - below!r}"/><axis xyz="{x} {y} {z}"/></joint>'
        )
        parent, below = f"l{i}", height
    text.append(
        f'<link name="tool"/><joint name="flange" type="fixed"><parent link="{parent}"/><child link="tool"/>'
        f'<origin xyz="0 0 {0.995 - below!r}"/></joint></robot>'
    )
    return "\n".join(text)
