// A process group that counts what it is asked to send before it lets another one do it.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/group/process_group.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

// Elements that leave this rank: what a member gives to itself is not counted.
struct Counts {
  int64_t all_to_alls = 0, all_gathers = 0, reduce_scatters = 0, all_reduces = 0, batches = 0;
  int64_t sent = 0;
};

// `counts` outlives the group.
rt::ProcessGroup counting(rt::ProcessGroup group, Counts& counts);

}  // namespace ranklint::test
