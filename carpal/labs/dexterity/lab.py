"""What the dexterity lab registers."""

from carpal.tasks import Lab

LAB = Lab(name="dexterity", task="carpal.labs.dexterity.task:Dexterity", panel="carpal.labs.dexterity.page:HandPanel")
