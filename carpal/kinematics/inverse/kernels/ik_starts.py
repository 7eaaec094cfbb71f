"""Where a search starts: the sampled configurations whose tool is nearest to the target, nearest first.

The samples are drawn once for a model and a seed, and do not depend on the target's place in a batch.
"""

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.ik_task import POINTING, POSITION_ONLY, TARGET_P, TARGET_R, WEIGHT, pointing
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import BALL, FREE, KIND, Q_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.vec3 import dot, sub


@leaf
def rough_distance(goal, poses, s, world):
    """Squared distance of a sample's pose from the target; 2 (1 - cos) stands for the angle's square, as it is cheap."""
    d = sub(vector_at(goal.target, world, TARGET_P), vector_at(poses, s, TARGET_P))
    if goal.task == POSITION_ONLY:
        return dot(d, d)
    if goal.task == POINTING:
        away = 1.0 - dot(pointing(goal, matrix_at(poses, s, TARGET_R)), vector_at(goal.target, world, TARGET_R))
    else:
        away = 3.0
        for i in range(9):
            away -= poses[s, i] * goal.target[world, i]
    return dot(d, d) + 2.0 * away * goal.numbers[WEIGHT] * goal.numbers[WEIGHT]


@kernel
def next_start(arm, goal, samples, sample_poses, q, world, slot, last_distance, last_index):
    """Put the next nearest sample's chain joints into q[slot]; returns its (distance, index), to ask for the one after.

    The index is -1 when there is none left.
    """
    best, index = 1e300, -1
    for s in range(samples.shape[0]):
        distance = rough_distance(goal, sample_poses, s, world)
        after = distance > last_distance or (distance == last_distance and s > last_index)
        if after and distance < best:
            best, index = distance, s
    if index >= 0:
        for i in range(arm.chain.shape[0]):
            body = arm.chain[i]
            kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
            for k in range(freedoms(kind) + (1 if kind == BALL or kind == FREE else 0)):
                q[slot, iq + k] = samples[index, iq + k]
    return best, index
