"""What the retrieve lab registers."""

from carpal.tasks import Lab

LAB = Lab(
    name="retrieve",
    task="carpal.labs.retrieve.task:Retrieve",
    commands="carpal.labs.retrieve.commands:add_commands",
    pages={"retrieve": "carpal.labs.retrieve.page:open_page"},
)
