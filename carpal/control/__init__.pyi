from .joint import ComputedTorque as ComputedTorque
from .joint import GravityPD as GravityPD
from .joint import JointPD as JointPD
from .tracking import track_point as track_point
