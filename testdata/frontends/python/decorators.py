@torch.no_grad()
@app.command(name="run", *extra, **options)
@functools.partial
def example(self):
    pass
