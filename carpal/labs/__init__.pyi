from . import catch as catch
from . import dexterity as dexterity
from . import finger as finger
from . import mount as mount
from . import retrieve as retrieve
from . import sign as sign
