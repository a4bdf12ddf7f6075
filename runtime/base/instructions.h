// The instruction sets that loops of the runtime are written for, and which of them run. Whatever chooses a loop by the
// processor asks here, so that each choice can be forced where the processor has the instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ranklint::runtime {

// Each has the instructions of the ones before it.
enum class Instructions : uint8_t { Portable, Avx2, Avx512 };

std::string_view name_of(Instructions set);
std::optional<Instructions> instructions_named(std::string_view name);

// The widest that this processor, and this build, has. `Avx2` is AVX2 and FMA.
Instructions widest_instructions();

// Those to use: the widest, unless forced.
Instructions instructions_in_use();

// Use these for the rest of the process. False, and nothing changes, where the processor does not have them. To be
// called before the first use: a loop may keep what it was told.
bool force_instructions(Instructions set);

}  // namespace ranklint::runtime
