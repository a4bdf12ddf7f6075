def example(command):
    match command.split():
        case [first, *rest, last]:
            use(first, rest, last)
        case (single,) | [single, _]:
            use(single)
        case {"key": [1, _], **others}:
            use(others)
        case Point(0, y=-1) as point:
            use(point)
        case a, (b):
            use(a, b)
        case _:
            use()
