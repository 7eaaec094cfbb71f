"""What the mount lab registers."""

from carpal.tasks import Lab

LAB = Lab(name="mount", task="carpal.labs.mount.task:Mount")
