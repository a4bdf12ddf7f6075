// One unit per thread is held at once: what Clang built of a unit is gone when its modules are there.
#include <malloc.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "frontends/cpp/frontend.h"

namespace ranklint::test {

namespace {

size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

size_t peak_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * static_cast<size_t>(usage.ru_maxrss);
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

TEST_CASE("a sequence of more template arguments than any program has is not made") {
  const auto read = [&](const std::string& length) {
    const std::string source =
        "#include <utility>\nusing Indices = std::make_index_sequence<" + length + ">;\nint f(Indices);\n";
    return lower_cpp("unit.cpp", source).modules.size();
  };
  CHECK(read("8") == 1);
  const size_t before = peak_bytes();
  CHECK(read("40000000") == 1);
  CHECK(read("0UL - 4") == 1);
  CHECK(peak_bytes() < before + (200U << 20));
}

}  // namespace ranklint::test
