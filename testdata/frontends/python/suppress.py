def example(path, errors):
    with contextlib.suppress(FileNotFoundError):
        remove(path)
    with open(path) as file, suppress(OSError, ValueError):
        return file.read()
    with suppress(*errors):
        work()
    with suppress():
        work()
