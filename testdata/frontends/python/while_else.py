def example(steps):
    while steps > 0:
        if done(steps):
            break
        steps -= 1
    else:
        finished()
