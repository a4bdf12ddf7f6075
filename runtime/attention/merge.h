// Joining attention over two sets of keys from their results alone.
//
// With log-sum-exps a and b, the whole has ln(e^a + e^b), and its output is the two outputs weighted by e^(a - whole) and
// e^(b - whole). The order matters to the bits: callers merge in a fixed order, never as blocks arrive. A side that saw
// nothing (-inf) has weight 0; two of them stay 0 and -inf, where the published form (sigmoid of the difference) gives NaN.
#pragma once

#include "runtime/attention/attention.h"

namespace ranklint::runtime {

// into := into joined with `block`; shapes as in attention.h.
void merge_into(const AttentionOutput& into, const AttentionOutput& block);

}  // namespace ranklint::runtime
