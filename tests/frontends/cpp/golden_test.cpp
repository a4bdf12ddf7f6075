// Each construct of C and C++ has a file in testdata/frontends/cpp: the source and, beside it, its IR.
#include <catch2/catch.hpp>

#include "analyzer/ir/print.h"
#include "frontends/cpp/frontend.h"
#include "tests/frontends/checked.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

TEST_CASE("each construct of C++ becomes the IR that stands beside it") {
  size_t seen = 0;
  for (const char* ending : {".c", ".cpp"})
    for (const fs::path& source : files_below(source_path("testdata/frontends/cpp"), ending)) {
      INFO(source.string());
      const CppUnit unit = lower_cpp(source.filename().string(), read_file(source));
      REQUIRE(unit.modules.size() == 1);
      CHECK(complaints(unit.modules.front()) == "");
      CHECK(unit.modules.front().diagnostics.empty());
      check_golden(fs::path(source).replace_extension(".ir"), ir::print(unit.modules.front(), {.locations = false, .facts = {}}));
      ++seen;
    }
  CHECK(seen >= 5);
}

}  // namespace ranklint::test
