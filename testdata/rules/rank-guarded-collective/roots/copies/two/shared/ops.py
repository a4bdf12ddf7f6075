def settle(x):
    return x
