"""A program, and what was left behind in the file that it imports."""
from steps import Reducer, by_table_bad, reduced_bad


def main(x):
    from steps import imported_bad as step

    step(x)
    reduced_bad(x)
    Reducer().used_bad(x)
    getattr(Reducer(), "named_bad")(x)


STEPS = {"table": by_table_bad}

if __name__ == "__main__":
    main(None)
