from ..distributed import warm_up_sequence_parallel


class Pipeline:
    required = ()

    def __init__(self, path, device):
        self.path = path
        self.device = device
        self.modules = {}

    @classmethod
    def from_pretrained(cls, path, device):
        pipeline = cls(path, device)
        pipeline.post_init()
        return pipeline

    def post_init(self):
        self.load()
        warm_up_sequence_parallel(self.device)

    def load(self):
        for name in self.required:
            self.modules[name] = name
