"""Raghavan and Roth's elimination: the six equations hold at solutions, and the determinant has degree 8."""

import numpy as np
from six_joint_robots import six_joint_robot

from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.kernels import dialytic, six_general
from carpal.kinematics.inverse.six_class import _pose_numbers, line_table


def setup(first=0):
    axes = chain_axes(six_joint_robot("general, any", 0))
    geo = line_table(axes, False, axes.size())
    geo[49] = first
    q = np.array([0.4, -1.1, 0.7, 1.9, -0.6, 2.2])
    X = _pose_numbers(axes, q)
    R0, p0 = axes.X_WF[:3, :3], axes.X_WF[:3, 3]
    R = X[:9].reshape(3, 3) @ R0.T
    R, p = tuple(R.ravel()), tuple(X[9:] - R @ p0)
    lines, table = np.empty((1, 6, 6)), np.empty((1, 14, 36))
    six_general.open_loop.py_func(geo, R, p, lines, 0)
    dialytic.eliminate.py_func(lines, R, p, geo[51], table, 0)
    return table, np.roll(q, -first)


def test_the_equations_hold_at_the_generating_angles():
    for first in (0, 2, 5):
        table, q = setup(first)
        S, x = np.empty((1, 6, 9)), np.empty((1, 8))
        dialytic.equations_at.py_func(table, S, 0, np.cos(q[2]), np.sin(q[2]))
        c4, s4, c5, s5 = np.cos(q[3]), np.sin(q[3]), np.cos(q[4]), np.sin(q[4])
        assert six_general.misfit.py_func(S, 0, c4, s4, c5, s5) < 1e-12
        assert six_general.misfit.py_func(S, 0, c4, s4, -c5, s5) > 1e-3
        c1, s1, c2, s2 = dialytic.first_angles.py_func(table, 0, np.cos(q[2]), np.sin(q[2]), c4, s4, c5, s5, x)
        assert np.allclose([c1, s1, c2, s2], [np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1])], atol=1e-10)
        assert dialytic.triangle_ratio.py_func(table, 0) > 1e-3


def test_the_determinant_has_degree_eight_and_a_root_at_the_solution():
    table, q = setup()
    powers, A = np.empty((1, 3, 6, 9)), np.empty((1, 12, 24))
    dialytic.in_powers.py_func(table, powers, 0)
    determinant = dialytic.determinant
    values = []
    for x in 2 * np.pi * np.arange(32) / 32:
        value, ratio = determinant(powers, A, 0, complex(np.cos(x)), complex(np.sin(x)))
        assert abs(value.imag) <= 1e-12 * abs(value) and ratio > 0
        values.append(value.real)
    spectrum = np.abs(np.fft.fft(values))
    assert spectrum[9:24].max() < 1e-12 * spectrum.max() and spectrum[8] > 1e-7 * spectrum.max()
    at_root, _ = determinant(powers, A, 0, complex(np.cos(q[2])), complex(np.sin(q[2])))
    assert abs(at_root) < 1e-10 * np.abs(values).max()


def test_doubtful_roots_are_moved_onto_the_determinant():
    table, q = setup()
    powers, A = np.empty((1, 3, 6, 9)), np.empty((1, 12, 24))
    dialytic.in_powers.py_func(table, powers, 0)
    x = 2 * np.pi * np.arange(24) / 24
    values = np.array([dialytic.determinant(powers, A, 0, complex(np.cos(a)), complex(np.sin(a)))[0].real for a in x])
    c = np.fft.fft(values)[:9] / 24
    exact = np.roots(np.concatenate([c[:0:-1].conj(), c[:1], c[1:]])[::-1])
    roots, spectrum = np.empty((1, 16, 2)), np.full((1, 9, 2), 1e-12)  # a spectrum so small that every root is doubtful
    spectrum[0, 0, 0] = 1e9
    roots[0] = np.stack([exact.real, exact.imag], 1) + 1e-4
    dialytic.sharpen.py_func(powers, spectrum, roots, np.empty((1, 16)), A, 0, 16, 8)
    z = roots[0, :, 0] + 1j * roots[0, :, 1]
    assert np.abs(z - np.exp(1j * q[2])).min() < 1e-9
