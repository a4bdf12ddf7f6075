def example(a):
    del a.b, (a[0], a[1:])
