#include "analyzer/execution/implied.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "analyzer/execution/wrapped_when.h"
#include "analyzer/program/wrapped_models.h"
#include "analyzer/questions/contexts.h"

namespace ranklint {
namespace {

constexpr uint32_t kAfterAll = UINT32_MAX;  // steps of a block
constexpr size_t kMostWays = 8;
constexpr int kMostBlocks = 100;  // that are passed on the ways, each time that one is

// The ways from a branch to a block that it dominates, as the condition under which one of them is taken.
class WaysBetween {
 public:
  WaysBetween(const Query& query, Frames& frames, Scenario& scenario, FrameId frame, ir::BlockId branch, ir::BlockId to)
      : in_(query),
        frames_(frames),
        scenario_(scenario),
        frame_(frame),
        summary_(*frames[frame].summary),
        code_(query.index().function(summary_.function)),
        branch_(branch),
        to_(to) {}

  // Invalid: there are too many ways, or others.
  ValueId condition() {
    std::vector<ValueId> taken;
    std::vector<ir::BlockId> passed;
    if (!go_on(branch_, taken, passed) || ways_.empty()) return {};
    return in_.values().conjunction(false, ways_);
  }

 private:
  // False: the ways from here are not known.
  bool go_on(ir::BlockId block, std::vector<ValueId>& taken, std::vector<ir::BlockId>& passed) {
    if (block == to_) {
      ways_.push_back(in_.values().conjunction(true, taken));
      return ways_.size() <= kMostWays;
    }
    if (std::ranges::find(passed, block) != passed.end()) return true;  // one more round
    if (++blocks_ > kMostBlocks || code_.blocks[block].handler != code_.blocks[branch_].handler) return false;
    passed.push_back(block);
    const std::vector<ir::BlockId> sides = FlowGraph::successors(code_.blocks[block]);
    const ir::Terminator& end = code_.blocks[block].terminator;
    const bool asks = end.kind == ir::TerminatorKind::Branch && !end.is_loop && sides.size() == 2;
    const ValueId asked = asks ? residual(block) : ValueId{};
    bool is_known = true;
    for (const ir::BlockId side : sides) {
      if (asked.valid()) taken.push_back(side == sides.front() ? asked : in_.values().negate(asked));
      is_known = is_known && go_on(side, taken, passed);
      if (asked.valid()) taken.pop_back();
    }
    passed.pop_back();
    return is_known;
  }

  ValueId residual(ir::BlockId block) {
    const ValueId asked = frames_.in_root(frame_, summary_.blocks[block.index].condition);
    return asked.valid() ? scenario_.residual(asked) : asked;
  }

