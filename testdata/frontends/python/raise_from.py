def example(a):
    try:
        a.run()
    except E as e:
        raise Other(a) from wrapped(e)
