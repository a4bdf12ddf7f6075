def example(items):
    for item in items:
        with opened(item) as handle, item.lock:
            if handle.skip:
                continue
            if handle.last:
                break
            return handle.read()
