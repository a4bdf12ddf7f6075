@register("trainer")
class Trainer(Base, make_mixin(), metaclass=Meta):
    """A docstring does nothing."""

    limit = compute()

    class Config(object):
        size = 1

    @property
    def rank(self):
        return self._rank

    @staticmethod
    def build(cls):
        return super().build()
