// The steps of Fsdp's constructor, each over the whole module.
#pragma once

#include "runtime/sharded/fsdp.h"

namespace ranklint::runtime {

// Meta slots get memory, host tensors move. Throws RankError for what this rank can not wrap.
void prepare(Module& module, const FsdpOptions& options);

// With which error the ranks of `group` give up, all of them or none: this rank's own, that another one has one, or a module
// or options that would lead to other calls. One all_gather of two int64.
std::optional<Error> agreed(const Module& module, const FsdpOptions& options, const std::optional<Error>& own,
                            ProcessGroup& group, Site site);

// Broadcasts buffers, then parameters, from rank 0 of `group`, packed into buckets.
void broadcast_states(Unit& unit, ProcessGroup& group, size_t bucket_bytes, Site site);

}  // namespace ranklint::runtime
