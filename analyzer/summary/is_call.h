// Which steps are calls, of any callee: others communicate, end the process, hand over, send or wait.
#pragma once

#include "analyzer/summary/summary.h"

namespace ranklint {

inline bool is_call(const Step& step) {
  return !step.event && step.ending == Ending::None && !step.yields && !step.transfer && !step.waits;
}

}  // namespace ranklint
