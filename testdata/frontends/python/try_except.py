def example(a):
    try:
        risky(a)
    except (KeyError, errors.Lost) as error:
        report(error)
    except Exception:
        raise
    else:
        fine()
    last()
