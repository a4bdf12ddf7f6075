#include "runtime/base/dtype.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace ranklint::runtime {

TEST_CASE("every half of a float survives the way to float and back") {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto pattern = static_cast<uint16_t>(bits);
    const float half = to_float(Float16{pattern});
    const float brain = to_float(BFloat16{pattern});
    if (std::isnan(half))
      CHECK(std::isnan(to_float(to_float16(half))));
    else if (to_float16(half).bits != pattern)
      FAIL_CHECK("float16 " << bits);
    if (std::isnan(brain))
      CHECK(std::isnan(to_float(to_bfloat16(brain))));
    else if (to_bfloat16(brain).bits != pattern)
      FAIL_CHECK("bfloat16 " << bits);
  }
}

TEST_CASE("a float between two bfloat16 goes to the nearer one and a tie to the even one") {
  const auto from = [](uint32_t bits) { return to_bfloat16(std::bit_cast<float>(bits)).bits; };
  CHECK(from(0x3f807fff) == 0x3f80);
  CHECK(from(0x3f808000) == 0x3f80);  // tie, even below
  CHECK(from(0x3f818000) == 0x3f82);  // tie, even above
  CHECK(from(0x3f808001) == 0x3f81);
  CHECK(from(0x7f7fffff) == 0x7f80);  // the largest float rounds to infinity
  CHECK(from(0x7f800001) == 0x7fc0);  // a NaN whose payload would be cut away stays one
}

TEST_CASE("a float between two float16 goes to the nearer one and a tie to the even one") {
  CHECK(to_float16(1.0F + 0x1p-11F).bits == 0x3c00);      // tie, even below
  CHECK(to_float16(1.0F + 3 * 0x1p-11F).bits == 0x3c02);  // tie, even above
  CHECK(to_float16(1.0F + 0x1p-11F + 0x1p-20F).bits == 0x3c01);
  CHECK(to_float16(0x1p-25F).bits == 0);  // half of the least subnormal: tie to zero
  CHECK(to_float16(0x1.8p-25F).bits == 1);
  CHECK(to_float16(-0x1p-14F + 0x1p-26F).bits == 0x8400);  // the largest subnormal rounds up to the least normal
  CHECK(to_float16(65519.0F).bits == 0x7bff);
  CHECK(to_float16(65520.0F).bits == 0x7c00);
  CHECK(to_float16(-std::numeric_limits<float>::infinity()).bits == 0xfc00);
}

}  // namespace ranklint::runtime
