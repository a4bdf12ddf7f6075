# A condition that is too long for a message is cut off behind a word.
from accelerate import Accelerator


def by_a_long_condition_bad(evaluate, model, epochs):
    accelerator = Accelerator()
    best_accuracy_so_far = 0
    for epoch in range(epochs):
        accuracy_of_this_epoch = accelerator.gather(evaluate(model)).sum().item()
        if accuracy_of_this_epoch > best_accuracy_so_far and accelerator.is_main_process and epoch > 0:
            best_accuracy_so_far = accuracy_of_this_epoch
            accelerator.wait_for_everyone()  # expect: [rank-guarded-collective] "ranks where `accuracy_of_this_epoch > best_accuracy_so_far and ...`"
