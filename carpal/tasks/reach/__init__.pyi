from .task import Reach as Reach