  const Query& in_;
  Frames& frames_;
  Scenario& scenario_;
  FrameId frame_;
  const Summary& summary_;
  const ir::Function& code_;
  ir::BlockId branch_, to_;
  std::vector<ValueId> ways_;
  int blocks_ = 0;
};

}  // namespace

// At a collective of a wrapped model: what must hold for it to be one.
static std::vector<ValueId> holds_if_wrapped(const Query& query, Frames& frames, Scenario& scenario,
                                             const Position& at) {
  const BlockSteps& block = frames[at.frame].summary->blocks[at.block.index];
  if (at.step >= block.steps.size() || !block.steps[at.step].event) return {};
  // Its own function knows the class of the object best; the terms are put into the root's afterwards.
  const ValueId model = model_called(query, block.steps[at.step].call.callee);
  std::vector<ValueId> holds = model.valid() ? holds_where_wrapped(query, model) : std::vector<ValueId>();
  for (ValueId& term : holds) term = scenario.residual(frames.in_root(at.frame, term));
  return holds;
}

bool is_of_bare_model(const Query& query, Frames& frames, Scenario& scenario, const Position& at) {
  return std::ranges::any_of(holds_if_wrapped(query, frames, scenario, at),
                             [&](ValueId term) { return query.values().truth(term) == ValueStore::Truth::No; });
}

// Whether the assertion reads what other functions, or other calls of this one, give values.
static bool reads_shared_variable(const ProjectIndex& index, FunctionKey key, const ir::Instruction& assertion) {
  const ModuleKey module = index.functions()[key].module;
  const ir::Function& f = index.function(key);
  return ir::any_part(f, assertion.value, [&](ir::ExprId part) {
    if (f.exprs[part].kind == ir::ExprKind::Attribute) return own_attribute(index, key, part).valid();
    return f.exprs[part].kind == ir::ExprKind::Name && f.kind != ir::FunctionKind::Module &&
           !SymbolTable::is_temporary(f.exprs[part].symbol) &&
           index.resolve(module, f, part).kind == Entity::Kind::Variable;
  });
}

// Whether a rank goes on after an assertion that does not hold by what is known of it here.
static bool may_go_on(const Query& query, const Summary& s, ProgramPoint at, ValueId asserted) {
  const ValueStore& values = query.values();
  const ProjectIndex& index = query.index();
  const auto counts_ranks = [&](ValueId part) {
    return values[part].kind == ValueKind::Size || values[part].kind == ValueKind::SizeIn;
  };
  return values.find_part(asserted, counts_ranks).valid() ||
         reads_shared_variable(index, s.function,
                               index.function(s.function).blocks[at.block].instructions[at.instruction]) ||
         !Contexts(index, s).open_at(at).empty();
}

std::vector<ValueId> asserted_before(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                     ir::BlockId reached) {
  const Summary& s = *frames[at.frame].summary;
  const ir::Function& f = query.index().function(s.function);
  const BlockSteps& block = s.blocks[at.block.index];
  const uint32_t end = at.step < block.steps.size() ? query.site(block.steps[at.step].site).instruction : UINT32_MAX;
  std::vector<ValueId> all;
  const ir::BlockId handler = f.blocks[at.block].handler;
  if (handler.valid() && f.blocks[reached].handler != handler) return all;
  for (const auto& [instruction, asserted] : block.asserted) {
    if (instruction >= end) continue;
    const ValueId whole = frames.in_root(at.frame, asserted);
    const ValueId holds = scenario.residual(whole);
    const bool is_denied = query.values().truth(holds) == ValueStore::Truth::No;
    if (!is_denied || !may_go_on(query, s, {at.block, instruction}, whole)) all.push_back(holds);
  }
  return all;
}

std::vector<TermLiteral> implied_at(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                    uint8_t viewer) {
  std::vector<ValueId> estimated, known;
  if (!at.at_end()) known = holds_if_wrapped(query, frames, scenario, at);
  for (Position p = at; p.frame.valid(); p = frames.after_call(p.frame)) {
    if (p.frame != at.frame) --p.step;  // the call, and not where it goes on
    std::ranges::copy(asserted_before(query, frames, scenario, p, p.block), std::back_inserter(known));
    const Summary& summary = *frames[p.frame].summary;
    const ir::Function& f = query.index().function(summary.function);
    ir::BlockId below = p.block;
    for (ir::BlockId above = summary.graph().dominator(below); above.valid();
         above = summary.graph().dominator(below)) {
      const ir::Terminator& end = f.blocks[above].terminator;
      const bool decides =
          end.kind == ir::TerminatorKind::Branch && !end.is_loop && summary.graph().join(above) != below;
      const ValueId taken =
          decides ? WaysBetween(query, frames, scenario, p.frame, above, below).condition() : ValueId{};
      if (taken.valid()) estimated.push_back(taken);
      const Position whole{.frame = p.frame, .block = above, .step = kAfterAll};
      std::ranges::copy(asserted_before(query, frames, scenario, whole, p.block), std::back_inserter(known));
      below = above;
    }
  }
  std::vector<TermLiteral> implied;
  // What a branch asks that the walk did not is estimated, and an answer that is known shows the estimate to be wrong.
  // What was asserted, and under what a model is wrapped, is no estimate: where it does not hold no rank comes here.
  for (const ValueId term : estimated)
    if (query.values().truth(term) == ValueStore::Truth::Unknown) implied.push_back({term, true, viewer});
  for (const ValueId term : known)
    if (query.values().truth(term) != ValueStore::Truth::Yes) implied.push_back({term, true, viewer});
  return implied;
}

}  // namespace ranklint
