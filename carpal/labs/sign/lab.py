"""What the sign lab registers."""

from carpal.tasks import Lab

LAB = Lab(
    name="sign",
    task="carpal.labs.sign.task:Sign",
    commands="carpal.labs.sign.commands:add_commands",
    own_command=True,
    pages={"telephone": "carpal.labs.sign.page:open_page"},
)
