def example(ready):
    if not ready:
        return None
    work()
    return 1
    never()
