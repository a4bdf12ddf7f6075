// Finding out, before anything else is sent, whether all ranks mean the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/group/process_group.h"

namespace ranklint::runtime {

struct NamedNumber {
  const char* name;
  int64_t value;
};

// One all_gather per group that has more than one member: first over `inner`, then of what that gave over `outer`.
// Afterwards every rank of the grid of groups has every rank's numbers and returns the same: nothing, or the first
// number on which ranks differ, with who said what ("heads is 8 on rank 0 of 4 and 6 on rank 2"; ranks in grid order).
Status agree_on(ProcessGroup& inner, ProcessGroup& outer, std::span<const NamedNumber> numbers);

}  // namespace ranklint::runtime
