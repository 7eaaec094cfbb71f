"""One step of the time stepper (Moreau 1988, Jean 1999): velocities and impulses together at the step's end, then positions.

Order of a step: collisions of what touches; velocities without contact; the contact law; where an open gap would close fast,
the step is cut at the hit and goes on after it; positions; closing of gaps; the certificate.
"""

from carpal._core.compile import kernel
from carpal.contact.kernels.placing import place_shapes
from carpal.engines.modal.kernels.books import (
    CERTIFIED,
    CHANGES,
    CUTS,
    DISSIPATED,
    FLAGS,
    HITS,
    JAMS,
    NOT_FINITE,
    SINGULAR,
    WORK_IN,
    book_drives,
    mode_changes,
    report_contacts,
)
from carpal.engines.modal.kernels.certificate import (
    C_ENERGY,
    certify_places,
    certify_slip,
    certify_velocities,
    label_modes,
)
from carpal.engines.modal.kernels.contact_rows import behind_factor, contact_matrix, contact_rows, contact_velocities
from carpal.engines.modal.kernels.contact_table import BEFORE, LOCAL, MODE, MODE_BEFORE, PAIR
from carpal.engines.modal.kernels.cutting import assemble, choose_step, scale_guess
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.impact_stage import collide, hits_are_due, jams_are_due
from carpal.engines.modal.kernels.matching import hand_over, match_contacts
from carpal.engines.modal.kernels.moving import keep_start, move_bodies
from carpal.engines.modal.kernels.projection import (
    CLOSABLE,
    FINE,
    MISSED,
    TORN,
    gaps_to_close,
    left_open,
    missed_overlap,
    overlaps_are_new,
    project_positions,
    push_apart,
)
from carpal.engines.modal.kernels.resting import REST_STEP, UNKNOWN, forget_rest, go_on, still_at_rest
from carpal.engines.modal.kernels.tree_dynamics import tree_dynamics
from carpal.kinematics.kernels.integrate import integrate

MOST_HITS, MOST_MOVES, SHORTEST = 20, 40, 1e-3
QUICK = 0.03
"""Share of gaps that a move may leave and be followed by another with the same rows."""


