"""An option that the versions in which saving communicates do not have."""
import pytorch_lightning as pl


def fit_and_save_ok(model):
    trainer = pl.Trainer(gpus=8, max_epochs=1)
    trainer.fit(model)
    if trainer.is_global_zero:
        trainer.save_checkpoint("last.ckpt")  # silent: [older-library]
