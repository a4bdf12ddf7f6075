// Launch commands of a shell script: torchrun, torch.distributed.launch, accelerate, deepspeed, mpirun,
// horovodrun and srun.
#pragma once

#include <optional>

#include "frontends/launchers/launch.h"
#include "frontends/launchers/shell_words.h"

namespace ranklint::launchers {

// Whether the text has the name of a launcher in it.
bool names_launcher(std::string_view text);
// Whether it may have a command in it that starts a Python file, by a launcher or without one.
bool may_start_script(std::string_view text);

// Nothing when the command starts no processes.
std::optional<Launch> launch_of(const Command& command);

// `python export.py`, without a launcher and without what a launcher would set (`RANK=1 python train.py`, `python
// train.py --node_rank=1`): the script. Nothing: it is no such command, or a loop may run it several times.
std::optional<Word> script_started_alone(const Command& command);

}  // namespace ranklint::launchers
