def example(group, xs):
    if group.rank() == 0:
        for x in xs:
            dist.all_reduce(x,
                            group=group)
    with group.scope() as s:
        return s
