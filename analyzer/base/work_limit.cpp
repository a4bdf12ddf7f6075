#include "analyzer/base/work_limit.h"

namespace ranklint::work {

void end() {
  left = 0;
  throw WorkLimitReached();
}

}  // namespace ranklint::work
