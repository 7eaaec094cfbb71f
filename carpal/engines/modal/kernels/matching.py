"""Contact matching: each contact continues the nearest one of the same pair in the step before.

Points are compared in the frame of body A, in which the corners of a resting body are constant. If a pair has several points,
a match must be clearly the nearest: a manifold may drop a point and add another far from it.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    DUE,
    IMPULSE,
    INCLUDED,
    KEPT_COLUMNS,
    KEPT_FORCE,
    KEPT_LOCAL,
    KEPT_MODE,
    KEPT_PAIR,
    KEPT_RATE,
    KEPT_STARTED,
    KEPT_WORKED,
    LOCAL,
    MATCH,
    MODE,
    PAIR,
    PRESSED,
    RATE,
    START,
    STARTED,
    WORKED,
)
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import dot, sub


@kernel
def match_contacts(kept, pair_column, local_column, kept_count, con, slot, count):
    """Write to con[MATCH] the row of `kept` that each contact continues, or -1; each row serves once."""
    for c in range(count):
        con[slot, c, MATCH] = -1.0
    for i in range(kept_count):
        best, chosen = 1e300, -1
        for c in range(count):
            if con[slot, c, PAIR] == kept[slot, i, pair_column] and con[slot, c, MATCH] < 0.0:
                d = sub(get_vector(con, slot, c, LOCAL), get_vector(kept, slot, i, local_column))
                if dot(d, d) < best:
                    best, chosen = dot(d, d), c
        if chosen >= 0 and best < 0.25 * _apart(con, slot, count, chosen):
            con[slot, chosen, MATCH] = i


@leaf
def _apart(con, slot, count, c):
    """Squared distance of a contact to the nearest other one of its pair; infinite where it is alone."""
    least = 1e300
    for d in range(count):
        if d != c and con[slot, d, PAIR] == con[slot, c, PAIR]:
            e = sub(get_vector(con, slot, c, LOCAL), get_vector(con, slot, d, LOCAL))
            least = min(least, dot(e, e))
    return least


@kernel
def load_memory(memory, world, kept, con, slot, count, dt):
    """Initial guess of the impulses, and modes, from the memory of the step before."""
    rows = memory.shape[1] // KEPT_COLUMNS
    kept_count = 0
    for i in range(rows):
        if memory[world, KEPT_COLUMNS * i + KEPT_PAIR] < 0.0:
            break
        for k in range(KEPT_COLUMNS):
            kept[slot, i, k] = memory[world, KEPT_COLUMNS * i + k]
        kept_count += 1
    match_contacts(kept, KEPT_PAIR, KEPT_LOCAL, kept_count, con, slot, count)
    for c in range(count):
        i = int(con[slot, c, MATCH])
        if i >= 0:
            for k in range(4):
                con[slot, c, IMPULSE + k] = dt * kept[slot, i, KEPT_FORCE + k]
            con[slot, c, MODE], con[slot, c, WORKED] = kept[slot, i, KEPT_MODE], kept[slot, i, KEPT_WORKED]
            con[slot, c, PRESSED] = 1.0 if kept[slot, i, KEPT_FORCE + 2] > 0.0 else 0.0
            con[slot, c, STARTED] = kept[slot, i, KEPT_STARTED]
            for k in range(9):
                con[slot, c, RATE + k] = kept[slot, i, KEPT_RATE + k]


@kernel
def store_memory(con, slot, count, dt, memory, world):
    """Write the memory that the next step starts from."""
    rows = memory.shape[1] // KEPT_COLUMNS
    for c in range(rows):
        first = KEPT_COLUMNS * c
        for k in range(KEPT_COLUMNS):
            memory[world, first + k] = 0.0
        if c >= count:
            memory[world, first + KEPT_PAIR] = -1.0
            continue
        memory[world, first + KEPT_PAIR] = con[slot, c, PAIR]
        for k in range(4):
            memory[world, first + KEPT_FORCE + k] = con[slot, c, IMPULSE + k] / dt
        for k in range(3):
            memory[world, first + KEPT_LOCAL + k] = con[slot, c, LOCAL + k]
        memory[world, first + KEPT_STARTED] = con[slot, c, STARTED]
        for k in range(9):
            memory[world, first + KEPT_RATE + k] = con[slot, c, RATE + k]
        memory[world, first + KEPT_MODE], memory[world, first + KEPT_WORKED] = con[slot, c, MODE], con[slot, c, WORKED]


@kernel
def transfer_contacts(con, fresh, slot, count, fresh_count):
    """Contacts in `fresh` take impulse and mode from those they continue, then replace `con`."""
    for c in range(fresh_count):
        i = int(fresh[slot, c, MATCH])
        if i >= 0:
            for k in range(4):
                fresh[slot, c, IMPULSE + k] = con[slot, i, IMPULSE + k]
            fresh[slot, c, MODE], fresh[slot, c, WORKED] = con[slot, i, MODE], con[slot, i, WORKED]
            fresh[slot, c, PRESSED] = 1.0 if con[slot, i, IMPULSE + 2] > 0.0 else 0.0
            fresh[slot, c, INCLUDED], fresh[slot, c, DUE] = con[slot, i, INCLUDED], con[slot, i, DUE]
            if con[slot, i, STARTED] > 0.0:
                for k in range(START, RATE + 9):
                    fresh[slot, c, k] = con[slot, i, k]
    for c in range(fresh_count):
        fresh[slot, c, MATCH] = c
        for k in range(fresh.shape[2]):
            con[slot, c, k] = fresh[slot, c, k]
