def example(a, b):
    pure = a or b and not a
    called = a or make() or b
    compared = 0 < size(a) < size(b)
    return pure, called, compared
