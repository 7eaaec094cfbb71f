"""What the catch lab registers."""

from carpal.tasks import Lab

LAB = Lab(name="catch", task="carpal.labs.catch.task:Catch")
