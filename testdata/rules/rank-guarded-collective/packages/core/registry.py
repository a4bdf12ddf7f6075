_BUILDERS = {}


def register(name):
    def wrap(builder):
        _BUILDERS[name] = builder
        return builder

    return wrap


def build(name, *args):
    return _BUILDERS[name](*args)
