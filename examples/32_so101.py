"""Move an SO-101 to a point with a pointing direction, and record a LeRobot dataset; here its servos are simulated."""

import sys
from pathlib import Path

import numpy as np

import carpal
from carpal.control import FeetechBus, ServoLine, SimulatedServos
from carpal.tasks import ServoArm, write_lerobot

arm_model = carpal.load("so101")
line = ServoLine(SimulatedServos("sts", {1: 0.3, 2: -0.4, 3: 0.5, 4: 0.2, 5: 0.0, 6: 0.1}))
port = sys.argv[1] if len(sys.argv) > 1 else line.port  # a real one: /dev/ttyACM0
bus = FeetechBus(port)
arm = ServoArm(bus, arm_model, speed=3.0, acceleration=20.0)
print("it stands at", np.round(arm.read(), 3))

moves = [
    ("point forward", arm.move_to((0.30, 0.05, 0.12), (0.6, 0.1, -0.3))),
    ("reach too far", arm.move_to((1, 0, 0), (1, 0, 0))),
]
for task, move in moves:
    print(f"{task}: {move} ({move.rate:.0f} readings a second)")
X_WT = carpal.fk(arm_model, arm.read())
print("the tool is at", np.round(X_WT[:3, 3], 4))
print("written:", write_lerobot(Path("out/so101-dataset"), arm_model, moves))
bus.close()
line.unplug()
