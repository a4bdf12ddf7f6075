// Parameters that a function passes to the process group as its own rank, which shows what they are:
//
//     def worker(gpu, world_size, settings):              # torch.multiprocessing.spawn(worker, ...)
//         dist.init_process_group("nccl", rank=gpu, world_size=world_size)
#pragma once

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

bool is_passed_as_rank(const ProjectIndex& index, const Models& models, FunctionKey f, Symbol parameter);

}  // namespace ranklint
