from .table import PIDGains as PIDGains
from .table import drive_table as drive_table
from .table import loop_table as loop_table
from .table import pid_gains as pid_gains
from .table import pulley_angles as pulley_angles
from .table import pulley_torques as pulley_torques
from .table import table_position as table_position
from .task import Mount as Mount
