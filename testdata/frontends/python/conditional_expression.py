def example(a, flag):
    pure = a if flag else None
    called = first() if flag else second() if a else a
    return pure, called
