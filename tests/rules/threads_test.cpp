// What is found does not depend on how many threads look for it, nor on which of them comes first.
#include <catch2/catch.hpp>

#include <sstream>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"

namespace ranklint::test {
namespace {

// The fixtures in one project, each in a folder of its own.
std::vector<SourceFile> all_fixtures() {
  std::vector<SourceFile> files;
  size_t number = 0;
  for (const CasePlace& place : fixture_places()) {
    ++number;
    for (const CaseFile& file : read_case(place).files)
      if (file.path.ends_with(".py"))
        files.push_back({.path = "case" + std::to_string(number) + "/" + file.path, .bytes = file.text});
  }
  return files;
}

void write(std::ostream& out, const Finding& finding) {
  out << finding.primary.path << ':' << finding.primary.range.line << ' ' << finding.rule << ' '
      << static_cast<int>(finding.confidence) << ' ' << finding.message << '\n';
  for (const WitnessLane& lane : finding.witness.lanes) {
    out << "  " << lane.ranks << ": " << lane.end << '\n';
    for (const WitnessStep& step : lane.steps) out << "    " << step.location.range.line << ' ' << step.text << '\n';
  }
  for (const std::string& assumption : finding.witness.assumptions) out << "  assumes " << assumption << '\n';
}

std::string found_by(unsigned threads) {
  static const Models models = Models::builtin();
  const Analysis analysis = analyze(
      all_fixtures(), models, app::lower_source,
      {.threads = threads, .watched = watched_calls(all_rules()), .passes = passes_of(all_rules()), .replays = true});
  std::ostringstream out;
  for (const Finding& finding : findings_of(analysis)) write(out, finding);
  for (const IncompleteFunction& f : analysis.incomplete) out << "incomplete " << f.path << ':' << f.line << '\n';
  return std::move(out).str();
}

}  // namespace

TEST_CASE("what is found is the same on one thread and on several, run after run") {
  const std::string alone = found_by(1);
  REQUIRE(std::count(alone.begin(), alone.end(), '\n') > 1000);
  for (const unsigned threads : {2u, 2u, 7u}) CHECK(found_by(threads) == alone);
}

}  // namespace ranklint::test
