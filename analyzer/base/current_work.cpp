#include "analyzer/base/current_work.h"

#include <csignal>
#include <cstdlib>

namespace ranklint {
namespace {

constexpr size_t kSignalStackBytes = size_t{64} << 10;

thread_local const CurrentWork* work_of_thread = nullptr;

}  // namespace

CurrentWork::CurrentWork(std::string_view s, std::string_view p, std::string_view f) noexcept
    : stage(s), path(p), function(f), outer_(work_of_thread) {
  work_of_thread = this;
}
CurrentWork::~CurrentWork() { work_of_thread = outer_; }
const CurrentWork* CurrentWork::innermost() noexcept { return work_of_thread; }

SignalStack::SignalStack() : memory_(std::malloc(kSignalStackBytes)) {
  if (!memory_) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kSignalStackBytes;
  ::sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  std::free(memory_);
}

}  // namespace ranklint
