// One unit per thread is held at once: what Clang built of a unit is gone when its modules are there.
#include <malloc.h>

#include <catch2/catch.hpp>

#include "frontends/cpp/frontend.h"

namespace ranklint::test {

namespace {

size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

TEST_CASE("a unit that was read leaves nothing behind but its modules") {
  std::string source = "#include <string>\n";
  for (int i = 0; i < 2000; ++i) source += "struct S" + std::to_string(i) + " { std::string a, b; };\n";
  const auto read = [&] { CHECK(lower_cpp("unit.cpp", source).modules.size() == 1); };
  read();  // what is made once and kept
  const size_t before = bytes_in_use();
  read();
  CHECK(bytes_in_use() < before + (1U << 20));
}

}  // namespace ranklint::test
