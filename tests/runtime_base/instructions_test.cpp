#include "runtime/base/instructions.h"

#include <catch2/catch.hpp>

namespace ranklint::runtime::test {

TEST_CASE("instructions are named, and those that the processor has can be forced") {
  for (const Instructions set : {Instructions::Portable, Instructions::Avx2, Instructions::Avx512}) {
    CHECK(instructions_named(name_of(set)) == set);
    const Instructions before = instructions_in_use();
    CHECK(force_instructions(set) == (set <= widest_instructions()));
    CHECK(instructions_in_use() == (set <= widest_instructions() ? set : before));
  }
  CHECK_FALSE(instructions_named("sse9"));
  CHECK(force_instructions(widest_instructions()));
}

}  // namespace ranklint::runtime::test
