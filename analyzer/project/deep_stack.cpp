#include "analyzer/project/deep_stack.h"

#include <pthread.h>

#include <exception>

#include "analyzer/base/contain.h"
#include "analyzer/base/current_work.h"
#include "analyzer/base/sanitizers.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {
namespace {

// Interpretation recurses along call chains, as deep as the stack has room for: a thread of our own has it for the
// deepest we follow. Where none can be had calls are followed less far down, on the stack there is.
constexpr int kDeepestCallWithoutThread = 8;

constexpr size_t kFrames = kHasLargeFrames ? 6 : 1;

// What is thrown on the thread is thrown again where the body was handed over.
struct Run {
  const std::function<void(int deepest_call)>& body;
  std::exception_ptr thrown = nullptr;

  void go() noexcept {
    const SignalStack signals;
    const ContainmentScope scope;
    try {
      body(Interpreter::kDeepestCall);
    } catch (...) {
      thrown = std::current_exception();
    }
  }
};

}  // namespace

void run_with_deep_stack(const std::function<void(int deepest_call)>& body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (Interpreter::kDeepestCall + 8) * Interpreter::kStackPerCall * kFrames);
  pthread_t thread;
  Run run{body};
  const auto call = [](void* r) -> void* {
    static_cast<Run*>(r)->go();
    return nullptr;
  };
  const bool started = pthread_create(&thread, &attributes, call, &run) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return body(kDeepestCallWithoutThread);
  pthread_join(thread, nullptr);
  if (run.thrown) std::rethrow_exception(run.thrown);
}

}  // namespace ranklint
