def epochs_of(loader, count):
    for epoch in range(count):
        loader.sampler.set_epoch(epoch)
        yield epoch
