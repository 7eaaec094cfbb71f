"""What the finger lab registers."""

from carpal.tasks import Lab

LAB = Lab(name="finger", commands="carpal.labs.finger.commands:add_commands")
