// Abstract interpretation of functions, one at a time, callees first and on demand.
//
// A function is run once over its blocks in flow order with an environment from places to values. Where paths
// meet, a place whose values differ becomes a conditional on the branch where they diverged, so a value keeps its
// exact form through control flow; in loops a place that changes becomes a loop phi. Each call is resolved
// (dispatch.cpp), contributes its callee's result with the arguments put in, and is kept as a step when
// it may communicate. Nothing iterates to a fixed point but loops (at most four runs): recursion meets an
// unfinished summary and takes the result for unknown.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include "analyzer/interp/sites.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class FunctionRun;

class Interpreter final : public SummarySource {
 public:
  Interpreter(const ProjectIndex& index, const Models& models, int deepest_call = Query::kDeepestCall);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Of what has been made. A question may ask for a summary that is not made yet: then it is made.
  Query& query() { return query_; }
  const Query& query() const { return query_; }

  // The functions to judge: all, until there are overlays.
  FunctionRange functions_to_check() const override {
    return {first_to_check_, static_cast<uint32_t>(state_.size()), wanted_.empty() ? nullptr : &wanted_, &stop_};
  }
  // Once it is asked to stop no function is judged any more and none is run.
  void stop_when(std::stop_token stop) { stop_ = std::move(stop); }
  bool is_stopped() const override { return stop_.stop_requested(); }
  // The index has an overlay, its last module (ProjectIndex::add_overlay). Only its functions are checked from now on
  // (by ir::FunctionId; empty: all), and calls of a function of `original` enter the overlay's of the same name. Each
  // of the overlay's other functions has a twin of the same name and code in `original`, which is called in its place.
  void take_overlay(ModuleKey original, std::vector<bool> wanted);

  // Made where it is not there yet; null while it is being made (recursion) or when calls nest too deeply.
  const Summary* summary(FunctionKey f) override;
  // Null where it is not made to its end.
  const Summary* finished(FunctionKey f) const override {
    return state_[f.index] == Made::Whole ? summaries_[f.index].get() : nullptr;
  }
  ValueId given_by_now(FunctionKey f, Symbol name) const override;
  // The same, for code that completes them.
  Summary* unfinished(FunctionKey f) { return state_[f.index] == Made::Whole ? summaries_[f.index].get() : nullptr; }
  // From now on nothing is known of the function.
  void give_up(FunctionKey f);
  const std::set<FunctionKey>& given_up() const { return given_up_; }
  // From now on summaries keep what each instruction gives its targets (Summary::assigned).
  void keep_assigned_values() { keeps_assigned_values_ = true; }
  // Calls of these names are noted from now on.
  void watch(const std::vector<std::string>& names);
  const Watched& watched() const override { return watched_; }
  // Notes the calls that lead to such ones, out of the calls of the functions to check.
  void note_ways(const SitesOfFunctions& sites);
  size_t unresolved_calls() const { return unresolved_calls_; }

  // Called where a stage of a function begins, from the thread that runs it (AnalysisOptions::probe).
  using Probe = std::function<void(std::string_view stage, std::string_view function)>;
  void probe_with(Probe probe) { probe_ = std::move(probe); }
  void begins(std::string_view stage, std::string_view function) const override {
    if (probe_) probe_(stage, function);
  }

 private:
  friend class FunctionRun;

  enum class Made : uint8_t { Not, InProgress, Whole };

  Summary run(FunctionKey f);
  // Of a function that is not followed to its end: it does nothing and returns something unknown.
  Summary nothing_known(FunctionKey f);

  const ProjectIndex& index_;
  const int deepest_call_;
  Program program_;
  Query query_;
  std::vector<std::unique_ptr<Summary>> summaries_;
  std::vector<Made> state_;
  std::map<FunctionKey, const FunctionRun*> running_;
  uint32_t first_to_check_ = 0;
  std::vector<bool> wanted_;  // of those from the first on; empty: all
  std::stop_token stop_;
  Probe probe_;
  std::set<FunctionKey> given_up_;
  bool keeps_assigned_values_ = false;
  Watched watched_;
  size_t unresolved_calls_ = 0;
  size_t cut_seen_ = 0;
};

}  // namespace ranklint
