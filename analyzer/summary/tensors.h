// Calls that make tensors, as far as their sizes can be read off the call: `torch.zeros(n, 4)`, `x.new_empty(n)`,
// `torch.empty_like(x)`, `x.clone()`.
#pragma once

#include <functional>
#include <string_view>

#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/roles.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

// The tensor a call makes; invalid when nothing is known of its sizes.
ValueId make_tensor(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                    const std::function<SiteId()>& site);

// The type that numbers of a type of the language get in a tensor. Of a floating one it stands for any that the program
// may have set.
std::string_view type_in_tensors(const Roles& roles, Builtin type);

// The element type that the call casts its receiver to: `x.to(torch.float16)`, `x.to("cuda", dtype=kind)`; invalid
// where it keeps the type or none is named.
ValueId named_cast(const ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call);

// What a method gives that moves the tensor or casts it: the tensor, and the type where the call names one.
ValueId moved_or_cast(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                      ValueId tensor);

// Whether the method gives a tensor that lies on the ranks on which its receiver lies: `w.detach()`, `w.to(dtype)`.
bool keeps_ranks(const Roles& roles, std::string_view method);

}  // namespace ranklint
