def example(xs):
    inner = [[x for x in x] for x in xs]
    functions = [lambda y: x + y for x in xs]
    return any((last := x) for x in xs)
