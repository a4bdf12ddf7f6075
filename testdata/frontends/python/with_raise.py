def example(item):
    with item.lock:
        raise Broken(item)
