#include "analyzer/interp/interpreter.h"

#include <utility>

#include "analyzer/base/current_work.h"
#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/interp/function_run.h"

namespace ranklint {

Interpreter::Interpreter(const ProjectIndex& index, const Models& models, int deepest_call)
    : index_(index),
      deepest_call_(deepest_call),
      program_(index, models),
      query_(program_, *this, deepest_call),
      summaries_(index.functions().size()),
      state_(index.functions().size(), Made::Not) {}

void Interpreter::take_overlay(ModuleKey original, std::vector<bool> wanted) {
  const ModuleKey overlay{static_cast<uint32_t>(index_.modules().size() - 1)};
  // Of the overlay before, which stands for nothing any more.
  const auto is_gone = [first = first_to_check_](FunctionKey f) { return first > 0 && f.index >= first; };
  std::erase_if(watched_.ways, [&](const auto& way) { return is_gone(way.first.function); });
  std::erase_if(watched_.leading, is_gone);
  first_to_check_ = index_.key(overlay, ir::FunctionId{0}).index;
  wanted_ = std::move(wanted);
  summaries_.resize(index_.functions().size());
  state_.resize(index_.functions().size(), Made::Not);
  query_.allow_work();
  watched_.calls.clear();
  program_.take_overlay(original, functions_to_check());
}

const Summary* Interpreter::summary(FunctionKey f) {
  Query::Asking& asking = query_.asking_;
  if (state_[f.index] == Made::Whole) return summaries_[f.index].get();
  if (state_[f.index] == Made::InProgress) ++asking.in_the_making;
  if (state_[f.index] == Made::InProgress || is_stopped()) return nullptr;
  if (asking.depth >= deepest_call_) {
    if (asking.running.valid()) query_.note_incomplete(asking.running, IncompleteReason::DeepCalls);
    return nullptr;
  }
  state_[f.index] = Made::InProgress;
  const bool is_whole = query_.contain(f, "summary", [&] {
    require_stack_room();
    ++asking.depth;
    const FunctionKey caller = std::exchange(asking.running, f);
    summaries_[f.index] = std::make_unique<Summary>(run(f));
    asking.running = caller;
    --asking.depth;
  });
  if (!is_whole) give_up(f);
  state_[f.index] = Made::Whole;
  if (query_.values().cut() != cut_seen_) query_.note_incomplete(f, IncompleteReason::DeepTerms);
  cut_seen_ = query_.values().cut();
  return summaries_[f.index].get();
}

Summary Interpreter::run(FunctionKey f) {
  struct Running {
    Interpreter& maker;
    FunctionKey function;
    ~Running() { maker.running_.erase(function); }
  };
  FunctionRun run(*this, f);
  const Running running{*this, f};
  running_[f] = &run;
  return run.run();
}

ValueId Interpreter::given_by_now(FunctionKey f, Symbol name) const {
  const auto run = running_.find(f);
  return run == running_.end() ? ValueId{} : run->second->given_by_now(name);
}

Summary Interpreter::nothing_known(FunctionKey f) {
  const ir::Function& function = index_.function(f);
  Summary summary(f, function);
  const auto unknown = [&](ir::BlockId block) {
    const SiteId site = query_.intern_site({.function = f, .block = block, .why = Site::Why::NotFollowed});
    return query_.values().leaf(ValueKind::Opaque, site.index);
  };
  summary.blocks.resize(function.blocks.size());
  for (const ir::BlockId block : summary.graph().order())
    if (FlowGraph::successors(function.blocks[block]).size() > 1)
      summary.blocks[block.index].condition = unknown(block);
  summary.result = unknown(ir::BlockId{0});
  return summary;
}

void Interpreter::give_up(FunctionKey f) {
  const WorkLimit none(UINT64_MAX);  // the caller may have nothing left
  summaries_[f.index] = std::make_unique<Summary>(nothing_known(f));
  given_up_.insert(f);
}

}  // namespace ranklint
