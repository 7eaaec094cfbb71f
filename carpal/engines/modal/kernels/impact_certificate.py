"""The certificate of a collision: every impulse in its cone, restitution as its law says, and no island gains energy.

Cone: of the largest impulse. Restitution: what the law owes at a contact after the collision (`MISSING`: work with Stronge's
rule, impulse with Poisson's), of the largest impulse times the largest speed, or of the largest impulse. Energy: of each island
for itself, so that the loss of one does not hide the gain of another.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.impact import POISSON
from carpal.engines.modal.kernels.impact_islands import ISLAND, MISSING, U_BEFORE
from carpal.engines.modal.kernels.ledger import C_CONE, C_ENERGY, C_RESTITUTION, CERTIFIED


@leaf
def _raise(ledger, world, column, value):
    """Raise a residual of the certificate; what is not a number breaks every bound."""
    if not value <= ledger[world, CERTIFIED + column]:
        ledger[world, CERTIFIED + column] = value


@kernel
def certify_collision(u, P, mu, work, law, ledger, world, slot, n):
    """Raise the certificate to the residuals of a collision of n contacts.

    Args:
        u: [slot, 3 n] velocities after it [m/s]; those before are in `work`.
        P: [slot, 3 n] impulses on B [N s].
        mu, work: as of `hit_contacts`.
        law: STRONGE or POISSON.
    """
    largest, fastest = 0.0, 0.0
    for i in range(n):
        largest = max(largest, P[slot, 3 * i + 2])
        for a in range(3):
            fastest = max(fastest, max(abs(u[slot, 3 * i + a]), abs(work[slot, i, U_BEFORE + a])))
    if not largest > 0.0:
        return
    scale = largest if law == POISSON else largest * fastest
    for i in range(n):
        k = 3 * i
        across = math.sqrt(P[slot, k] * P[slot, k] + P[slot, k + 1] * P[slot, k + 1])
        outside = max(across - mu[slot, i] * P[slot, k + 2], -P[slot, k + 2])
        _raise(ledger, world, C_CONE, outside / largest)
        _raise(ledger, world, C_RESTITUTION, abs(work[slot, i, MISSING]) / scale)
        gained, first = 0.0, False
        for j in range(n):
            if work[slot, j, ISLAND] == work[slot, i, ISLAND]:
                if j < i:
                    break
                first = True
                for a in range(3):
                    gained += 0.5 * (work[slot, j, U_BEFORE + a] + u[slot, 3 * j + a]) * P[slot, 3 * j + a]
        if first:
            _raise(ledger, world, C_ENERGY, gained)
