def example(group):
    with group.scope() if group else nothing() as entered:
        use(entered)
