def example(xs):
    return sum(f(x) for x in xs.items() if x)
