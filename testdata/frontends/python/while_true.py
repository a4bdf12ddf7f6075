def example(queue):
    while True:
        item = queue.get()
        if item is None:
            return
        if item.skip:
            continue
        handle(item)
