// Calls that make tensors, as far as their sizes can be read off the call: `torch.zeros(n, 4)`, `x.new_empty(n)`,
// `torch.empty_like(x)`, `x.clone()`.
#pragma once

#include <functional>

#include "analyzer/resolve/roles.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

// The tensor a call makes; invalid when nothing is known of its sizes.
ValueId make_tensor(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                    const std::function<SiteId()>& site);

// Whether the method gives a tensor that lies on the ranks on which its receiver lies: `w.detach()`, `w.to(dtype)`.
bool keeps_ranks(const Roles& roles, std::string_view method);

}  // namespace ranklint
