"""One gripper motion: motor and contact in small steps, control program at its own delayed and uneven samples.

The program sees a noisy, slightly bent potentiometer and a current in whole counts. What it commands acts after a delay.
Noise is counted, not drawn, so a world's numbers depend on its seed alone.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.labs.retrieve.gripper.kernels.motor import FORCE_PER_AMPERE, FRICTION, STROKE, advance
from carpal.labs.retrieve.gripper.kernels.position_filter import K_V, filtered, reading_variance
from carpal.labs.retrieve.gripper.kernels.stall_rule import (
    AVERAGE,
    FELT,
    LONGEST,
    RUNNING,
    STILL,
    TARGET,
    TIMED_OUT,
    TOLERANCE,
    WAY_LIMIT,
    ZONE_LIMIT,
    averaged,
    command,
    contact_place,
    in_zone,
    verdict,
)  # fmt: skip
from carpal.spatial.kernels.noise import normal, uniform

# entries of `setup`: step [s], shortest and longest sample time [s], share of late samples, how late at most [s], longest delay
# of a command [s], deviation of the sensed current [A], its count [A]
STEP, SHORTEST, LONGEST_SAMPLE, LATE_SHARE, LATE_BY, DELAY, CURRENT_NOISE, COUNT = 0, 1, 2, 3, 4, 5, 6, 7
SETUP_NUMBERS = 8
# columns of `case`: start [m], place of a contact [m], its stiffness with the blade [N/m] (0: none), bend of the potentiometer
# [m] and its phase, seed, share of the true k_v that the program believes
BEGIN, CONTACT, STIFFNESS, BEND, PHASE, SEED, BELIEF = 0, 1, 2, 3, 4, 5, 6
CASE_COLUMNS = 7
# columns of `out`: outcome, time, position, estimated position, force, measured force, largest force, largest excess of the force
# over the limit's force in use, estimated place of the contact, samples
(
    OUTCOME, TIME, POSITION, ESTIMATE, FORCE, MEASURED_FORCE, PEAK_FORCE, EXCESS, PLACE, SAMPLES,
) = range(10)  # fmt: skip
OUT_COLUMNS = 10
# columns of `series`, one row per sample
S_TIME, S_POSITION, S_READING, S_ESTIMATE, S_CURRENT, S_FORCE, S_MEASURED, S_VOLTS, S_LIMIT = range(9)
SERIES_COLUMNS = 9


@leaf
def _load(case, world, x):
    return case[world, STIFFNESS] * max(x - case[world, CONTACT], 0.0)


@leaf
def _reading(motor, numbers, case, world, x, current, sample):
    bend = case[world, BEND] * math.sin(2.0 * math.pi * x / motor[STROKE] + case[world, PHASE])
    return x + bend + math.sqrt(reading_variance(numbers, current)) * normal(case[world, SEED], 4 * sample)


@leaf
def _sensed(setup, case, world, current, sample):
    noisy = current + setup[CURRENT_NOISE] * normal(case[world, SEED], 4 * sample + 1)
    return setup[COUNT] * math.floor(noisy / setup[COUNT] + 0.5)


@leaf
def _sample_time(setup, case, world, sample):
    dt = setup[SHORTEST] + (setup[LONGEST_SAMPLE] - setup[SHORTEST]) * uniform(case[world, SEED], 8 * sample + 4)
    if uniform(case[world, SEED], 8 * sample + 5) < setup[LATE_SHARE]:
        dt += setup[LATE_BY] * uniform(case[world, SEED], 8 * sample + 6)
    return dt


@kernel
def gripper_run(motor, truth, numbers, rule, allowed, setup, case, out, series, world):
    """Fill `out` and `series` of a world; returns 1 when a number is not finite.

    `truth` has the readings' true deviations in the filter's own columns, `allowed` the two force limits [N].
    """
    h = setup[STEP]
    k_v = case[world, BELIEF] * numbers[K_V]
    x, speed, current, time = case[world, BEGIN], 0.0, 0.0, 0.0
    volts, limit, newton = 0.0, rule[WAY_LIMIT], allowed[0]
    estimate = _reading(motor, truth, case, world, x, 0.0, 0)
    variance = reading_variance(numbers, 0.0)
    mean_force, near, still, peak, excess = 0.0, 0.0, 0.0, 0.0, -1e9
    mean, slow_mean = estimate, estimate
    outcome, sample = RUNNING, 0
    while outcome == RUNNING:
        sample += 1
        next_volts = command(rule, estimate)
        zone = in_zone(rule, contact_place(rule, estimate, mean_force))
        next_limit = rule[ZONE_LIMIT] if zone else rule[WAY_LIMIT]
        next_newton = allowed[1] if zone else allowed[0]
        dt = _sample_time(setup, case, world, sample)
        delay = min(setup[DELAY] * uniform(case[world, SEED], 8 * sample + 7), dt)
        steps = max(int(dt / h + 0.5), 1)
        waits = int(delay / h + 0.5)
        dt = steps * h
        for i in range(steps):
            if i == waits:
                volts, limit, newton = next_volts, next_limit, next_newton
            x, speed, current = advance(motor, x, speed, volts, limit, _load(case, world, x), h)
            force = _load(case, world, x)
            peak = max(peak, force)
            excess = max(excess, force - newton)
        volts, limit, newton = next_volts, next_limit, next_newton
        time += dt
        reading = _reading(motor, truth, case, world, x, current, sample)
        sensed = _sensed(setup, case, world, current, sample)
        limited = 1.0 if abs(sensed) > limit - 2.5 * setup[COUNT] else 0.0
        estimate, variance = filtered(numbers, k_v, estimate, variance, dt, reading, volts, sensed, limited)
        # the difference of two running means: a derivative of one would be as noisy as the readings
        mean = averaged(rule, mean, estimate, dt)
        slow_mean = averaged(rule, slow_mean, mean, dt)
        mean_speed = (mean - slow_mean) / rule[AVERAGE]
        if volts != 0.0:  # without current the gear holds what it pressed, and the current says nothing
            mean_force = averaged(rule, mean_force, motor[FORCE_PER_AMPERE] * abs(sensed) - motor[FRICTION], dt)
        near = near + dt if abs(rule[TARGET] - estimate) <= rule[TOLERANCE] else 0.0
        standing = volts != 0.0 and abs(mean_speed) < rule[STILL] and mean_force > rule[FELT]
        still = still + dt if standing else 0.0
        outcome = verdict(rule, estimate, mean_force, near, still)
        if outcome == RUNNING and time > rule[LONGEST]:
            outcome = TIMED_OUT
        if sample <= series.shape[1]:
            row = sample - 1
            series[world, row, S_TIME], series[world, row, S_POSITION] = time, x
            series[world, row, S_READING], series[world, row, S_ESTIMATE] = reading, estimate
            series[world, row, S_CURRENT], series[world, row, S_FORCE] = sensed, _load(case, world, x)
            series[world, row, S_MEASURED], series[world, row, S_VOLTS] = mean_force, volts
            series[world, row, S_LIMIT] = newton
    out[world, OUTCOME], out[world, TIME], out[world, SAMPLES] = outcome, time, sample
    out[world, POSITION], out[world, ESTIMATE], out[world, FORCE] = x, estimate, _load(case, world, x)
    out[world, MEASURED_FORCE], out[world, PEAK_FORCE], out[world, EXCESS] = mean_force, peak, excess
    out[world, PLACE] = contact_place(rule, estimate, mean_force)
    return 0 if abs(x) + abs(estimate) < 1e9 else 1


@entry
def gripper_batch(motor, truth, numbers, rule, allowed, setup, case, out, series, start, stop, stride, slot):
    """`gripper_run` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if gripper_run(motor, truth, numbers, rule, allowed, setup, case, out, series, world) and bad == 0:
            bad = world + 1
    return bad
