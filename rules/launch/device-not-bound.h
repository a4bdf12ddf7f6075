// Devices that are asked for by a number, beside the call that binds one.
#pragma once

#include <set>
#include <vector>

#include "rules/wording.h"

namespace ranklint::device_not_bound {

// Calls that work on the device of the global rank's number, one finding a function; functions in `reported` have one
// already.
std::vector<Finding> devices_by_global_rank(const RuleInfo& rule, const Query& in, const Shared& shared,
                                            const std::set<FunctionKey>& reported);

// Calls by which all processes of one machine bind the same GPU, but for those in the functions in `reported`.
std::vector<Finding> one_device_for_all(const RuleInfo& rule, const Query& in, const Shared& shared,
                                        const std::set<FunctionKey>& reported);

// What works on the current device before one of `binds` binds the process's own, one finding a function.
std::vector<Finding> devices_used_early(const RuleInfo& rule, const Query& in, const Shared& shared,
                                        const std::vector<const CallSite*>& calls,
                                        const std::vector<const CallSite*>& binds);

// Whether the group that is made there meets on GPUs, and on the current one.
bool is_of_current_gpu(const Roles& roles, const CallSite& group);
bool makes_process_group(const Roles& roles, const CallSite& call);
// The call in the same function that has made the process group before; null: none.
const CallSite* group_before(const Roles& roles, const std::vector<const CallSite*>& calls, const CallSite& bind);

// Whether the call gives the local rank for the rank.
bool numbers_by_local_rank(const Roles& roles, const CallSite& group);
// Whether all process groups of the programs that the function is part of are made so, by `init_process_group` or
// DeepSpeed: the rank of the group is the local one there.
bool ranks_are_local(const Query& in, const std::vector<const CallSite*>& calls, FunctionKey function);

// How many ranks the call gives the group; null: it does not say.
const SeenValue* world_size_of(const Query& in, const CallSite& group);

// Whether all ranks of the group are on one machine: they meet at an address of their own, or are as many as it has
// devices.
bool meets_on_one_machine(const Query& in, const Shared& shared, const CallSite& group);
// Whether the group's backend communicates with no other process: one process plays a rank of a world.
bool reaches_no_rank(const Query& in, const CallSite& group);
// How sure it is that some ranks of the function's job are on another machine than the first ones.
Assurance on_several_machines(const Query& in, const Shared& shared, FunctionKey function);

}  // namespace ranklint::device_not_bound
