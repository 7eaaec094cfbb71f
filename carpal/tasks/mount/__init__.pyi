from .task import Mount as Mount
