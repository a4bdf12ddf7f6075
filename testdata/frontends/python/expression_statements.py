def example(self):
    """Documentation."""
    ...
    1
    name
    self.property
    self.call(), other()
