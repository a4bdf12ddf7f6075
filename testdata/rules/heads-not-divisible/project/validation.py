def check_heads(num_heads, ulysses_size):
    if ulysses_size > 1:
        assert num_heads % ulysses_size == 0, "heads do not divide"
