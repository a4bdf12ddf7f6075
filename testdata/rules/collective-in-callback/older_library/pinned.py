"""Written for a version in which saving is rank 0's own."""
import signal

import pytorch_lightning as pl
import torch.distributed as dist


def main(module, loader):
    trainer = pl.Trainer(devices=8)

    def save_now(*_):
        trainer.save_checkpoint("last.ckpt")  # silent: [older-library]

    signal.signal(signal.SIGUSR1, save_now)
    trainer.fit(module, loader)


def main_with_barrier(module, loader):
    trainer = pl.Trainer(devices=8)

    def save_together(*_):
        trainer.save_checkpoint("last.ckpt")
        dist.barrier()  # expect: [collective-in-callback] "`barrier`"

    signal.signal(signal.SIGUSR2, save_together)
    trainer.fit(module, loader)
