// Two ranks that disagree about a call: found when the second one posts it, told when the others have come too.
#pragma once

#include <memory>

#include "runtime/group/watch/wait_for.h"

namespace ranklint::runtime {

struct Dispute {
  const GroupInfo* group = nullptr;
  const Entry* entry = nullptr;  // a collective
  uint64_t sequence = 0;
  std::shared_ptr<const Transfer> send{}, recv{};  // or a message
};

// What they disagree in, who says what, and who is the odd one out.
Verdict verdict_of(const Dispute& dispute);

}  // namespace ranklint::runtime
