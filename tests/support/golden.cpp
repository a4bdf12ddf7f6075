#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  REQUIRE(out.good());
}

// "line 3", where the two texts part: a diff's first line is what the reader looks for.
std::string first_difference(std::string_view expected, std::string_view actual) {
  const auto [at, unused] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  return "line " + std::to_string(1 + std::count(expected.begin(), at, '\n'));
}

}  // namespace

fs::path source_path(std::string_view relative) { return fs::path(RANKLINT_SOURCE_DIR) / relative; }

std::string read_file(const fs::path& path) {
  INFO("reading " << path.string());
  REQUIRE(fs::is_regular_file(path));
  return bytes_of(path);
}

std::vector<fs::path> files_below(const fs::path& folder, std::string_view suffix) {
  std::vector<fs::path> found;
  if (fs::is_directory(folder))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().filename().string().ends_with(suffix)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  INFO("no *" << suffix << " below " << folder.string());
  REQUIRE_FALSE(found.empty());
  return found;
}

std::optional<std::string> environment_without_cache(const std::string& name) {
  return name == "RANKLINT_NO_CACHE" ? std::optional<std::string>("1") : std::nullopt;
}

bool update_expectations() {
  const char* value = std::getenv("RANKLINT_UPDATE");
  return value && std::string_view(value) == "1";
}

void check_golden(const fs::path& golden, std::string_view actual) {
  const std::string expected = fs::exists(golden) ? bytes_of(golden) : std::string();
  if (expected == actual) return;
  if (update_expectations()) return write_file(golden, actual);
  INFO(golden.string() << " differs at " << first_difference(expected, actual) << "; if the new text is right: "
                       << "RANKLINT_UPDATE=1 " << run_alone_command(Catch::getResultCapture().getCurrentTestName()));
  CHECK(expected == actual);
}

std::string run_alone_command(std::string_view case_name) {
  std::string quoted;  // in single quotes, for the shell; Catch2 takes ',' and '[' only with a backslash
  for (char c : case_name) {
    if (c == ',' || c == '[' || c == '\\') quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  const char* instructions = std::getenv("RANKLINT_TEST_INSTRUCTIONS");  // forced_instructions.cpp
  const std::string forced =
      instructions == nullptr ? "" : "RANKLINT_TEST_INSTRUCTIONS=" + std::string(instructions) + " ";
  return forced + fs::read_symlink("/proc/self/exe").string() + " '" + quoted + "'";
}

}  // namespace ranklint::test
