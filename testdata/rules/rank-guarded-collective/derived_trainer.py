"""A class of the project that derives from a library's and is called like it."""
import torch.distributed as dist
import transformers


class Trainer(transformers.Trainer):
    def compute_loss(self, model, inputs):
        return model(**inputs).loss


def trained_by_one_bad(trainer):
    if dist.get_rank() == 0:
        trainer.train()  # expect: [rank-guarded-collective] "`trainer_train`"
