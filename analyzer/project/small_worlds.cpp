#include "analyzer/project/small_worlds.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "analyzer/base/contain.h"
#include "analyzer/compare/facts.h"
#include "analyzer/machine/link.h"
#include "analyzer/project/project.h"
#include "analyzer/worlds/problem.h"

namespace ranklint {

namespace {

bool is_reached(const worlds::Verdict& verdict, const Facts& facts, FunctionKey f) {
  const SourceRange name = facts.index->function(f).name_range;
  const std::string_view path = facts.index->path(f);
  return std::any_of(verdict.reached.begin(), verdict.reached.end(),
                     [&](const worlds::Mark& m) { return m.range == name && m.file == path; });
}

// Whether it says where the ranks part, or that they do not.
bool knows_better(const worlds::Verdict& verdict) {
  return verdict.is_exact ||
         std::any_of(verdict.problems.begin(), verdict.problems.end(), [](const worlds::Problem& p) {
           return p.kind == worlds::ProblemKind::CollectiveMismatch ||
                  p.kind == worlds::ProblemKind::CollectiveArguments;
         });
}

void drop_judged(const worlds::Verdict& verdict, Facts& facts) {
  auto drop = [&](auto& list) {
    std::erase_if(list, [&](const auto& fact) { return is_reached(verdict, facts, fact.function); });
  };
  drop(facts.mismatches);
  drop(facts.divergent_arguments);
  drop(facts.loose_handles);
  drop(facts.outsiders);
}

}  // namespace

void run_small_worlds(const std::vector<std::shared_ptr<const machine::Program>>& units, Analysis& analysis) {
  std::shared_ptr<Facts> facts;
  const auto contained = [&](const std::string& path, const std::function<void()>& body) {
    if (std::optional<std::string> what = contain(body))
      analysis.broken.push_back({.path = path, .stage = "run in small worlds", .what = std::move(*what)});
  };
  contained({}, [&] {
    machine::link(units, [&](const machine::Program& program) {
      contained(program.unit, [&] {
        if (!facts) facts = std::make_shared<Facts>(*analysis.facts);
        facts->runs.push_back(std::make_shared<const worlds::Verdict>(worlds::explore(program)));
        if (knows_better(*facts->runs.back())) drop_judged(*facts->runs.back(), *facts);
      });
    });
  });
  if (facts) analysis.facts = std::move(facts);
}

}  // namespace ranklint
