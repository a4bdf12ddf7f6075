#include "analyzer/base/stack_room.h"

#include <pthread.h>

#include <cstddef>

#include "analyzer/base/contain.h"

namespace ranklint::stack_room {
namespace {

// Kept free for what runs between two questions, unwinding included. Sanitizers make frames several times larger.
constexpr size_t kReserve = size_t{256} << 10;
constexpr size_t kReserveOfSanitizer = size_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kKeptFree = kReserveOfSanitizer;
#else
constexpr size_t kKeptFree = kReserve;
#endif

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
