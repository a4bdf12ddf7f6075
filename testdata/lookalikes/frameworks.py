"""Framework code as it is meant: Lightning, accelerate, transformers."""
import torch
import torch.distributed as dist
from accelerate import Accelerator
from lightning.pytorch import Callback, LightningModule, Trainer
from lightning.pytorch.utilities import rank_zero_only


class Module(LightningModule):
    def validation_step(self, batch, index):
        loss = self.model(batch)
        self.log("val_loss", loss, sync_dist=True)
        return loss

    def on_validation_epoch_end(self):
        scores = self.all_gather(self.scores)
        if self.trainer.is_global_zero:
            print(scores.mean())

    @rank_zero_only
    def show(self, text):
        print(text)

    def on_train_epoch_end(self):
        self.show("epoch")
        self.trainer.strategy.barrier()


class Saver(Callback):
    def on_train_epoch_end(self, trainer, module):
        trainer.save_checkpoint("last.ckpt")
        if trainer.is_global_zero:
            print("saved")

    @rank_zero_only
    def on_exception(self, trainer, module, exception):
        print(exception)


def lightning_ok(module, data):
    trainer = Trainer(callbacks=[Saver()])
    trainer.fit(module, data)


def accelerate_loop_ok(net, optimizer, loader, path, steps):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for step, batch in enumerate(loader):
        with accelerator.accumulate(model):
            loss = model(batch)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        if step % 100 == 0:
            average = accelerator.gather(loss.detach()).mean()
            if accelerator.is_main_process:
                print(average.item())
        if step % 500 == 0:
            accelerator.save_state(path)
    accelerator.wait_for_everyone()
    unwrapped = accelerator.unwrap_model(model)
    state = accelerator.get_state_dict(model)
    if accelerator.is_main_process:
        unwrapped.save_pretrained(path, state_dict=state)
    accelerator.end_training()


def accelerate_first_ok(load):
    accelerator = Accelerator()
    with accelerator.main_process_first():
        data = load()
    return data


def accelerate_metrics_ok(model, loader, metric):
    accelerator = Accelerator()
    for batch in loader:
        outputs = model(batch)
        predictions, labels = accelerator.gather_for_metrics((outputs, batch["labels"]))
        metric.add_batch(predictions=predictions, references=labels)
    if accelerator.is_main_process:
        print(metric.compute())


def accelerate_trigger_ok(model, loader, is_bad):
    accelerator = Accelerator()
    for batch in loader:
        loss = model(batch)
        accelerator.backward(loss)
        if is_bad(loss):
            accelerator.set_trigger()
        if accelerator.check_trigger():
            break
    accelerator.wait_for_everyone()


def trainer_save_ok(trainer, folder):
    trainer.train()
    trainer.save_state()
    trainer.save_model(folder)
    if trainer.is_world_process_zero():
        print("done")


def samples_dealt_out_ok(model, prompts):
    accelerator = Accelerator()
    made = []
    with accelerator.split_between_processes(prompts, apply_padding=True) as mine:
        for prompt in mine:
            made.append(model(prompt))
    made = accelerator.gather(torch.stack(made))[: len(prompts)]
    if accelerator.is_main_process:
        torch.save(made, "made.pt")
    return dist.is_initialized()
