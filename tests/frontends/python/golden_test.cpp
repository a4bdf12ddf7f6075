// Each construct of the language has a file in testdata/frontends/python: the source and, beside it, the IR of its
// function `example` and of what that holds. A file without such a function is printed whole. Each file is a case.
#include <catch2/catch.hpp>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/parse.h"
#include "analyzer/ir/print.h"
#include "frontends/python/frontend.h"
#include "tests/frontends/checked.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

namespace fs = std::filesystem;

bool belongs_to_example(std::string_view name) { return name == "example" || name.starts_with("example."); }

std::string printed(const ir::Module& module, const ir::PrintOptions& options) {
  std::string out;
  for (uint32_t f = 0; f < module.functions.size(); ++f)
    if (belongs_to_example(module.text(module.functions[ir::FunctionId{f}].qualified_name)))
      out += (out.empty() ? "" : "\n") + ir::print_function(module, ir::FunctionId{f}, options);
  return out.empty() ? ir::print(module, options) : out;
}

// It becomes the IR that stands beside it, which reads back from its text form.
void check(const std::string& path) {
  const fs::path source = source_path(path);
  const ir::Module module = lower_python(source.filename().string(), read_file(source));
  CHECK(complaints(module) == "");
  const bool locations = source.stem() == "ranges";
  check_golden(fs::path(source).replace_extension(".ir"), printed(module, {.locations = locations, .facts = {}}));
  const Result<ir::Module> parsed = ir::parse(ir::print(module));
  INFO((parsed ? std::string() : parsed.error().message));
  REQUIRE(parsed.has_value());
  CHECK(ir::difference(module, parsed.value()) == "");
}

const bool kAdded = add_cases_below("testdata/frontends/python", ".py", check);

}  // namespace

}  // namespace ranklint::test
