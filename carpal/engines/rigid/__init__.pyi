from .engine import RigidEngine as RigidEngine
from .tendons import Tendon as Tendon
