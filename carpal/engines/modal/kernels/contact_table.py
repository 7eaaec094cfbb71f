"""Columns of the contact table of a world and of the tables of trees, freedoms and surfaces.

A contact of shapes A and B has the frame C of `contact/kernels/frames.py` with axes (t1, t2, n), n from A into B. Velocities
are those of B relative to A at the contact point in C, impulses act on B; a fourth component is the spin about n and the
torsional impulse of a soft tip. u_n < 0 means approach.
"""

from carpal._core.compile import leaf

# contacts: pair of shapes, signed gap [m], point and normal in W, rows of the bodies, trees of the bodies (-1: none, or the
# same tree as A's), friction, torsional radius [m], the point in A's body frame
PAIR, GAP, POINT, NORMAL, ROW_A, ROW_B, TREE_A, TREE_B, MU, TORSION, LOCAL = 0, 1, 2, 5, 8, 9, 10, 11, 12, 13, 14
# whether the gap is closed, whether the contact takes part in the solve, the wanted normal velocity [m/s] (minus gap / dt)
CLOSED, INCLUDED, SHIFT = 17, 18, 19
# impulse [N s, N m s]; velocities before, without contact impulses, and after the step [m/s, rad/s]
IMPULSE, BEFORE, UNHELD, AFTER = 20, 24, 28, 32
# mode; whether it pressed in the step before; speed of rolling [rad/s]; index before a match (-1: new); whether a hit is due
MODE, PRESSED, ROLLING, MATCH, DUE = 36, 37, 38, 39, 40
# impulse of an impact [N s] or multipliers of a projection (4), flags of the impact
BLOW, BLOW_FLAGS = 41, 45
# mode in the step before; branch of the contact law that the Newton matrix was made for; whether the last solve took steps
MODE_BEFORE, BRANCH, WORKED = 46, 47, 48
# first row of the contacts that it hangs together with, and the row after their last
ISLAND_FIRST, ISLAND_END = 49, 50
# bound of the speed of its bodies' points when it was found [m/s]: what J v is rounded against
SPEED = 51
# rows in the linear system of the bodies (`body_solve.py`)
ACTIVE = 52
# arms from the bodies' origins and normal at the start of this part of the step (9); 1 if they are known, 2 if their rates are,
# too; how fast they changed over the last part [m/s, 1/s]
START, STARTED, RATE = 53, 62, 63
# normal in the middle of the step, and what the arms of A and B gain until then [m] (`leading.py`)
AXIS, LEAD = 72, 75
# the steps of the contact law's projections, beside `steps_of`, less one; friction while it slides and while it holds
STRETCH, MU_SLIDES, MU_HELD = 81, 82, 83
CONTACT_COLUMNS = 84

# memory between steps, of each contact: pair (-1: none), impulse per second [N, N m], point in A's body frame, mode, WORKED
# whether rates are known, and rates of arms and normal [m/s, 1/s]
KEPT_PAIR, KEPT_FORCE, KEPT_LOCAL, KEPT_MODE, KEPT_WORKED, KEPT_STARTED, KEPT_RATE = 0, 1, 5, 8, 9, 10, 11
KEPT_COLUMNS = 20

# trees int64: first place in `order`, number of freedoms, row of the body where the tree is a single free one (else 0), row of
# its first body, first row of its couplings and loops and how many there are. Bodies that couplings, loops or tendons connect
# count as one tree.
TREE_FIRST, TREE_COUNT, TREE_SINGLE, TREE_ROOT, TREE_HELD, TREE_HOLDS = 0, 1, 2, 3, 4, 5
TREE_COLUMNS = 6
# order int64 (nv, 3): the freedom at each place, trees one after the other; of each freedom the place in its tree, and the tree
ORDER_DOF, ORDER_PLACE, ORDER_TREE = 0, 1, 2

# freedoms: damping, stiffness, Coulomb friction, speed that smooths it, whether gravity is compensated, how far a unit of
# speed moves any point that it carries [m], largest speed that a step resolves; lower and upper stop, index of q (-1: no stop);
# stiffness of the joint's own spring and where it is slack
DOF_DAMPING, DOF_STIFFNESS, DOF_FRICTION, DOF_SMOOTH, DOF_FLOATS, DOF_LEVER, DOF_FASTEST = 0, 1, 2, 3, 4, 5, 6
DOF_LOW, DOF_HIGH, DOF_Q, DOF_SPRING, DOF_SLACK = 7, 8, 9, 10, 11
DOF_COLUMNS = 12

# surfaces of each pair: friction, torsional radius [m], restitution (kind, two numbers), static friction
SURFACE_MU, SURFACE_TORSION, SURFACE_KIND, SURFACE_E, SURFACE_E2, SURFACE_HELD = 0, 1, 2, 3, 4, 5
SURFACE_COLUMNS = 6

# numbers of the engine: step [s], speed [m/s] above which a meeting is a collision, collision law, several at once
# whether contacts are taken in the middle of the step
SET_STEP, SET_THRESHOLD, SET_LAW, SET_SEVERAL, SET_LEAD = 0, 1, 2, 3, 4
SETTINGS = 5

CLOSED_GAP = 1e-7
"""[m] a gap below that counts as closed: friction acts, and a fast approach is a collision."""


@leaf
def rows_of(con, slot, c):
    """How many components a contact has: 4 with a soft tip, 3 with friction, else 1, which is the third."""
    if con[slot, c, CLOSED] == 0.0:
        return 1
    if con[slot, c, TORSION] > 0.0:
        return 4
    return 3 if con[slot, c, MU] > 0.0 else 1


LARGE = 24
"""Contacts of a world beyond which linear systems are solved in the space of the bodies, and W holds only what bodies share."""


@leaf
def share_tree(con, slot, c, d):
    """Whether two contacts act on a common tree; otherwise nothing couples them directly."""
    a, b = con[slot, c, TREE_A], con[slot, c, TREE_B]
    e, f = con[slot, d, TREE_A], con[slot, d, TREE_B]
    return (a >= 0.0 and (a == e or a == f)) or (b >= 0.0 and (b == e or b == f))


@leaf
def takes(rows, k):
    """Whether a contact of so many components has component k."""
    return k == 2 or (rows > 1 and k < rows)


@leaf
def copy_contact(source, target, slot, i, j):
    """Row i of a table goes to row j of another."""
    for k in range(CONTACT_COLUMNS):
        target[slot, j, k] = source[slot, i, k]
