def example(source):
    received = yield source.first()
    yield
    yield from received
