def example(x, width):
    return f"{x!r:>{width()}} {x.y=} {{no}} {f'{x[0]}'}", t"{x}", f"plain {{}}"
