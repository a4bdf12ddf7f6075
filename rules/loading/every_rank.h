// Whether every rank of a job comes to a place: in its function, or in one that calls it, all communicate, or it is a
// hook that a trainer calls on every rank, and no condition that speaks of a rank, and no option under which no ranks
// are set up, lies around the place or around one of the calls that lead there.
//
// Such a condition is one on which ranks part, or one that is named like it (`is_main`, `state["rank"]`): where a name
// says so, the place is taken for one of some ranks. A condition on what a function is given is put in the terms of its
// callers, and the rules that ask have to watch for the ways to the calls that they ask about ("...<writes-file>").
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"
#include "rules/finding.h"
#include "rules/loading/rank_names.h"
#include "rules/loading/ways_to_calls.h"

namespace ranklint {

struct Shared;  // analyzer/project/shared.h

struct PlaceInFunction {
  FunctionKey function;
  SourceRange range;
};

struct ReachedByAll {
  PlaceInFunction all_get_here;        // where all ranks communicate, or the name of a hook that all run
  std::vector<PlaceInFunction> calls;  // from there to the place, outermost first
};

class EveryRank {
 public:
  explicit EveryRank(const Query& in) : in_(in) {}

  const WaysToCalls& ways() const { return ways_; }

  // Nothing: some ranks may stay away, nothing shows that all come, or the path that is used there is named after a
  // rank, made of something that is, or of what a loop goes over. Its value is put in the terms of the calls that
  // lead there, and must not differ by the rank either.
  std::optional<ReachedByAll> at(FunctionKey f, ProgramPoint place, ir::ExprId path, ValueId value);
  // The same where no path is used.
  std::optional<ReachedByAll> at(FunctionKey f, ProgramPoint place);

  // Whether some ranks alone come to the block from its function: by a condition, by a part of one, or where the
  // process of others has ended.
  bool is_guarded(const Summary& s, ir::BlockId block) const;
  // Whether all that call the function do so on some ranks only.
  bool is_left_to_some(FunctionKey f) { return is_left_to_some(f, 0); }
  // Whether a folder that is made there only if missing was made before on every rank, there or by every caller.
  bool is_made_before(const Summary& s, ProgramPoint place, ValueId folder);
  // Whether the call sets up a process group of one rank, where the function is called with `given`; null: that is not
  // known.
  bool sets_up_one_rank(const Call& call, const Binding* given) const;

 private:
  static constexpr int kMostCallsBetween = 6;  // from where all get to the place, and from there to what communicates

  // What has to hold, or not to hold, so that a rank comes to the place; in the terms of one function.
  struct Condition {
    ValueId value;
    std::optional<bool> holds;  // nothing: it is a part of a choice, and another part may lead there
  };
  using Conditions = std::vector<Condition>;
  // Of the place, in the terms of a function that leads there.
  struct Wanted {
    RankNames::Parameters path;  // what it is made of
    ValueId value;               // of the path; invalid: it is not known
    Conditions conditions;
  };
  std::optional<ReachedByAll> at(const Summary& s, ProgramPoint place, Wanted wanted, std::set<FunctionKey>& seen);
  std::optional<ReachedByAll> by_call(const WayToCall& way, Wanted wanted, std::set<FunctionKey>& seen);
  std::optional<RankNames::Parameters> made_of(const WayToCall& way, const RankNames::Parameters& path) const;
  bool differs_by_rank(ValueId path) const;
  bool lets_one_go_first(const Summary& s, ProgramPoint place) const;
  std::vector<FunctionKey> with_callers(std::vector<FunctionKey> functions, size_t most);
  bool is_prepared_by_one(const Summary& s, ProgramPoint place);
  bool is_made_once(const Summary& s, ProgramPoint place) const;
  bool prepares_by_one(const Summary& s, const std::vector<const WayToCall*>& ways) const;
  bool waits_for_all(const Step& step, int depth) const;
  void add_conditions(const Summary& s, ir::BlockId block, Conditions& all) const;
  std::optional<Wanted> seen_from(const WayToCall& way, Wanted wanted) const;
  bool is_open_to_all(const Conditions& conditions) const;
  bool starts_ranks(FunctionKey f, int depth) const;
  bool finds_start(FunctionKey f, int depth) const;
  bool asks_for_job(const FunctionCode& code, ValueId condition, ir::BlockId branch) const;
  bool leaves_job(const Summary& s, const FunctionCode& code, ir::BlockId from, ir::BlockId to) const;
  bool is_without_job(const Summary& s, ir::BlockId block) const;
  bool is_left_to_some(FunctionKey f, int depth);
  bool callers_make(FunctionKey f, ValueId folder, int depth);
  bool makes_before(const Summary& s, ProgramPoint place, ValueId folder) const;
  std::vector<std::pair<Site, ValueId>> folders_made_in(FunctionKey f) const;
  bool find_guard(const Summary& s, ir::BlockId block) const;
  // Of one function.
  struct NamedRanks {
    std::set<ir::BlockId> branches;  // on what is named like a rank
    std::vector<ir::BlockId> ends;   // where the process of some ranks ends
  };
  const NamedRanks& named_ranks_in(const Summary& s) const;
  std::optional<SourceRange> hook_of_trainer(FunctionKey f) const;
  // `given`: what the function is called with; null: that is not known.
  std::optional<SourceRange> met_by_all(const Summary& s, int depth, const Binding* given) const;
  bool is_met_in(const Summary& s, ir::BlockId block, const Step& step, int depth, const Binding* given) const;

  const Query& in_;
  const RankNames names_{in_};
  const WaysToCalls ways_{in_};
  mutable std::map<std::pair<FunctionKey, ir::BlockId>, bool> guarded_;  // those that were asked for
  mutable std::map<FunctionKey, NamedRanks> named_ranks_;
  mutable std::map<std::pair<FunctionKey, int>, bool> starts_ranks_;  // by how many calls were followed already
};

// Says in a finding which calls lead there, and where all ranks communicate.
void add_way(Finding& finding, const Shared& shared, const ReachedByAll& reached);

}  // namespace ranklint
