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
