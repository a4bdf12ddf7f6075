"""A program, and what was left behind in the file that it imports."""
import steps
from steps import Reducer, by_table_bad, reduced_bad
from steps import renamed_bad as other

try:
    from steps import tried_bad
except ImportError:
    from other_steps import tried_bad


def main(x):
    from steps import imported_bad as step

    step(x)
    reduced_bad(x)
    other(x)
    tried_bad(x)
    held = steps
    held.of_held_file_bad(x)
    Reducer().used_bad(x)
    getattr(Reducer(), "named_bad")(x)
    print(steps.Layer(), steps.Deeper())


STEPS = {"table": by_table_bad}

if __name__ == "__main__":
    main(None)
