from .command_line import main as main
from .impact_pictures import save_slip_hodograph as save_slip_hodograph
from .pictures import save_portrait as save_portrait
from .pictures import save_robot_picture as save_robot_picture
from .replay import write_replay as write_replay
from .report import write_report as write_report
from .web import Studio as Studio
from .web_shapes import ShapesPage as ShapesPage
