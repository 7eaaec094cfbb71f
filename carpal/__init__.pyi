from . import errors as errors
from .dynamics import com as com
from .dynamics import forward_dynamics as forward_dynamics
from .dynamics import inverse_dynamics as inverse_dynamics
from .dynamics import mass_matrix as mass_matrix
from .dynamics import mount_wrench as mount_wrench
from .engines import Recording as Recording
from .engines import simulate as simulate
from .kinematics import arm_angle as arm_angle
from .kinematics import arm_angle_intervals as arm_angle_intervals
from .kinematics import fk as fk
from .kinematics import ik as ik
from .kinematics import ik_all as ik_all
from .kinematics import jacobian as jacobian
from .model import Model as Model
from .model import Scene as Scene
from .model import State as State
from .model import load as load
from .model import robots as robots
from .planning import plan as plan

__version__: str
