from .store import Store


class Session:
    def __init__(self, config):
        self.store = Store(config)

    def finish(self, x):
        self._flush(x)

    def _flush(self, x):
        self.store.commit(x)
