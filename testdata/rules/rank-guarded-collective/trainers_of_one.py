"""A trainer of one process has nobody to wait for."""
from lightning.pytorch import Trainer
from torch.distributed import get_rank


def of_one_device_ok(model, folder):
    trainer = Trainer(default_root_dir=folder, devices=1)
    if get_rank() == 0:
        trainer.fit(model)


def of_all_devices_bad(model, folder):
    trainer = Trainer(default_root_dir=folder)
    if get_rank() == 0:
        trainer.fit(model)  # expect: [rank-guarded-collective] "`trainer_fit`"


def of_two_machines_bad(model, folder):
    trainer = Trainer(default_root_dir=folder, devices=1, num_nodes=2)
    if get_rank() == 0:
        trainer.fit(model)  # expect: [rank-guarded-collective] "`trainer_fit`"


def as_the_settings_say_bad(model, settings):
    trainer = Trainer(devices=settings.devices)
    if get_rank() == 0:
        trainer.validate(model)  # expect: [rank-guarded-collective] "`trainer_validate`"
