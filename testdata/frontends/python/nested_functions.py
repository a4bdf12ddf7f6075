def example(count):
    total = 0

    def add(n, /, by=1, *, twice: bool = False):
        nonlocal total
        global calls
        total = total + n * by
        return total

    return add(count)
