// Whether every rank of a job comes to a place: in its function, or in one that calls it, all communicate, and no
// condition that speaks of a rank, and no option under which no ranks are set up, lies around the place or around one
// of the calls that lead there.
//
// Such a condition is one on which ranks part, or one that is named like it (`is_main`, `state["rank"]`): where a name
// says so, the place is taken for one of some ranks.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analyzer/program/call_places.h"
#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"
#include "rules/finding.h"

namespace ranklint {

struct Shared;  // analyzer/project/shared.h

struct PlaceInFunction {
  FunctionKey function;
  SourceRange range;
};

struct ReachedByAll {
  PlaceInFunction together;            // where all ranks communicate
  std::vector<PlaceInFunction> calls;  // from there to the place, outermost first
};

class EveryRank {
 public:
  explicit EveryRank(const Query& in) : in_(in) {}

  // Nothing: some ranks may stay away, nothing shows that all come, or the path that is used there is named after a
  // rank, made of something that is, or of what a loop goes over.
  std::optional<ReachedByAll> at(FunctionKey f, ProgramPoint place, ir::ExprId path);

 private:
  using Parameters = std::set<int>;  // of a function, of which a path is made

  // Nothing: a rank's name is part of it.
  std::optional<Parameters> parameters_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  std::optional<ReachedByAll> at(const Summary& s, ProgramPoint place, const Parameters& path,
                                 std::set<FunctionKey>& seen);
  std::optional<ReachedByAll> by_call(const CallPlace& call, FunctionKey callee, const Parameters& path,
                                      std::set<FunctionKey>& seen);
  std::optional<Parameters> made_of(const CallPlace& call, FunctionKey callee, const Parameters& path) const;
  bool is_kept_of_rank(const FunctionCode& code, ir::ExprId e) const;
  std::span<const CallPlace> calls_of(FunctionKey f);
  bool starts_ranks(const FunctionCode& code) const;
  bool names_element(const FunctionCode& code, const std::set<Symbol>& names) const;
  bool asks_for_job(const FunctionCode& code, ValueId condition, ir::BlockId branch) const;
  bool is_without_job(const Summary& s, ir::BlockId block) const;
  bool is_left_to_some(FunctionKey f, int depth);
  bool is_guarded(const Summary& s, ir::BlockId block) const;
  bool tests_rank(const FunctionCode& code, ir::ExprId condition, ProgramPoint at) const;
  bool mentions_rank(const FunctionCode& code, ir::ExprId e) const;
  std::optional<SourceRange> met_by_all(const Summary& s, int depth) const;
  bool is_met_in(const Step& step, int depth) const;

  const Query& in_;
  std::optional<CallPlaces> places_;  // once they are asked for
};

// Says in a finding which calls lead there, and where all ranks communicate.
void add_way(Finding& finding, const Shared& shared, const ReachedByAll& reached);

}  // namespace ranklint
