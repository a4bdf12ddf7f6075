def set_groups(ulysses_degree, ring_degree, world_size):
    assert world_size % (ulysses_degree * ring_degree) == 0
