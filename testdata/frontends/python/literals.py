def example():
    numbers = 0x1F + 0o17 + 0b11 + 1_000 + 99999999999999999999 - 1.5e3 * 2j
    text = 'a\n\x41\u00e9\101\q\
b' "c" r'\n' b"\xff\0"
    return None, True, False, ..., (), (1,), [1, *text], {1}, {"k": 1, **numbers}, text[1:, ::2, :]
