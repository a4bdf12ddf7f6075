// What a thread is at, for a last word where nothing else can be done any more: a signal.
#pragma once

#include <string_view>

namespace ranklint {

// The texts must live as long as this does.
class CurrentWork {
 public:
  CurrentWork(std::string_view stage, std::string_view path, std::string_view function = {}) noexcept;
  ~CurrentWork();
  CurrentWork(const CurrentWork&) = delete;
  CurrentWork& operator=(const CurrentWork&) = delete;

  // The innermost of this thread; null: none.
  static const CurrentWork* innermost() noexcept;

  const std::string_view stage, path, function;

 private:
  const CurrentWork* outer_;
};

// An alternate stack for the signal handlers of this thread, so that a thread without stack can still report it.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;
};

}  // namespace ranklint