@kernel
def modal_step(plant, tables, vectors, robots, whole, u, target, last, report, touch, books, world, slot, count):
    """One step of length `whole`; contacts of the present place are in `con`, and of the new one afterwards.

    last: length of the part of a step that the impulses in `con` belong to [s]. With `report`, `touch` gets the contacts
    of the step's first part.

    Returns (contacts or minus how it ended, length of its last part).
    """
    left, most, cuts = whole, whole, 0
    con, J, solids, search, solving = tables.con, tables.J, plant.solids, tables.search, vectors.solving
    while left > 1e-9 * whole:
        wish, jammed = min(left, most), False
        anew = vectors.rest[slot, REST_STEP] != wish
        if anew:
            contact_rows(plant.joints, plant.bodies, plant.trees, plant.order, search.placed, con, J, slot, count)
        contact_velocities(plant.trees, plant.order, con, J, vectors.v, BEFORE, slot, count)
        for turn in range(MOST_HITS + 1):
            if robots and not tree_dynamics(
                plant.robot_joints, plant.robot_bodies, plant.trees, plant.owner, search.placed, vectors.v, tables.M,
                vectors.bias, vectors.weight, search.tree_work, slot,
            ):  # fmt: skip
                return -NOT_FINITE, left
            if turn == MOST_HITS or not hits_are_due(con, plant.settings, slot, count):
                if not assemble(plant, tables, vectors, robots, wish, anew, u, target, world, slot, count):
                    return -SINGULAR, left
                if turn == MOST_HITS or jammed or not jams_are_due(tables.W, con, slot, count):
                    break
                jammed = True
                books[world, JAMS] += 1.0
            flags, lost = collide(
                plant.bodies, plant.trees, plant.order, plant.dofs, solids.surfaces, plant.settings, vectors.v,
                tables.M, search.placed, tables.L, con, J, tables.Y, tables.W, tables.A, solving.x, solving.best,
                solving.mu, solving.e, vectors.spare, tables.hit_work, slot, count,
            )  # fmt: skip
            anew = True
            books[world, HITS] += 1.0
            books[world, FLAGS] = float(int(books[world, FLAGS]) | int(flags))
            books[world, DISSIPATED] += lost
            books[world, CERTIFIED + C_ENERGY] = max(books[world, CERTIFIED + C_ENERGY], -lost)
            contact_velocities(plant.trees, plant.order, con, J, vectors.v, BEFORE, slot, count)
        scale_guess(con, slot, count, wish / last)
        dt = choose_step(plant, tables, vectors, robots, wish, cuts, u, target, books, world, slot, count)
        if dt < 0.0:
            return -SINGULAR, left
        work_in, dissipated, changes = books[world, WORK_IN], books[world, DISSIPATED], books[world, CHANGES]
        books[world, DISSIPATED] -= certify_velocities(tables.W, con, slot, count, books, world, CERTIFIED)
        book_drives(
            plant.dofs, robots, dt, vectors.q, vectors.v, vectors.step, vectors.weight, u, target, books, world, slot
        )
        label_modes(plant.joints, plant.bodies, plant.trees, search.placed, con, vectors.step, slot, count)
        certify_slip(con, slot, count, dt, books, world, CERTIFIED)
        books[world, CHANGES] += mode_changes(con, slot, count)
        if report and left == whole:
            report_contacts(con, touch, world, slot, count, dt)
        keep_start(vectors.q, vectors.v, vectors.before.start_q, vectors.before.start_v, slot)
        move_bodies(plant, tables, vectors, dt, slot, count)
        if dt == wish and still_at_rest(plant.dofs, vectors.v, vectors.step, vectors.rest, dt, slot):
            go_on(con, slot, count)
            if gaps_to_close(con, con, CLOSABLE, slot, count) <= FINE:
                certify_places(con, con, slot, count, books, world, CERTIFIED)
                last, left, most = dt, left - dt, whole
                cuts += 1
                continue
        missed, worst = False, 0.0
        found, turn, before, closable, factored = 0, 0, 1e300, CLOSABLE, 0
        while True:
            found = find_contacts(
                plant.joints, plant.bodies, solids.shapes, solids.groups, solids.blocks, solids.pairs, solids.points,
                solids.surfaces, plant.owner, plant.trees, plant.order, plant.dofs, vectors.q, vectors.v, whole,
                vectors.by_tree.speeds, search.placed, search.pair_work, search.spots, tables.fresh, slot,
            )  # fmt: skip
            if found < 0:
                return found, left
            match_contacts(con, PAIR, LOCAL, count, tables.fresh, slot, found)
            if turn == 0 and dt > SHORTEST * whole and missed_overlap(con, tables.fresh, slot, found) > MISSED:
                missed = True
                break
            worst = gaps_to_close(con, tables.fresh, closable, slot, found)
            if (
                worst > before and closable > 0.0
            ) or worst > 10.0 * before:  # gaps contradict each other: back, and only apart
                for i in range(vectors.q.shape[1]):
                    vectors.q[slot, i] = vectors.before.kept_q[slot, i]
                before, closable, turn = 1e300, 0.0, turn + 1 if closable > 0.0 else MOST_MOVES
                continue
            if worst <= FINE or turn >= MOST_MOVES:
                break
            stale = turn > 0 and (closable == 0.0 or worst > QUICK * before)
            if stale or overlaps_are_new(tables.fresh, slot, found):  # the old rows will not do
                factored = 0
                hand_over(con, tables.fresh, slot, count, found)
                count = found
                contact_rows(plant.joints, plant.bodies, plant.trees, plant.order, search.placed, con, J, slot, count)
                behind_factor(plant.trees, tables.L, con, J, tables.Y, slot, count)
                contact_matrix(plant.trees, con, tables.Y, tables.W, slot, count)
            if closable == 0.0:
                push_apart(
                    plant.trees, plant.order, tables.W, tables.L, tables.Y, con, tables.fresh, vectors.step,
                    vectors.spare, slot, count, found,
                )  # fmt: skip
            else:
                factored = project_positions(
                    plant.trees, plant.order, tables.W, tables.L, tables.Y, con, tables.fresh, tables.A, solving.x,
                    solving.places, solving.pivots, vectors.step, vectors.spare, closable, factored, slot, count, found,
                )  # fmt: skip
                if factored == 0:
                    break
            for i in range(vectors.q.shape[1]):
                vectors.before.kept_q[slot, i] = vectors.q[slot, i]
            before, turn = worst, turn + 1
            integrate(plant.joints, vectors.q, vectors.step, 1.0, vectors.q, slot)
        fine = not missed and closable > 0.0 and worst <= FINE
        forget_rest(vectors.rest, slot, 0.0 if fine else UNKNOWN)
        # where gaps contradict each other, pressing contacts may be left open; a shorter step leaves less
        torn = not missed and not fine and dt > SHORTEST * whole and left_open(con, tables.fresh, slot, found) > TORN
        if missed or torn:  # what was not seen coming is seen from nearer
            keep_start(vectors.before.start_q, vectors.before.start_v, vectors.q, vectors.v, slot)
            place_shapes(plant.joints, plant.bodies, solids.shapes, solids.groups, vectors.q, search.placed, slot, slot)
            if torn:  # the contacts of the start were given up on the way
                hand_over(con, tables.fresh, slot, count, found)
                count, found = found, find_contacts(
                    plant.joints, plant.bodies, solids.shapes, solids.groups, solids.blocks, solids.pairs, solids.points,
                    solids.surfaces, plant.owner, plant.trees, plant.order, plant.dofs, vectors.q, vectors.v, whole,
                    vectors.by_tree.speeds, search.placed, search.pair_work, search.spots, tables.fresh, slot,
                )  # fmt: skip
                if found < 0:
                    return found, left
                match_contacts(con, PAIR, LOCAL, count, tables.fresh, slot, found)
                hand_over(con, tables.fresh, slot, count, found)
                count = found
            else:
                for c in range(count):
                    con[slot, c, MODE] = con[slot, c, MODE_BEFORE]
            books[world, WORK_IN], books[world, DISSIPATED], books[world, CHANGES] = work_in, dissipated, changes
            last, most = dt, 0.25 * dt
            continue
        most = whole
        certify_places(con, tables.fresh, slot, found, books, world, CERTIFIED)
        hand_over(con, tables.fresh, slot, count, found)
        count, last = found, dt
        left -= dt
        cuts += 1
    books[world, CUTS] += cuts - 1
    return count, last
