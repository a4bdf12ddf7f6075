def example(items):
    for item in items:
        try:
            if item.done:
                return item.value
            if item.last:
                break
            work(item)
        finally:
            close(item)
