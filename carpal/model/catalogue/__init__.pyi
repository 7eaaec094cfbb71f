from .registry import build as build
from .registry import describe as describe
from .registry import robots as robots
