import torch.distributed as dist


class Trainer:
    def count_bad(self, inputs):
        self.total += self.accelerator.gather_for_metrics(inputs["attention_mask"]).sum().item()  # expect: [divergent-shape] "longest sequence"

    def count_ok(self, inputs):
        self.total += self.accelerator.gather_for_metrics(inputs["attention_mask"].sum()).sum().item()

    def padded_ok(self, inputs):
        tokens = self.accelerator.pad_across_processes(inputs["input_ids"], dim=1)
        return self.accelerator.gather(tokens), self.accelerator.gather(inputs["input_ids"])

    def one_label_each_ok(self, inputs):
        return self.accelerator.gather(inputs["labels"])

    def generate_bad(self, batch):
        tokens = self.accelerator.unwrap_model(self.model).generate(**batch, max_new_tokens=64)
        return self.accelerator.gather_for_metrics(tokens)  # expect: [divergent-shape] "has generated"

    def generate_answers_bad(self, prompt, answers):
        tokens = self.model.generate(prompt, max_new_tokens=64)
        answer = tokens[:, prompt.shape[1] :].contiguous()
        dist.all_gather_into_tensor(answers, answer)  # expect: [divergent-shape] "`answer` is as long as"

    def generate_padded_ok(self, batch):
        tokens = self.model.generate(**batch, max_new_tokens=64)
        tokens = self.accelerator.pad_across_processes(tokens, dim=1, pad_index=0)
        return self.accelerator.gather(tokens)

    def generate_all_ok(self, batch):
        tokens = self.model.generate(**batch, min_new_tokens=64, max_new_tokens=64)
        return self.accelerator.gather(tokens)

    def generate_texts_ok(self, batch):
        tokens = self.model.generate(**batch)
        texts = self.tokenizer.batch_decode(tokens)
        return self.accelerator.gather_for_metrics(texts)

    def generate_in_parallel_ok(self, batch, parts):
        tokens = self.model.generate(**batch)
        dist.all_gather(parts, tokens, group=self.tp_group)
