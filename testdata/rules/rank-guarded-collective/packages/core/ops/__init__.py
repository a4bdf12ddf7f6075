from .reduce import average, synchronise
from .text import shorten

__all__ = ["average", "shorten", "synchronise"]
