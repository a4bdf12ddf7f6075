def example(key, default=lambda: 0):
    return lambda x, *rest, y=1: f(x, key) if rest else y
