def example(rank, step):
    if rank == 0 and step > 1 and due(step) and rank:
        save()
    if not (rank or due(step)):
        skip()
