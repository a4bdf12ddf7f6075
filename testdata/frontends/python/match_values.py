def example(rank):
    match rank:
        case 0:
            first()
        case 1 | -2 | "three":
            few()
        case Color.RED if ready():
            red()
        case None:
            none()
        case other:
            use(other)
    last()
