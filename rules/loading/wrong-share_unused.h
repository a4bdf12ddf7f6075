// Samplers that no loader is given:
//
//     sampler = DistributedSampler(dataset)
//     loader = DataLoader(dataset, shuffle=True)
//     sampler.set_epoch(epoch)
#pragma once

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint::wrong_share {

// Whether what the call makes is kept in a variable of which nothing more is asked than that it is there, and nothing
// told but the epoch.
bool is_for_nobody(const Query& in, const FunctionCode& code, ProgramPoint call);

}  // namespace ranklint::wrong_share
