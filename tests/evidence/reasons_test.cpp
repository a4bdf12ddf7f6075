// The table of reasons, and the page that shows it to people: RANKLINT_UPDATE=1 writes the table into the page.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/evidence/reason.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kHead = "| Reason | Says |\n|---|---|\n";

std::string table() {
  std::string text(kHead);
  for (const ReasonInfo& reason : all_reasons())
    text += "| `" + std::string(reason.id) + "` | " + std::string(reason.sentence) + " |\n";
  return text;
}

// The page with the table in the place of the one that it has.
std::string with_table(const std::string& page) {
  const size_t begin = page.find(kHead);
  REQUIRE(begin != std::string::npos);
  const size_t end = page.find("|\n\n", begin);
  const size_t rest = end == std::string::npos ? page.size() : end + 2;
  return page.substr(0, begin) + table() + page.substr(rest);
}

}  // namespace

TEST_CASE("a reason has an id of its own in kebab case and a sentence without a full stop") {
  std::set<std::string_view> ids;
  for (const ReasonInfo& reason : all_reasons()) {
    INFO(reason.id);
    CHECK(ids.insert(reason.id).second);
    CHECK(reason.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
    CHECK_FALSE(reason.sentence.empty());
    CHECK_FALSE(reason.sentence.ends_with('.'));
    CHECK(&info_of(reason.reason) == &reason);
    CHECK(reason_of(reason.id) == reason.reason);
  }
}

TEST_CASE("docs/reasons.md lists every reason") {
  const std::string page = read_file(source_path("docs/reasons.md"));
  check_golden(source_path("docs/reasons.md"), with_table(page));
}

}  // namespace ranklint::test
