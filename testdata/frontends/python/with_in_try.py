def example(item):
    try:
        with item.lock:
            work(item)
    except Broken:
        repair()
