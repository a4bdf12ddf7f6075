// What comparisons found, until every caller has been judged.
//
// Where one class of ranks waits at a collective and the other reaches the end of the function, the function alone
// can't tell: its caller may make the matching call on the other side (the barrier-pair idiom cut in two). Such a
// function is "open": callers enter it, and the finding stands unless they meet the parting and see both classes agree
// after all.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "analyzer/compare/lockstep.h"

namespace ranklint {

struct FoundMismatch {
  Mismatch mismatch;
  FunctionKey root;  // from which it was found
  Way way;
  std::shared_ptr<const World> world;
};

// Says of the mismatch what every rank of its world does.
void add_replay(Interpreter& interpreter, Mismatch& mismatch, const FoundMismatch& from);

class KeptMismatches {
 public:
  // `replays`: each mismatch that is told is to say what every rank does.
  KeptMismatches(Interpreter& interpreter, bool replays) : in_(interpreter), replays_(replays) {}

  // Forgets what was found, not who calls whom.
  void clear();
  void note_caller(FunctionKey callee, FunctionKey caller) { callers_[callee.index].insert(caller.index); }
  // How many mismatches there are. A walk that ran out of budget counts as one.
  size_t keep(const Summary& s, const std::shared_ptr<const World>& world, LockstepResult result);
  void confirm(const PartingPlace& at, FoundMismatch found) { confirmed_[at].push_back(std::move(found)); }
  bool is_open(FunctionKey f) const { return open_.count(f.index) != 0; }
  // Adds those that stand, one of each place, with the best witness.
  void settle(std::vector<Mismatch>& told);

 private:
  bool is_senders_own(const FoundMismatch& p);
  bool calls_by_choice(FunctionKey caller, FunctionKey callee);
  bool stands(uint32_t root, const PartingPlace& guard, std::map<uint32_t, bool>& known);
  bool survives_callers(uint32_t root, const PartingPlace& guard, std::map<uint32_t, bool>& known);

  Interpreter& in_;
  const bool replays_;
  std::map<uint32_t, std::set<uint32_t>> callers_;
  std::set<uint32_t> open_;
  std::map<PartingPlace, std::vector<FoundMismatch>> pending_, confirmed_;
  std::map<PartingPlace, std::set<uint32_t>> parted_;
};

}  // namespace ranklint
