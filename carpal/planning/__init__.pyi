from .mount_reaction import MountReaction as MountReaction
from .nearest_posture import nearest_posture_to as nearest_posture_to
from .nearest_posture import postures_at as postures_at
from .reaction_aware import least_reaction_move as least_reaction_move
from .reaction_move import MoveVariant as MoveVariant
from .reaction_move import ReactionMove as ReactionMove
from .rest_to_rest import JointSpline as JointSpline
from .rest_to_rest import quintic_spline as quintic_spline
