def example(a):
    try:
        risky(a)
    except* OSError as group:
        report(group)
    finally:
        close()
