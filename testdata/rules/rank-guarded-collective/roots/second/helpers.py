def settle(x):
    return x + 1
