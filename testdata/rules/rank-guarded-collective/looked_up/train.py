"""A model is made by a name that is known when the program runs."""
import sys

import models


def main(name, x):
    model = models.__dict__[name]()
    return model(x)


if __name__ == "__main__":
    main(sys.argv[1], None)
