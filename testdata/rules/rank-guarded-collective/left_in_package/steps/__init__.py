"""A package that no file outside of it imports: others call what it has."""
from .reduce import begin_bad
