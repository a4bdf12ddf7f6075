"""A class of the project that is called as a library's is, and has a method of the same name."""
import torch.distributed as dist


class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self):
        self.model.train()

    def predict(self, batch):
        return self.model(batch)


def back_to_training_ok(trainer, losses):
    if dist.get_rank() == 0:
        trainer.train()
    return losses


def predicted_ok(trainer, batch):
    if dist.get_rank() == 0:
        print(trainer.predict(batch))
