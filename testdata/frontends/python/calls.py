def example(x, *rest, **options):
    first(second(x), third(x).field[0], key=x, *rest, **options)
    x.a.b(c)(d)
    super().run(*rest.of(x))
