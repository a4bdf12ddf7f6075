def example(rank):
    if rank == 0:
        first()
    elif rank % 2:
        second()
    else:
        third()
    last()
