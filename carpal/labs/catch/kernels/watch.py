"""What a run keeps of itself: errors, torques, the ball in the hand, so that a score needs no recording.

Errors are taken from joint angles as in the thesis (fk of the measured angles against the wanted hand); the true hand's
beside them. All are of `watch` (worlds, WATCH_COLUMNS).
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.state import GAP, SUM_COLUMNS, P, rotation_of, triple
from carpal.engines.penalty.kernels.touch import TOUCH_DEPTH
from carpal.labs.catch.kernels.arm_chain import JOINTS, hand_of
from carpal.labs.catch.kernels.control import measure_joints
from carpal.labs.catch.kernels.follow import wrap
from carpal.labs.catch.kernels.path import angles_of, attitude, path_at
from carpal.spatial.kernels.quaternion import rotation_vector_between
from carpal.spatial.kernels.vec3 import add, dot, rotate, rotate_back, sub

# moments of a run (worlds, TIME_COLUMNS) [s]: the catch, when the ball is first checked and just before the hand opens,
# until when means are taken
CATCH, CHECK, OPEN, MEANS = 0, 1, 2, 3
TIME_COLUMNS = 4
# places (bodies and columns) that `watch` reads: palm, ball, and the palm's hand frame from its centre of mass
PALM, BALL, HAND = 0, 1, 2
PLACE_COLUMNS = 5

# first touch [s]; distance of the hand [m]: largest, largest before the touch, sum; the true hand's largest
TOUCHED, FAR, FAR_BEFORE, FAR_SUM, TRUE_FAR = 0, 1, 2, 3, 4
# attitude: largest and sum of the angles' components [rad], largest and sum of the rotation [rad]; samples in the sums
ANGLE, ANGLE_SUM, TURN, TURN_SUM, SAMPLES = 5, 6, 7, 8, 9
# ball in the hand frame [m] at the first check, before opening, at the catch; distance of the hand then
CHECKED, OPENED, MET, FAR_MET = 10, 13, 16, 19
# largest torque of each joint [N m]; before the touch; steps at the limit before the catch
PEAK, PEAK_BEFORE, LIMITED = 20, 26, 32
# worst residual of the inverse kinematics, least |det J|, most iterations; widest joint gap [m]
RESIDUAL, DET, ITERATIONS, WIDEST = 33, 34, 35, 36
# largest force on the ball [N]; when the run diverged [s] and the body; largest angles' component before the touch [rad]
STRUCK, DIVERGED, BAD_BODY, ANGLE_BEFORE = 37, 38, 39, 40
# deepest contact of the ball over its bound, its depth [m] and the part; the ball in the hand frame at the first touch [m]
DEPTH_SHARE, DEEPEST, DEEP_PART, AT_TOUCH = 41, 42, 43, 44
# first and last touch of every part before the hand opens [s] (-1: never)
FIRST_BY, LAST_BY = 47, 54
WATCH_COLUMNS = 61
# parts of the robot and the scene that the ball touches: the palm, its four fingers, the thumb, the bin
PALM_PART, FINGER_PART, THUMB_PART, BIN_PART, PARTS = 0, 1, 5, 6, 7
# columns of `touches` (pairs, TOUCHES_COLUMNS): the part, and half of its thickness [m]
PART, HALF_THICKNESS = 0, 1
TOUCHES_COLUMNS = 2


@kernel
def ball_in_hand(places, now, slot):
    """Ball's centre (3) [m] in the hand frame."""
    palm, ball = int(places[PALM]), int(places[BALL])
    R = rotation_of(now, slot, palm)
    origin = add(triple(now, slot, palm, P), rotate(R, (places[HAND], places[HAND + 1], places[HAND + 2])))
    return rotate_back(R, sub(triple(now, slot, ball, P), origin))


@leaf
def _note(watch, world, column, value):
    watch[world, column] = max(watch[world, column], value)


@leaf
def watch_solver(residual, det, used, watch, world):
    """Worst residual, least |det J| and most iterations of the inverse kinematics."""
    _note(watch, world, RESIDUAL, residual)
    watch[world, DET] = min(watch[world, DET], det)
    _note(watch, world, ITERATIONS, used)


@kernel
def watch_torques(sums, watch, scratch, world, slot):
    """Peaks of the arm's torques in the step just made; the torques themselves go to `scratch.torques`."""
    before = watch[world, TOUCHED] < 0.0
    for i in range(JOINTS):
        torque, limited = sums[slot, SUM_COLUMNS + 2 * i], sums[slot, SUM_COLUMNS + 2 * i + 1]
        scratch.torques[slot, i] = torque
        _note(watch, world, PEAK + i, abs(torque))
        if before:
            _note(watch, world, PEAK_BEFORE + i, abs(torque))
            watch[world, LIMITED] += limited


