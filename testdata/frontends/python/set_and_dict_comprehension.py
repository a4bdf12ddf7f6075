def example(xs):
    return {x.key for x in xs}, {key: load(value) for key, value in xs}
