def example(a):
    assert a.ok(), "must be"
    assert a > 1, describe(a)
