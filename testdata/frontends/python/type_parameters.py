def example[T: int, *Ts](x: list[T], *args: *Ts) -> dict[str, T] | None:
    type Pair[U] = tuple[U, U]
    return x
