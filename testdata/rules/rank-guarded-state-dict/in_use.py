"""A save that communicates in some set-ups, where the program asks which one it is in."""
from accelerate import Accelerator

accelerator = Accelerator()


def save_state(accelerator, path):
    accelerator.save_state(path)


def saved_wherever_sharded_bad(args, model):
    if args.deepspeed:
        model.configure(args)
    if accelerator.is_main_process:
        save_state(accelerator, args.output_dir)  # expect: [rank-guarded-state-dict] "`save_state`"


def saved_by_all_where_sharded_ok(args):
    if accelerator.is_main_process or args.deepspeed:
        accelerator.save_state(args.output_dir)


def saved_where_not_sharded_ok(args):
    if not args.deepspeed:
        if accelerator.is_main_process:
            accelerator.save_state(args.output_dir)


def saved_under_another_name_ok(args):
    if args.strategy != "fsdp":
        if accelerator.is_main_process:
            accelerator.save_state(args.output_dir)  # silent: [other-strategy]
