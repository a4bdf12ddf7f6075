// A rule is a line in the registry, a page and fixtures; the three carry one id.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "analyzer/evidence/reason.h"
#include "rules/calibration.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

std::set<std::string> registered_ids() {
  std::set<std::string> ids;
  for (const Rule& rule : all_rules()) ids.emplace(rule.info->id);
  return ids;
}

std::set<std::string> ids_with_a_page() {
  std::set<std::string> ids;
  for (const fs::path& page : files_below(source_path("rules"), ".md"))
    if (page.stem() != "README") ids.insert(page.stem().string());
  return ids;
}

std::set<std::string> ids_with_fixtures() {
  std::set<std::string> ids;
  for (const Case& c : fixture_cases()) ids.insert(c.rule);
  return ids;
}

bool expects(const Case& c, std::string_view rule) {
  std::vector<std::string> malformed;
  for (const CaseFile& file : c.files)
    for (const Expectation& e : parse_expectations(file.path, file.text, malformed))
      if (e.rule == rule) return true;
  return false;
}

// A file that can not be read has no line on which to expect it.
bool can_be_expected(std::string_view rule) { return rule != "unreadable-source"; }

}  // namespace

TEST_CASE("every rule has a page, and every page a rule") { CHECK(ids_with_a_page() == registered_ids()); }

TEST_CASE("every rule has fixtures, and every folder of fixtures a rule") {
  CHECK(ids_with_fixtures() == registered_ids());
}

TEST_CASE("every rule's fixtures expect it somewhere") {
  const std::vector<Case> cases = fixture_cases();
  for (const Rule& rule : all_rules()) {
    INFO(rule.info->id);
    const bool expected = std::any_of(cases.begin(), cases.end(), [&](const Case& c) {
      return c.rule == rule.info->id && expects(c, rule.info->id);
    });
    CHECK(expected == can_be_expected(rule.info->id));
  }
}

TEST_CASE("fixtures and pages expect only rules that exist") {
  std::vector<Case> cases = fixture_cases();
  const std::vector<Case> pages = page_cases(PageSection::Bad);
  cases.insert(cases.end(), pages.begin(), pages.end());
  std::vector<std::string> malformed;
  for (const Case& c : cases)
    for (const CaseFile& file : c.files)
      for (const Expectation& e : parse_expectations(file.path, file.text, malformed)) {
        INFO(c.name << ": " << e.rule);
        CHECK((e.kind != Expectation::Kind::Finding || find_rule(e.rule)));
      }
}

TEST_CASE("every reason that the code gives silences a finding of some fixture by itself") {
  std::set<std::string> alone, registered;
  std::vector<std::string> malformed;
  for (const Case& c : fixture_cases())
    for (const CaseFile& file : c.files)
      for (const Expectation& e : parse_expectations(file.path, file.text, malformed))
        if (e.kind == Expectation::Kind::Silence && e.rule.find(',') == std::string::npos) alone.insert(e.rule);
  for (const ReasonInfo& reason : all_reasons())
    if (reason.reason != Reason::SeldomReal) registered.emplace(reason.id);
  CHECK(alone == registered);
}

TEST_CASE("the page of a rule says whether it is hidden by the count of judged findings, and no other page says so") {
  for (const Rule& rule : all_rules()) {
    INFO(rule.info->code);
    const bool is_hidden = counted_confidence(rule.info->code, Confidence::Likely) == Confidence::Possible;
    CHECK((rule_page(rule.info->id).find("`seldom-real`") != std::string::npos) == is_hidden);
  }
}

TEST_CASE("the registry is sorted by code, and ids and codes are unique") {
  std::set<std::string_view> ids;
  std::string_view last_code;
  for (const Rule& rule : all_rules()) {
    CHECK(last_code < rule.info->code);
    last_code = rule.info->code;
    CHECK(ids.insert(rule.info->id).second);
  }
}

TEST_CASE("a rule is found by id and by code, in any case of letters") {
  for (const Rule& rule : all_rules()) {
    CHECK(find_rule(rule.info->id) == &rule);
    CHECK(find_rule(rule.info->code) == &rule);
    std::string lower(rule.info->code);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    CHECK(find_rule(lower) == &rule);
  }
  CHECK(find_rule("no-such-rule") == nullptr);
  CHECK(find_rule("") == nullptr);
}

TEST_CASE("a page has the sections every page has, in order") {
  constexpr std::string_view kSections[] = {"## What it does", "## Why it matters", "## Bad",
                                            "## Good",         "## How to fix",     "## When it is silent or wrong",
                                            "## Options",      "## References"};
  for (const Rule& rule : all_rules()) {
    INFO(rule.info->id);
    const std::string_view page = rule_page(rule.info->id);
    CHECK(page.starts_with("# " + std::string(rule.info->id) + " (" + std::string(rule.info->code) + ")"));
    size_t at = 0;
    for (std::string_view section : kSections) {
      INFO(section);
      const size_t next = page.find("\n" + std::string(section) + "\n", at);
      CHECK(next != std::string_view::npos);
      if (next != std::string_view::npos) at = next;
    }
  }
  CHECK(rule_page("no-such-rule").empty());
}

TEST_CASE("what only tests read is not on a page: an expectation is the name of the rule") {
  for (const Rule& rule : all_rules()) {
    INFO(rule.info->id);
    CHECK(rule_page(rule.info->id).find("expect: [") == std::string_view::npos);
  }
  CHECK(rule_page("rank-guarded-collective").find("# ← rank-guarded-collective\n") != std::string_view::npos);
}

TEST_CASE("every page shows the bad and the better way") {
  std::set<std::string> bad, good, wanted = ids_with_a_page();
  std::erase_if(wanted, [](const std::string& id) { return !can_be_expected(id); });
  for (const Case& c : page_cases(PageSection::Bad)) {
    INFO(c.name);
    CHECK(expects(c, c.rule));
    bad.insert(c.rule);
  }
  for (const Case& c : page_cases(PageSection::Good)) good.insert(c.rule);
  CHECK(bad == wanted);
  CHECK(good == wanted);
}

}  // namespace ranklint::test
