// Each construct of C and C++ has a file in testdata/frontends/cpp: the source and, beside it, its IR. Each is a case.
#include <catch2/catch.hpp>

#include "analyzer/ir/print.h"
#include "frontends/cpp/frontend.h"
#include "tests/frontends/checked.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

void check(const std::string& path) {
  const fs::path source = source_path(path);
  const CppUnit unit = lower_cpp(source.filename().string(), read_file(source));
  REQUIRE(unit.modules.size() == 1);
  CHECK(complaints(unit.modules.front()) == "");
  CHECK(unit.modules.front().diagnostics.empty());
  const std::string printed = ir::print(unit.modules.front(), {.locations = false, .facts = {}});
  check_golden(fs::path(source).replace_extension(".ir"), printed);
}

const bool kAdded =
    add_cases_below("testdata/frontends/cpp", ".c", check) && add_cases_below("testdata/frontends/cpp", ".cpp", check);

}  // namespace

}  // namespace ranklint::test
