from .command_line import main as main
from .task_commands import COMMON as COMMON
from .task_commands import run_task as run_task
from .task_commands import task_command as task_command
from .terminal import AsJson as AsJson
from .terminal import Out as Out
from .terminal import numbers as numbers
from .terminal import print_result as print_result
