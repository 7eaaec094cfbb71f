from .reading import read_file as read_file
from .reading import read_text as read_text
from .sandbox import read_untrusted as read_untrusted