@kernel
def watch_touch(touches, places, radius, times, time, touch, watch, work, world, slot):
    """First touch of the ball, the hand's largest force on it, the widest joint gap; from the forces of the step just made.

    What strikes it after the hand has opened is the bin.
    """
    _note(watch, world, WIDEST, math.sqrt(work.sums[slot, GAP]))
    size = work.sums[slot, work.sums.shape[1] - 1]  # `own_ball` has put it there
    if not size > 1e-9:
        return
    held = time < times[world, OPEN]
    if held:
        if watch[world, TOUCHED] < 0.0:
            watch[world, TOUCHED] = time
            put_row(watch, world, AT_TOUCH, ball_in_hand(places, work.now, slot))
        _note(watch, world, STRUCK, size)
    for i in range(touches.shape[0]):
        if touch[world, i, TOUCH_DEPTH] > 0.0:
            watch_part(touches, i, touch[world, i, TOUCH_DEPTH], radius, time, held, watch, world)


@leaf
def put_row(table, row, column, a):
    """Write three numbers into a row."""
    table[row, column], table[row, column + 1], table[row, column + 2] = a[0], a[1], a[2]


@kernel
def watch_part(touches, pair, depth, radius, time, held, watch, world):
    """The deepest contact beside its bound, half the thickness of the thinner side; first and last touch of the part."""
    part = int(touches[pair, PART])
    share = depth / min(radius, touches[pair, HALF_THICKNESS])
    if share > watch[world, DEPTH_SHARE]:
        watch[world, DEPTH_SHARE], watch[world, DEEPEST], watch[world, DEEP_PART] = share, depth, part
    if held:
        if watch[world, FIRST_BY + part] < 0.0:
            watch[world, FIRST_BY + part] = time
        watch[world, LAST_BY + part] = time


@kernel
def watch_hand(controller, rotary, knots, times, time, now, watch, scratch, world, slot):
    """Errors of the hand at this moment; returns its distance [m]."""
    places = controller.places
    path_at(knots, world, time, scratch.target, slot)
    measure_joints(rotary, now, scratch.desired, scratch.measured, slot)
    R, p = hand_of(controller.chain, scratch.measured, slot, -1, 0.0)
    R_W = attitude(scratch.target[slot, 0], scratch.target[slot, 1], scratch.target[slot, 2])
    p_W = (scratch.target[slot, 3], scratch.target[slot, 4], scratch.target[slot, 5])
    away, turn = sub(p, p_W), rotation_vector_between(R, R_W)
    far, turned = math.sqrt(dot(away, away)), math.sqrt(dot(turn, turn))
    reached = angles_of(R)
    worst = total = 0.0
    for k in range(3):
        off = abs(wrap(reached[k] - scratch.target[slot, k]))
        worst = max(worst, off)
        total += off / 3.0
    palm = int(places[PALM])
    frame = rotate(rotation_of(now, slot, palm), (places[HAND], places[HAND + 1], places[HAND + 2]))
    true = sub(add(triple(now, slot, palm, P), frame), p_W)
    _note(watch, world, FAR, far)
    _note(watch, world, TRUE_FAR, math.sqrt(dot(true, true)))
    _note(watch, world, ANGLE, worst)
    _note(watch, world, TURN, turned)
    if watch[world, TOUCHED] < 0.0:
        _note(watch, world, FAR_BEFORE, far)
        _note(watch, world, ANGLE_BEFORE, worst)
    if time <= times[world, MEANS]:
        watch[world, FAR_SUM] += far
        watch[world, ANGLE_SUM] += total
        watch[world, TURN_SUM] += turned
        watch[world, SAMPLES] += 1.0
    scratch.errors[slot, 0], scratch.errors[slot, 1], scratch.errors[slot, 2] = far, worst, turned
    return far


@kernel
def sample_ball(places, times, time, next_time, far, now, watch, world, slot):
    """Where the ball is in the hand at the moments that decide."""
    for k in range(3):
        when = times[world, CHECK] if k == 0 else times[world, OPEN] if k == 1 else times[world, CATCH]
        column = CHECKED if k == 0 else OPENED if k == 1 else MET
        if time <= when < next_time:
            at = ball_in_hand(places, now, slot)
            for i in range(3):
                watch[world, column + i] = at[i]
            if k == 2:
                watch[world, FAR_MET] = far
