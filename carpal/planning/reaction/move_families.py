"""Three families of rest-to-rest motions: all of them, one straight joint path at its own pace, one pace to any posture."""

from __future__ import annotations

import numpy as np

from carpal.planning.reaction.least_peak import Family
from carpal.planning.reaction.rest_to_rest import DEGREE, JointSpline, quintic_weights, spline_basis
from carpal.spatial import Array


def free_family(q0: Array, spans: int) -> Family:
    """Every spline from rest at q0 (nq) to rest anywhere; x holds inner control points, then the end posture."""
    nq = len(q0)
    base = np.zeros((spans + DEGREE, nq))
    base[:3] = q0
    shape = np.zeros((spans + DEGREE, nq, spans * nq))
    for j in range(nq):
        for i in range(spans - 1):
            shape[3 + i, j, i * nq + j] = 1.0
        shape[-3:, j, (spans - 1) * nq + j] = 1.0
    # an end posture that moves takes the rest of the motion along as a quintic would
    lead = np.kron(quintic_weights(spans)[3:-2, None], np.eye(nq))
    return Family(base, shape, np.asarray(lead, np.float64))


def free_numbers(motion: JointSpline) -> Array:
    """The x of a motion in `free_family` of its own number of spans."""
    return motion.control[3:-2].reshape(-1)


def timing_family(q0: Array, q1: Array, spans: int) -> Family:
    """The straight joint path between two postures (nq), passed at any pace; x holds how far along, 0 to 1."""
    base = np.zeros((spans + DEGREE, len(q0)))
    base[:-3], base[-3:] = q0, q1
    shape = np.zeros((spans + DEGREE, len(q0), spans - 1))
    for i in range(spans - 1):
        shape[3 + i, :, i] = q1 - q0
    return Family(base, shape)


def posture_family(q0: Array) -> Family:
    """The quintic to any end posture; x is that posture (nq)."""
    nq = len(q0)
    base = np.zeros((1 + DEGREE, nq))
    base[:3] = q0
    shape = np.zeros((1 + DEGREE, nq, nq))
    shape[3:] = np.eye(nq)
    return Family(base, shape, np.eye(nq))


def refined(motion: JointSpline, spans: int) -> JointSpline:
    """The same motion with more spans; exact where the old knots are among the new."""
    s = np.linspace(0.0, 1.0, 10 * spans)
    solved = np.linalg.lstsq(spline_basis(s, spans), spline_basis(s, motion.spans) @ motion.control, rcond=None)[0]
    control = np.asarray(solved, np.float64)
    control[:3], control[-3:] = motion.control[0], motion.control[-1]
    return JointSpline(control, motion.duration)
