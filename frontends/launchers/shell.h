// Launch commands of a shell script: torchrun, torch.distributed.launch, accelerate, deepspeed, mpirun and srun.
#pragma once

#include <optional>

#include "frontends/launchers/launch.h"
#include "frontends/launchers/shell_words.h"

namespace ranklint::launchers {

// Nothing when the command starts no processes.
std::optional<Launch> launch_of(const Command& command);

}  // namespace ranklint::launchers
