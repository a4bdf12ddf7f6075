// The steps of Fsdp's constructor, each over the whole module.
#pragma once

#include "runtime/sharded/fsdp.h"

namespace ranklint::runtime {

// Meta slots get memory, host tensors move. Throws RankError for what this rank can not wrap, or `group` would not
// take.
void prepare(Module& module, const FsdpOptions& options, const ProcessGroup& group);

// With which error the ranks of `group` and `options.replicate` give up, all of them or none: this rank's own, that
// others have one, or modules or options that would lead to other calls. An all_gather over `group` of what each rank
// says, and with `replicate` one over that of what each group has said, so that all ranks judge the same. Where not all
// ranks of a group bring `replicate`, that group stops after the first.
std::optional<Error> agreed(const Module& module, const FsdpOptions& options, const std::optional<Error>& own,
                            ProcessGroup& group, Site site);

// Broadcasts buffers, then parameters, from rank 0 of `group`, packed into buckets.
void broadcast_states(Unit& unit, ProcessGroup& group, size_t bucket_bytes, Site site);

}  // namespace ranklint::runtime
