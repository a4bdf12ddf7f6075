"""What all programs here go through their loaders with."""


class Progress:
    def every(self, iterable, freq):
        for i, one in enumerate(iterable):
            if i % freq == 0:
                print(i)
            yield one
