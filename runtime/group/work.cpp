#include "runtime/group/work.h"

namespace ranklint::runtime {

void Work::wait(std::chrono::milliseconds timeout, Site site) {
  if (state_) state_->wait(timeout, site);
}

bool Work::test() { return !state_ || state_->test(); }

OpType Work::op() const { return state_ ? state_->op() : OpType::Barrier; }

uint64_t Work::sequence() const { return state_ ? state_->sequence() : 0; }

}  // namespace ranklint::runtime
