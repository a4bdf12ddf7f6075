async def gather(group, /, *, out=...):
    async with lock, open(r"a\b", b'\x00'[0]):
        async for item in stream(group):
            yield await item
    match out:
        case [0, *rest] if rest:
            return
        case {"key": Point(x=1) | None, **others}:
            yield from others
        case _:
            global counter; nonlocal_name = lambda *a, b=1: (yield)
    x = y = a if b else c or not d and 1 < 2 <= 3 != 0x1F_FF ** -1j
    print(*x, **y, sep=''), x[1:2, ::3, ...]
	if tabs: pass
  assert x, "dedented to nowhere
    @decorated(
