// Worlds that compute attention over a spread sequence, put together again.
#pragma once

#include <optional>
#include <string>

#include "runtime/attention/sequence_parallel.h"
#include "runtime/group/world.h"
#include "tests/runtime_attention/attention_support.h"
#include "tests/runtime_attention/counting_group.h"

namespace ranklint::test {

struct Grid {
  int ulysses = 1, ring = 1;
  int ranks() const { return ulysses * ring; }
};

// Whole tensors in, whole tensors out; lse is not put together. Fails the test when the world does.
struct SpreadRun {
  Results results;
  std::vector<Counts> counts;                       // per rank
  std::vector<std::optional<std::string>> refused;  // per rank: what `create` said
};

SpreadRun run_spread(const Grid& grid, const rt::SequenceShape& shape, const Inputs& inputs,
                     const rt::WorldOptions& options = {});

Inputs inputs_of(const rt::SequenceShape& shape, uint32_t seed = 1);
rt::Sees sees_of(const rt::SequenceShape& shape);
rt::AttentionPlan plan_of(const rt::SequenceShape& shape);

}  // namespace ranklint::test
