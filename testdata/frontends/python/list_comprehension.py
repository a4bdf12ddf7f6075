def example(xs, x):
    pure = [x * 2 for x in xs]
    nested = [f(x, y) for x in xs if keep(x) for y in x.parts if y]
    return pure, nested, x
