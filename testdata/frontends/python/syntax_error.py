def example(x):
    before(x)
    x = = call(x)
    after(x)


def example_second(:
    pass
