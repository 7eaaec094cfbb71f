from .contact_law import ContactLaw as ContactLaw
from .engine import PenaltyEngine as PenaltyEngine
from .engine import PenaltyState as PenaltyState
from .stability import largest_stable_step as largest_stable_step
