from .command_line import main as main
from .pictures import save_portrait as save_portrait
from .pictures import save_robot_picture as save_robot_picture
