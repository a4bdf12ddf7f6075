#include "analyzer/product/divergence_check.h"

#include <algorithm>
#include <optional>

#include "analyzer/base/deep_thread.h"
#include "analyzer/product/function_check.h"

namespace ranklint {

// Pairs of positions that all functions of a project may visit before those that follow have to do with few: small
// functions are judged to the end then, too.
constexpr size_t kMostStatesOfProject = 5000000;
constexpr size_t kMostStatesOfEdit = 10000;  // of the functions that an edit touches: the user is typing

DivergenceCheck::DivergenceCheck(const Query& query, const DivergenceCheckOptions& options)
    : in_(query), options_(options), order_(in_), kept_(in_, order_) {}

// Level by level, so that the result for a function does not depend on those checked beside it.
Disagreements DivergenceCheck::run() {
  kept_.clear();
  const std::vector<CheckOrder::Entry> order = order_.put_in_order();
  std::vector<std::vector<size_t>> levels;
  for (size_t i = 0; i < order.size(); ++i) {
    const Summary* s = in_.summary(order[i].function);
    if (!s || !needs_check(in_.index(), *s)) continue;
    if (levels.size() <= order[i].level) levels.resize(order[i].level + 1);
    levels[order[i].level].push_back(i);
  }
  std::vector<std::unique_ptr<CheckedFunction>> checked(order.size());
  size_t states = 0;
  for (const std::vector<size_t>& level : levels) check_level(order, level, states, checked);
  Disagreements found;
  for (std::unique_ptr<CheckedFunction>& j : checked) {
    if (!j) continue;
    kept_.add(std::move(j->found));
    std::ranges::move(j->arguments, std::back_inserter(found.arguments));
  }
  kept_.resolve(found.mismatches);
  return found;
}

void DivergenceCheck::check_level(const std::vector<CheckOrder::Entry>& order, const std::vector<size_t>& level,
                                  size_t& states, std::vector<std::unique_ptr<CheckedFunction>>& checked) {
  const size_t most = in_.functions_to_check().first == 0 ? kMostStatesOfProject : kMostStatesOfEdit;
  const FunctionCheckOptions options{.replays = options_.replays,
                                     .may_go_far = states < most,
                                     .is_open = [&](FunctionKey f) { return kept_.is_open(f); }};
  std::vector<Query::Notes> notes(level.size());
  share_tasks(options_.threads, Query::kStack, level.size(), [&](size_t i) {
    const FunctionKey f = order[level[i]].function;
    if (in_.is_stopped()) return;
    Query view = Query::over(in_);
    checked[level[i]] =
        std::make_unique<CheckedFunction>(check_function(view, *in_.summary(f), order_.needs(f), options));
    notes[i] = view.take_notes();
  });
  for (size_t i = 0; i < level.size(); ++i) {
    const std::unique_ptr<CheckedFunction>& j = checked[level[i]];
    if (!j) continue;
    in_.add_notes(std::move(notes[i]));
    states += j->states;
    kept_.open(j->found.open());
  }
}

}  // namespace ranklint
