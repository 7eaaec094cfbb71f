"""Inertial parameters that a solid body can have: the pseudo-inertia and its logarithmic Cholesky coordinates.

A body's ten parameters (mass, first moment, inertia about its origin) belong to a distribution of positive mass exactly where the
4x4 pseudo-inertia [[S, h], [h^T, m]], S = tr(I) 1 / 2 - I, is positive definite (Wensing, Kim and Slotine 2018). It is written
U U^T with U = e^a [[e^d1, s12, s13, t1], [0, e^d2, s23, t2], [0, 0, e^d3, t3], [0, 0, 0, 1]], so that any ten numbers
(a, d1, d2, d3, s12, s23, s13, t1, t2, t3) give such a body (Rucker and Wensing 2022); t is the centre of mass [m].
"""

from __future__ import annotations

import numpy as np

from carpal.spatial import Array

_PLACES = ((0, 1), (1, 2), (0, 2))  # of s12, s23, s13 in U
_SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of the inertia's numbers


def pseudo_inertia(ten: Array) -> Array:
    """(4, 4) of ten parameters: mass, first moment (3), inertia xx, yy, zz, xy, xz, yz."""
    I = np.empty((3, 3))
    for (i, j), value in zip(_SIX, ten[4:], strict=True):
        I[i, j] = I[j, i] = value
    P = np.empty((4, 4))
    P[:3, :3] = 0.5 * np.trace(I) * np.eye(3) - I
    P[:3, 3] = P[3, :3] = ten[1:4]
    P[3, 3] = ten[0]
    return P


def parameters_of(P: Array) -> Array:
    """The ten parameters of a pseudo-inertia (*batch, 4, 4); linear in it."""
    S = P[..., :3, :3]
    I = np.trace(S, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - S
    six = [I[..., i, j] for i, j in _SIX]
    return np.concatenate([P[..., 3, 3][..., None], P[..., :3, 3], np.stack(six, axis=-1)], axis=-1)


def coordinates_of(ten: Array, least: float = 1e-6) -> Array:
    """The ten logarithmic Cholesky coordinates of a body; one that no solid body could be is moved inside.

    Args:
        ten: its parameters.
        least: smallest radius of gyration [m] and mass [kg] that it is given.
    """
    P = pseudo_inertia(ten)
    m = max(P[3, 3], least)
    com = P[:3, 3] / m
    S = P[:3, :3] / m - np.outer(com, com)
    values, vectors = np.linalg.eigh(S)
    S = (vectors * np.maximum(values, least * least)) @ vectors.T
    # S = V V^T with V upper triangular: the lower factor of the matrix with both orders reversed
    V = np.linalg.cholesky(S[::-1, ::-1])[::-1, ::-1]
    out = np.empty(10)
    out[0] = 0.5 * np.log(m)
    out[1:4] = np.log(np.diag(V))
    out[4:7] = [V[i, j] for i, j in _PLACES]
    out[7:] = com
    return out


def _factor(eta: Array) -> Array:
    V = np.zeros((4, 4))
    V[range(3), range(3)] = np.exp(eta[1:4])
    for (i, j), value in zip(_PLACES, eta[4:7], strict=True):
        V[i, j] = value
    V[:3, 3], V[3, 3] = eta[7:], 1.0
    return V


def body_parameters(eta: Array) -> Array:
    """The ten parameters of a body from its coordinates (10)."""
    V = _factor(eta)
    return np.asarray(np.exp(2.0 * eta[0]) * parameters_of(V @ V.T))


def body_jacobian(eta: Array) -> Array:
    """(10, 10) derivative of `body_parameters`."""
    V, scale = _factor(eta), np.exp(2.0 * eta[0])
    rates = np.zeros((10, 4, 4))
    rates[0] = V
    for i in range(3):
        rates[1 + i, i, i] = V[i, i]
        rates[7 + i, i, 3] = 1.0
    for k, (i, j) in enumerate(_PLACES):
        rates[4 + k, i, j] = 1.0
    turned = rates @ V.T
    return np.asarray(scale * parameters_of(turned + np.swapaxes(turned, 1, 2)).T)
