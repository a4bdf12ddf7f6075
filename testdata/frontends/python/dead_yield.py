def example():
    return
    yield
