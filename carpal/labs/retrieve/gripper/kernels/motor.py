"""A geared linear motor on one world: current under the drive's limit, friction that sticks, a gear that load cannot turn.

Leutenegger 2008, (4.3), (4.4): V = I R + k_v u. Its force (4.7), F = k_v I, is what an engine without losses would give; the real
one is eta k_v I - F0 (erratum E15). The rotor's inertia, which the source leaves out, is a mass on the rod: it carries the
rod on into a contact after the current is at its limit, and the gear keeps what it pressed.
"""

from carpal._core.compile import leaf

# entries of `motor`: winding [Ohm], back EMF [V s/m], force of a current [N/A], sliding friction [N], friction that must
# be broken before it moves [N], the rotor as a mass on the rod [kg], stroke [m]
RESISTANCE, BACK_EMF, FORCE_PER_AMPERE, FRICTION, BREAKAWAY, MASS, STROKE = 0, 1, 2, 3, 4, 5, 6
MOTOR_NUMBERS = 7


@leaf
def drive_current(motor, volts, speed, limit):
    """Current [A]: what the voltage drives through winding and back EMF, cut where the drive's limit is."""
    wanted = (volts - motor[BACK_EMF] * speed) / motor[RESISTANCE]
    return min(max(wanted, -limit), limit)


@leaf
def advance(motor, x, speed, volts, limit, load, dt):
    """(x, speed, current) after dt [s] against a load [N] that resists closing.

    The gear locks itself: a load never turns it back, and opening under load has to overcome friction alone.
    """
    current = drive_current(motor, volts, speed, limit)
    push = motor[FORCE_PER_AMPERE] * current
    if speed > 0.0:
        speed = max(speed + dt * (push - motor[FRICTION] - load) / motor[MASS], 0.0)
    elif speed < 0.0:
        speed = min(speed + dt * (push + motor[FRICTION]) / motor[MASS], 0.0)
    elif push > motor[BREAKAWAY] + load:
        speed = dt * (push - motor[FRICTION] - load) / motor[MASS]
    elif push < -motor[BREAKAWAY]:
        speed = dt * (push + motor[FRICTION]) / motor[MASS]
    x = x + dt * speed
    if x < 0.0 or x > motor[STROKE]:
        x = min(max(x, 0.0), motor[STROKE])
        speed = 0.0
    return x, speed, current
