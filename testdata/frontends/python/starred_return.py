def example(x):
    return None, *f(x), *x.parts
