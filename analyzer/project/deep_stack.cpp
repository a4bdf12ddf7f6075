#include "analyzer/project/deep_stack.h"

#include "analyzer/base/deep_thread.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Interpretation recurses along call chains, as deep as the stack has room for: a thread of our own has it for the
// deepest we follow. Where none can be had calls are followed less far down, on the stack there is.
constexpr int kDeepestCallWithoutThread = 8;

void run_with_deep_stack(const std::function<void(int deepest_call)>& body) {
  DeepThread thread(Query::kStack, [&] { body(Query::kDeepestCall); });
  if (!thread.started()) return body(kDeepestCallWithoutThread);
  thread.join();
}

}  // namespace ranklint
