def example(a):
    try:
        risky(a)
    except:
        pass
