#include "app/cli/cut_off.h"

#include "analyzer/compare/facts.h"
#include "analyzer/worlds/problem.h"

namespace ranklint::app {

std::vector<CutOff> cut_off(const Analysis& analysis) {
  std::vector<CutOff> out;
  if (!analysis.facts) return out;
  for (const auto& run : analysis.facts->runs)
    if (!run->lost_because.empty() && !run->reached.empty())  // `main` is reached first
      out.push_back({.path = run->reached.front().file, .why = run->lost_because});
  return out;
}

size_t count_programs(const Analysis& analysis) { return analysis.facts ? analysis.facts->runs.size() : 0; }

}  // namespace ranklint::app
