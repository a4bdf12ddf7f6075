"""A package that others install: they may call what nothing here does."""
from steps import reduced_bad

if __name__ == "__main__":
    reduced_bad(None)
