#include "tests/support/file_cases.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

#include "tests/support/support.h"

namespace ranklint::test {

namespace {

struct Invoker : Catch::ITestInvoker {
  explicit Invoker(std::function<void()> b) : body(std::move(b)) {}
  void invoke() const override { body(); }
  std::function<void()> body;
};

}  // namespace

void add_case(const std::string& name, std::function<void()> body) {
  // The registry owns the invoker.
  Catch::AutoReg(new Invoker(std::move(body)), CATCH_INTERNAL_LINEINFO, Catch::StringRef(), Catch::NameAndTags(name));
}

std::vector<std::string> paths_below(std::string_view folder, std::string_view suffix) {
  namespace fs = std::filesystem;
  const fs::path root = source_path("");
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_path(folder)))
    if (entry.path().filename().string().ends_with(suffix))
      paths.push_back(entry.path().lexically_relative(root).generic_string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool add_cases_below(std::string_view folder, std::string_view suffix,
                     const std::function<void(const std::string& path)>& check) {
  for (const std::string& path : paths_below(folder, suffix)) add_case(path, [check, path] { check(path); });
  return true;
}

}  // namespace ranklint::test
