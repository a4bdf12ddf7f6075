"""A trainer saves what this rank has where its options, which are written out, shard nothing."""
import os

from transformers import Trainer, TrainingArguments


def without_sharding_ok(model, data):
    options = TrainingArguments(output_dir="out", bf16=True, save_steps=100, ddp_find_unused_parameters=False)
    trainer = Trainer(model=model, args=options, train_dataset=data)
    trainer.train()
    if int(os.environ["LOCAL_RANK"]) == 0:
        trainer.save_model("out/last")  # silent: [other-strategy]


def sharded_bad(model, data):
    options = TrainingArguments(output_dir="out", bf16=True, fsdp="full_shard auto_wrap")
    trainer = Trainer(model=model, args=options, train_dataset=data)
    trainer.train()
    if int(os.environ["LOCAL_RANK"]) == 0:
        trainer.save_model("out/last")  # expect: [rank-guarded-state-dict]


def of_a_configuration_bad(model, data, config):
    options = TrainingArguments(output_dir="out", **config)
    trainer = Trainer(model=model, args=options, train_dataset=data)
    trainer.train()
    if int(os.environ["LOCAL_RANK"]) == 0:
        trainer.save_model("out/last")  # expect: [rank-guarded-state-dict]


def of_others_bad(model, data, options):
    trainer = Trainer(model=model, args=options, train_dataset=data)
    trainer.train()
    if int(os.environ["LOCAL_RANK"]) == 0:
        trainer.save_model("out/last")  # expect: [rank-guarded-state-dict]
