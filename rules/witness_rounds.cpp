#include "rules/witness_rounds.h"

namespace ranklint {
namespace {

constexpr size_t kLongestRound = 16;    // steps
constexpr size_t kMostRoundsShown = 4;  // that are shown one by one
constexpr size_t kShown = 2;            // of more

bool is_same(const WitnessStep& a, const WitnessStep& b) {
  return a.text == b.text && a.location.path == b.location.path && a.location.range == b.location.range;
}

// How often the steps from `at` on repeat the first `period` of them, at least once.
size_t rounds_from(const std::vector<WitnessStep>& steps, size_t at, size_t period) {
  size_t end = at + period;
  while (end + 1 < steps.size() && is_same(steps[end], steps[end - period])) ++end;
  return (end - at) / period;
}

// The shortest period of many rounds that begin at `at`. 0: none does.
size_t period_from(const std::vector<WitnessStep>& steps, size_t at) {
  for (size_t period = 1; period <= kLongestRound; ++period)
    if (rounds_from(steps, at, period) > kMostRoundsShown) return period;
  return 0;
}

WitnessStep more_rounds(const WitnessStep& first, size_t count) {
  WitnessStep step = first;
  step.kind = WitnessStep::Kind::Branch;
  step.text = "and so on, " + std::to_string(count) + " more rounds";
  step.op.clear();
  step.group.clear();
  return step;
}

}  // namespace

void fold_rounds(std::vector<WitnessStep>& steps) {
  std::vector<WitnessStep> folded;
  for (size_t at = 0; at < steps.size();) {
    const size_t period = period_from(steps, at), rounds = period ? rounds_from(steps, at, period) : 0;
    const size_t shown = period ? kShown * period : 1;
    for (size_t i = at; i < at + shown; ++i) folded.push_back(steps[i]);
    if (period) folded.push_back(more_rounds(steps[at + shown], rounds - kShown));
    at += period ? rounds * period : 1;
  }
  steps = std::move(folded);
}

}  // namespace ranklint
