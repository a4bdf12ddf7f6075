"""What lies at the root is not what a script means that has a module of this name beside it."""


def settle(x):
    return x
