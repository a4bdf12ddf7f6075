"""Written for a version in which saving is rank 0's own."""
import signal

import pytorch_lightning as pl


def main(module, loader):
    trainer = pl.Trainer(devices=8)

    def save_now(*_):
        trainer.save_checkpoint("last.ckpt")  # silent: [older-library]

    signal.signal(signal.SIGUSR1, save_now)
    trainer.fit(module, loader)
