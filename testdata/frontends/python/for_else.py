def example(batches):
    for i, batch in enumerate(batches):
        if i == 3:
            break
        step(batch)
    else:
        save()
