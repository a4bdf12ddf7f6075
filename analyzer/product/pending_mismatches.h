// What comparisons found, until every caller has been checked.
//
// Where one class of ranks waits at a collective and the other reaches the end of the function, the function alone
// can't decide: its caller may make the matching call on the other side (the barrier-pair idiom cut in two). Such a
// function is "open": callers enter it, and the finding stands unless they meet the divergence and see both classes
// agree after all.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "analyzer/product/check_order.h"
#include "analyzer/product/lockstep.h"

namespace ranklint {

struct FoundMismatch {
  Mismatch mismatch;
  FunctionKey root;  // from which it was found
};

// What the comparisons of one function found. Plain data: it holds no terms of the query.
class FoundInFunction {
 public:
  // `replays`: each mismatch is to say what every rank does.
  explicit FoundInFunction(bool replays) : replays_(replays) {}

  // `root` is where the comparison began: the function, or the wrapper that its decorator makes of it. How many
  // mismatches there are: a walk that ran out of budget counts as one.
  size_t keep(const Query& in, FunctionKey root, const World& world, LockstepResult result);
  void confirm(const Query& in, FunctionKey root, const World& world, const DivergencePlace& at, Mismatch mismatch,
               const DecisionTrace& trace);
  // The roots from which something was found that depends on their callers.
  const std::set<FunctionKey>& open() const { return open_; }

 private:
  friend class PendingMismatches;
  using Found = std::vector<std::pair<DivergencePlace, FoundMismatch>>;
  FoundMismatch found(const Query& in, FunctionKey root, const World& world, Mismatch mismatch,
                      const DecisionTrace& trace) const;

  bool replays_;
  Found pending_, confirmed_;
  std::set<FunctionKey> open_;
  std::set<std::pair<DivergencePlace, FunctionKey>> divergences_;
};

class PendingMismatches {
 public:
  PendingMismatches(const Query& query, const CheckOrder& order) : in_(query), order_(order) {}

  // Forgets what was found, not which functions are open.
  void clear();
  void add(FoundInFunction found);
  void open(const std::set<FunctionKey>& roots) { open_.insert(roots.begin(), roots.end()); }
  bool is_open(FunctionKey f) const { return open_.contains(f); }
  // Adds those that stand, one of each place, with the best witness.
  void resolve(std::vector<Mismatch>& reported);

 private:
  bool is_senders_own(const FoundMismatch& p);
  bool is_handed_on_one_way(FunctionKey nested, std::string_view op);
  bool calls_as_one_way(FunctionKey caller, FunctionKey callee, std::string_view op);
  bool holds_for_callers(uint32_t root, const DivergencePlace& guard, std::map<uint32_t, bool>& known);
  bool survives_callers(uint32_t root, const DivergencePlace& guard, std::map<uint32_t, bool>& known);

  const Query& in_;
  const CheckOrder& order_;
  std::set<FunctionKey> open_;
  std::map<DivergencePlace, std::vector<FoundMismatch>> pending_, confirmed_;
  std::map<DivergencePlace, std::set<uint32_t>> divergences_;
};

}  // namespace ranklint
