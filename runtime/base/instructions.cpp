#include "runtime/base/instructions.h"

#include <array>
#include <atomic>

namespace ranklint::runtime {

namespace {

constexpr std::array kAll = {Instructions::Portable, Instructions::Avx2, Instructions::Avx512};

Instructions find_widest() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Instructions::Portable;
  return __builtin_cpu_supports("avx512f") ? Instructions::Avx512 : Instructions::Avx2;
#else
  return Instructions::Portable;
#endif
}

std::atomic<Instructions>& chosen() {
  static std::atomic<Instructions> set = widest_instructions();
  return set;
}

}  // namespace

std::string_view name_of(Instructions set) {
  switch (set) {
    case Instructions::Portable: return "portable";
    case Instructions::Avx2: return "avx2";
    case Instructions::Avx512: break;
  }
  return "avx512";
}

std::optional<Instructions> instructions_named(std::string_view name) {
  for (const Instructions set : kAll)
    if (name_of(set) == name) return set;
  return std::nullopt;
}

Instructions widest_instructions() {
  static const Instructions widest = find_widest();
  return widest;
}

Instructions instructions_in_use() { return chosen().load(std::memory_order_relaxed); }

bool force_instructions(Instructions set) {
  if (set > widest_instructions()) return false;
  chosen().store(set, std::memory_order_relaxed);
  return true;
}

}  // namespace ranklint::runtime
