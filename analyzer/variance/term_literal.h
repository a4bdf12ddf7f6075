#pragma once

#include <compare>
#include <cstdint>

#include "analyzer/variance/values.h"

namespace ranklint {

// A term, and what it was taken for.
struct TermLiteral {
  ValueId term;
  bool holds = true;
  // The rank that decided it: what a rank sees by itself is another value for each viewer. All other terms are shared.
  uint8_t viewer = 0;

  TermLiteral opposite() const { return {term, !holds, viewer}; }
  friend auto operator<=>(const TermLiteral&, const TermLiteral&) = default;
};

}  // namespace ranklint
