from .view import in_view as in_view
from .view import looking_at as looking_at
