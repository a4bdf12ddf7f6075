#include "analyzer/base/stack_room.h"

#include <pthread.h>

#include <cstddef>

#include "analyzer/base/contain.h"
#include "analyzer/base/sanitizers.h"

namespace ranklint::stack_room {
namespace {

// Kept free for what runs between two questions, unwinding included.
constexpr size_t kKeptFree = kHasLargeFrames ? size_t{1} << 20 : size_t{256} << 10;

}  // namespace

void measure(std::uintptr_t here) {
  if (lowest == UINTPTR_MAX) {
    lowest = 0;  // where nothing is known of the stack, nothing is refused
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* bottom = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &bottom, &size) == 0 && size > 2 * kKeptFree)
      lowest = reinterpret_cast<std::uintptr_t>(bottom) + kKeptFree;
    pthread_attr_destroy(&attributes);
    if (here >= lowest) return;
  }
  throw InternalError("the stack has no room for what nests this deeply");
}

}  // namespace ranklint::stack_room
