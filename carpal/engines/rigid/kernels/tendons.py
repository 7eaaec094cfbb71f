"""Tendons and cables: one-sided springs along a weighted sum of joint positions.

A tendon's length changes by s = c . q. It pulls with the tension

    T = T_0 + k s + d ds/dt    where the elastic part T_0 + k s is positive, and never below zero; else it is slack, T = 0

and puts the force -c T on its joints. Two tendons with opposite c and a pretension T_0 are a closed cable: together
they act as a spring of stiffness 2 k until one of them goes slack.
"""

from carpal._core.compile import leaf

# after the coefficients (nq of them for lengths, nv for rates and forces): stiffness k, damping d, pretension T_0
STIFFNESS, TENDON_DAMPING, PRETENSION = 0, 1, 2
TENDON_COLUMNS = 3


@leaf
def tension(tendons, i, q, v, row):
    """(elastic, total) tension of tendon i [N]; both zero when it is slack."""
    nq, nv = q.shape[1], v.shape[1]
    s, rate = 0.0, 0.0
    for j in range(nq):
        s += tendons[i, j] * q[row, j]
    for j in range(nv):
        rate += tendons[i, nq + j] * v[row, j]
    last = nq + nv
    elastic = max(0.0, tendons[i, last + PRETENSION] + tendons[i, last + STIFFNESS] * s)
    if elastic == 0.0:
        return 0.0, 0.0
    return elastic, max(0.0, elastic + tendons[i, last + TENDON_DAMPING] * rate)


@leaf
def tendon_forces(tendons, q, v, passive, force, row):
    """Add every tendon's elastic force to force[row], and what its damper takes to passive[row] and force[row]."""
    nq = q.shape[1]
    for i in range(tendons.shape[0]):
        elastic, total = tension(tendons, i, q, v, row)
        for j in range(v.shape[1]):
            c = tendons[i, nq + j]
            passive[row, j] -= c * (total - elastic)
            force[row, j] -= c * total
