// The table of reasons, and the page that shows it to people: RANKLINT_UPDATE=1 writes the table into the page.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/evidence/assumption.h"
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

constexpr std::string_view kAssumptionsHead = "| Assumption | Says |\n|---|---|\n";

std::string table_of_assumptions() {
  std::string text(kAssumptionsHead);
  for (const AssumptionInfo& info : all_assumptions())
    text += "| `" + std::string(info.id) + "` | " + std::string(info.meaning) + " |\n";
  return text;
}

// The page with a table in the place of the one with this head.
std::string with_table(const std::string& page, std::string_view head, const std::string& table) {
  const size_t begin = page.find(head);
  REQUIRE(begin != std::string::npos);
  const size_t end = page.find("|\n\n", begin);
  const size_t rest = end == std::string::npos ? page.size() : end + 2;
  return page.substr(0, begin) + table + page.substr(rest);
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

TEST_CASE("an assumption has an id of its own, and a sentence about its subject") {
  std::set<std::string_view> ids;
  for (const AssumptionInfo& info : all_assumptions()) {
    INFO(info.id);
    CHECK(ids.insert(info.id).second);
    CHECK(&info_of(info.kind) == &info);
    const std::string sentence = sentence_of({.kind = info.kind, .subject = "what it is about", .count = 3});
    CHECK_FALSE(sentence.empty());
    CHECK_FALSE(sentence.ends_with('.'));
    CHECK((info.kind == AssumptionKind::BudgetReached || sentence.find("what it is about") != std::string::npos));
  }
}

TEST_CASE("docs/reasons.md lists every reason and every assumption") {
  const std::string page = read_file(source_path("docs/reasons.md"));
  check_golden(source_path("docs/reasons.md"),
               with_table(with_table(page, kHead, table()), kAssumptionsHead, table_of_assumptions()));
}

}  // namespace ranklint::test
