// Recursion that follows the input asks for room before it goes deeper, so that input which nests deeper than the stack
// ends one piece of work (analyzer/base/contain.h) instead of the program.
#pragma once

#include <cstdint>

namespace ranklint {

// Throws InternalError where the thread's stack has less left than what runs between two such questions may need.
inline void require_stack_room();

namespace stack_room {

// The lowest address that the thread may go down to. The highest there is until the thread asks for the first time.
inline thread_local std::uintptr_t lowest = UINTPTR_MAX;

[[gnu::cold, gnu::noinline]] void measure(std::uintptr_t here);

}  // namespace stack_room

inline void require_stack_room() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here < stack_room::lowest) stack_room::measure(here);
}

}  // namespace ranklint
