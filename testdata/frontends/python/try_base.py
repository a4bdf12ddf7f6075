def example(a):
    try:
        risky(a)
    except (KeyError, BaseException) as error:
        report(error)
