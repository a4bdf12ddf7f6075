def example(x):
    print "value", f(x)
    exec "code" in x
