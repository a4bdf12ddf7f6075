// What two ranks hand to one collective: tensors of one size, or surely not.
//
// A size is a sum of unknown terms with whole factors, `n - rank` on rank 1 being n - 1. Two sizes differ for sure
// when their difference is a number other than 0; when it is a multiple of one term, they differ unless that is 0.
// So x[rank * n:(rank + 1) * n] has n rows on every rank, and x[:rank + 1] one more on each. Everything else,
// a minimum with the total length for instance, is not known, and not known is not different.
#pragma once

#include <optional>
#include <string>

#include "analyzer/summary/query.h"

namespace ranklint {

struct SizeDifference {
  std::string first, second;  // "1", "n - 1", "bfloat16"
  Confidence certainty = Confidence::Certain;
};

// `a` and `b` are what is left of the argument on either rank.
std::optional<SizeDifference> size_difference(const Query& query, ValueId a, ValueId b);

// The same for two numbers of elements.
std::optional<SizeDifference> count_difference(const Query& query, ValueId a, ValueId b);

}  // namespace ranklint
