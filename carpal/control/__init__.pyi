from .joint import ComputedTorque as ComputedTorque
from .joint import GravityPD as GravityPD
from .joint import JointPD as JointPD
