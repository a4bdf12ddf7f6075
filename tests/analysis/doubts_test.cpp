// Every reason to doubt that two ranks part has a program on IR that it is stated for.
#include <catch2/catch.hpp>

#include <cctype>
#include <regex>
#include <set>
#include <string>

#include "analyzer/evidence/reason.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

// "TakesTurns" is "takes-turns".
std::string id_of(const std::string& enumerator) {
  std::string id;
  for (const char c : enumerator) {
    if (std::isupper(static_cast<unsigned char>(c)) && !id.empty()) id += '-';
    id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return id;
}

std::set<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.insert((*it)[1]);
  return found;
}

}  // namespace

TEST_CASE("each recogniser of a doubt has a program on IR") {
  std::string stated;
  for (const std::filesystem::path& path : files_below(source_path("testdata/analysis/doubts"), ".ir"))
    for (const std::string& reasons : all_matches(read_file(path), std::regex("possible: ([a-z, -]+)")))
      stated += " " + reasons + ",";
  const std::set<std::string> recognised =
      all_matches(read_file(source_path("analyzer/doubts/doubts.cpp")), std::regex("\\{Reason::(\\w+), doubts::"));
  CHECK(recognised.size() > 50);
  std::set<std::string> missing;
  for (const std::string& enumerator : recognised) {
    INFO(enumerator);
    CHECK(reason_of(id_of(enumerator)));
    if (stated.find(" " + id_of(enumerator) + ",") == std::string::npos) missing.insert(id_of(enumerator));
  }
  CHECK(missing == std::set<std::string>{});
}

}  // namespace ranklint::test
