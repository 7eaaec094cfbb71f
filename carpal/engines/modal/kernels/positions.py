"""Position update: integrate `q` with the new velocity, or with the mean of old and new.

Free bodies without a new contact move with the mean velocity, so that flight and steady rolling are of second order; bodies
that touch a robot move with the new velocity, which its implicit servo is solved for.
"""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.contact_table import (
    BEFORE,
    CLOSED,
    IMPULSE,
    INCLUDED,
    ORDER_DOF,
    PRESSED,
    TREE_A,
    TREE_B,
    TREE_COUNT,
    TREE_FIRST,
    TREE_SINGLE,
)
from carpal.kinematics.kernels.integrate import integrate


@kernel
def copy_state(q, v, q_kept, v_kept, slot):
    """Copy `q` and `v`."""
    for i in range(q.shape[1]):
        q_kept[slot, i] = q[slot, i]
    for i in range(v.shape[1]):
        v_kept[slot, i] = v[slot, i]


@kernel
def update_positions(plant, work, dt, slot, count):
    """Set `v` to the new velocity (in `step`) and integrate `q` over `dt`; the state before is kept in `before`."""
    vectors = work.vectors
    copy_state(vectors.q, vectors.v, vectors.before.start_q, vectors.before.start_v, slot)
    trees, con, smooth = plant.trees, work.tables.con, vectors.by_tree.smooth
    for tree in range(trees.shape[0]):
        smooth[slot, tree] = 1.0 if trees[tree, TREE_SINGLE] > 0 else 0.0
    for c in range(count):
        if con[slot, c, INCLUDED] > 0.0 and con[slot, c, IMPULSE + 2] > 0.0:
            new = con[slot, c, CLOSED] == 0.0 or (con[slot, c, PRESSED] == 0.0 and abs(con[slot, c, BEFORE + 2]) > 1e-9)
            for side in range(2):
                tree = int(con[slot, c, TREE_B if side else TREE_A])
                if tree >= 0:
                    smooth[slot, tree] = 0.0 if new else smooth[slot, tree]
    changed = True
    while changed:
        changed = False
        for c in range(count):
            a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
            if b < 0 or con[slot, c, INCLUDED] == 0.0 or con[slot, c, IMPULSE + 2] <= 0.0:
                continue
            if (smooth[slot, a] == 0.0) != (smooth[slot, b] == 0.0):
                smooth[slot, a], smooth[slot, b], changed = 0.0, 0.0, True
    for tree in range(trees.shape[0]):
        for i in range(trees[tree, TREE_COUNT]):
            dof = plant.order[trees[tree, TREE_FIRST] + i, ORDER_DOF]
            old, new = vectors.v[slot, dof], vectors.step[slot, dof]
            vectors.v[slot, dof] = new
            if smooth[slot, tree] > 0.0:
                vectors.step[slot, dof] = 0.5 * (old + new) + vectors.move[slot, dof]
    integrate(plant.joints, vectors.q, vectors.step, dt, vectors.q, slot)
