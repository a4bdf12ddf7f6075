"""What is stated nearest counts."""
import pytorch_lightning as pl


class Keeper(pl.Callback):
    def on_train_end(self, trainer: pl.Trainer, module):
        if trainer.is_global_zero:
            trainer.save_checkpoint("last.ckpt")  # expect: [rank-guarded-state-dict] "`save_checkpoint`"
