"""The ledger of a run: energy, worst certificate, counts, status; and the report of the last step's contacts."""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_modes import IMPACT, holds
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    AXIS,
    BLOW,
    CLOSED,
    DOF_DAMPING,
    DOF_FLOATS,
    DOF_Q,
    DOF_STIFFNESS,
    GAP,
    IMPULSE,
    INCLUDED,
    LEAD,
    MODE,
    MODE_BEFORE,
    MU,
    PAIR,
    POINT,
    ROLLING,
    TORSION,
    TREE_B,
)
from carpal.engines.modal.kernels.tree_blocks import damping_of

# work of drives and dissipated energy [J], completed steps, worst certificate (9 columns), Newton steps, contact solves,
# collisions, cuts of steps, flags of collisions, mode changes, jams, status, deepest overlap at the start [m] and its pair,
# events that the accurate scheme located
WORK_IN, DISSIPATED, DONE, CERTIFIED, NEWTON_STEPS, SOLVES, HITS, CUTS, FLAGS, CHANGES, JAMS, ENDED = (
    0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
START_OVERLAP, START_PAIR, EVENTS = 20, 21, 22
# changes of the contact law (a change between sticking and rolling is none); rows of `touch` that are written
LAW_CHANGES, ROWS = 23, 24
LEDGER_COLUMNS = 25
# columns of a certificate: largest residual of gap against force, cone, sliding direction (relative); deepest overlap and
# drift [m]; energy that contacts gained in a step [J]; how far couplings and loops are open, and what their velocity adds in a
# step [m, rad]
C_GAP_FORCE, C_CONE, C_DIRECTION, C_OVERLAP, C_DRIFT, C_ENERGY, C_CONSTRAINT_GAP, C_LIMIT = 0, 1, 2, 3, 4, 5, 6, 7
# what restitution gave back of a collision against its law, of the largest impulse times the largest speed
C_RESTITUTION = 8
CERTIFICATE = 9
# limits of work that a step has reached, added up (C_LIMIT): parts and repetitions; collisions;
# events of the accurate scheme; parts that its error asked for
LIMIT_PARTS, LIMIT_HITS, LIMIT_EVENTS, LIMIT_ERROR = 1, 2, 4, 8
# status
COMPLETED, TOO_MANY_CONTACTS, NOT_FINITE, SINGULAR, OVERLAPPING, OPEN_AT_START = 0, 1, 2, 3, 4, 5

# a reported contact: pair (-1: none), mode, gap [m], point, normal, force in C [N, N m], slip (2) [m/s], spin [rad/s],
# rolling [rad/s], friction, torsional radius [m]
T_PAIR, T_MODE, T_GAP, T_POINT, T_NORMAL, T_FORCE, T_SLIP, T_SPIN, T_ROLLING, T_MU, T_TORSION = (
    0, 1, 2, 3, 6, 9, 13, 15, 16, 17, 18,
)  # fmt: skip
TOUCH_COLUMNS = 19


@leaf
def step_entries(ledger, world):
    """The entries that a repeated step takes back: drive work, dissipated energy, changes of mode and law, rows."""
    return (
        ledger[world, WORK_IN], ledger[world, DISSIPATED], ledger[world, CHANGES], ledger[world, LAW_CHANGES],
        ledger[world, ROWS],
    )  # fmt: skip


@leaf
def restore_entries(ledger, world, entries):
    """Put back what `step_entries` returned."""
    ledger[world, WORK_IN], ledger[world, DISSIPATED], ledger[world, CHANGES] = entries[0], entries[1], entries[2]
    ledger[world, LAW_CHANGES], ledger[world, ROWS] = entries[3], entries[4]


@kernel
def record_drive_work(dofs, robots, dt, q, v, v_next, weight, u, target, ledger, world, slot):
    """Add the work of drives and servo along the mean velocity, and the loss in joint damping; call before `q` and `v` change."""
    n = v.shape[1]
    for dof in range(n):
        old, new = v[slot, dof], v_next[slot, dof]
        mean = 0.5 * (old + new)
        force = u[world, dof] + dofs[dof, DOF_DAMPING] * target[slot, n + dof]
        stiff = dofs[dof, DOF_STIFFNESS]
        if stiff > 0.0:
            force += stiff * (target[slot, dof] - q[slot, int(dofs[dof, DOF_Q])] - dt * new)
        if robots > 1 and dofs[dof, DOF_FLOATS] > 0.0:
            force += weight[slot, dof]
        ledger[world, WORK_IN] += dt * force * mean
        ledger[world, DISSIPATED] += dt * damping_of(dofs, dof, old) * new * mean


@leaf
def record_collision(ledger, world, flags, lost):
    """Count a collision, its flags and its energy loss [J]."""
    ledger[world, HITS] += 1.0
    ledger[world, FLAGS] = float(int(ledger[world, FLAGS]) | int(flags))
    ledger[world, DISSIPATED] += lost


@kernel
def record_start_overlap(con, slot, count, ledger, world):
    """Record the deepest overlap at the start and its pair."""
    for c in range(count):
        if -con[slot, c, GAP] > ledger[world, START_OVERLAP]:
            ledger[world, START_OVERLAP], ledger[world, START_PAIR] = -con[slot, c, GAP], con[slot, c, PAIR]


@leaf
def reach_limit(ledger, world, limit):
    """Record that a step has reached a limit of its work; one of LIMIT_..."""
    ledger[world, CERTIFIED + C_LIMIT] = float(int(ledger[world, CERTIFIED + C_LIMIT]) | limit)


@kernel
def mode_changes(con, slot, count):
    """(contacts in another mode than in the step before, those of them whose law has changed)."""
    changes, laws = 0, 0
    for c in range(count):
        now, before = int(con[slot, c, MODE]), int(con[slot, c, MODE_BEFORE])
        if now != before:
            changes += 1
            if not (holds(now) and holds(before)):
                laws += 1
    return changes, laws


@kernel
def report_collision(con, touch, ledger, world, slot, count, dt):
    """Add the impulses of a collision (BLOW) to `touch[world]`, each as a force over the step of length `dt`."""
    row = int(ledger[world, ROWS])
    for c in range(count):
        if row >= touch.shape[1] - 1:
            break
        if con[slot, c, CLOSED] == 0.0 or not con[slot, c, BLOW + 2] > 0.0:
            continue
        for k in range(TOUCH_COLUMNS):
            touch[world, row, k] = 0.0
        touch[world, row, T_PAIR], touch[world, row, T_MODE] = con[slot, c, PAIR], IMPACT
        touch[world, row, T_GAP] = con[slot, c, GAP]
        for k in range(3):
            touch[world, row, T_POINT + k] = (
                con[slot, c, POINT + k] + con[slot, c, (LEAD + 3 if con[slot, c, TREE_B] >= 0.0 else LEAD) + k]
            )
            touch[world, row, T_NORMAL + k] = con[slot, c, AXIS + k]
            touch[world, row, T_FORCE + k] = con[slot, c, BLOW + k] / dt
        touch[world, row, T_MU], touch[world, row, T_TORSION] = con[slot, c, MU], con[slot, c, TORSION]
        row += 1
    touch[world, row, T_PAIR], ledger[world, ROWS] = -1.0, row


@kernel
def report_contacts(con, touch, ledger, world, slot, count, dt):
    """Add the contacts of the solve to `touch[world]`, with forces over the step of length `dt`.

    The row after the last has pair -1.
    """
    row = int(ledger[world, ROWS])
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0 or row >= touch.shape[1] - 1:
            continue
        touch[world, row, T_PAIR], touch[world, row, T_MODE] = con[slot, c, PAIR], con[slot, c, MODE]
        touch[world, row, T_GAP] = con[slot, c, GAP]
        for k in range(3):
            touch[world, row, T_POINT + k] = (
                con[slot, c, POINT + k] + con[slot, c, (LEAD + 3 if con[slot, c, TREE_B] >= 0.0 else LEAD) + k]
            )
            touch[world, row, T_NORMAL + k] = con[slot, c, AXIS + k]
        for k in range(4):
            touch[world, row, T_FORCE + k] = con[slot, c, IMPULSE + k] / dt
        touch[world, row, T_SLIP], touch[world, row, T_SLIP + 1] = con[slot, c, AFTER], con[slot, c, AFTER + 1]
        touch[world, row, T_SPIN], touch[world, row, T_ROLLING] = con[slot, c, AFTER + 3], con[slot, c, ROLLING]
        touch[world, row, T_MU], touch[world, row, T_TORSION] = con[slot, c, MU], con[slot, c, TORSION]
        row += 1
    touch[world, row, T_PAIR], ledger[world, ROWS] = -1.0, row
