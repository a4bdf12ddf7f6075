#include "analyzer/execution/execution.h"

#include <algorithm>
#include <optional>

#include "analyzer/flow/reached.h"
#include "analyzer/ir/equal.h"
#include "analyzer/variance/ranges.h"

namespace ranklint {
namespace {

using Truth = ValueStore::Truth;

// The name of what the block raises: `raise X`, `raise X(...)`.
ir::ExprId raised_name(const ir::Function& f, const ir::Block& block) {
  if (block.terminator.kind != ir::TerminatorKind::Raise) return {};
  const ir::ExprId value = block.terminator.value;
  for (const ir::Instruction& i : block.instructions)
    if (i.kind == ir::InstructionKind::Call && i.target.valid() && ir::same_tree(f, i.target, value)) return i.value;
  return value;
}

// Where the exception enters the handler: past its question, if that names just what the block raises.
ir::BlockId catches(const ir::Function& f, ir::BlockId raising, ir::BlockId handler) {
  const ir::Terminator& question = f.blocks[handler].terminator;
  const ir::ExprId raised = raised_name(f, f.blocks[raising]);
  if (!raised.valid() || f.exprs[raised].kind != ir::ExprKind::Name || question.kind != ir::TerminatorKind::Except)
    return handler;
  return ir::same_tree(f, question.value, raised) && f.blocks[handler].instructions.empty() ? question.successors[0]
                                                                                            : handler;
}

// Whether an expression names exceptions that are narrower than `Exception`: `ValueError`, `(OSError,
// torch.cuda.OutOfMemoryError)`. A variable may hold any; an imported name is taken for a class.
bool is_narrow(const Query& in, FunctionKey key, ir::ExprId e) {
  const ir::Function& f = in.index().function(key);
  const ir::Expr& expr = f.exprs[e];
  if (expr.kind == ir::ExprKind::Tuple)
    return std::ranges::all_of(ir::children(f, e), [&](ir::ExprId one) { return is_narrow(in, key, one); });
  if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return false;
  const ModuleKey module = in.index().functions()[key].module;
  const Entity named = in.index().resolve(module, f, e);
  const bool is_variable =
      named.kind == Entity::Kind::Variable ||
      (expr.kind == ir::ExprKind::Name && bound_names(in.index(), key).contains(in.index().name(module, expr.symbol)));
  return !is_variable && !in.roles().play(in.index().dotted(module, f, e), Role::AnyException);
}

// How a function is left on the ways from a block.
struct WaysOut {
  bool returns = false;
  ir::BlockId raising = {};  // one that raises, past all handlers where there is such a one
};

WaysOut ways_out(const ir::Function& f, ir::BlockId from) {
  WaysOut out;
  reached_from({from}, [&](ir::BlockId at) {
    const ir::Block& block = f.blocks[at];
    out.returns |= block.terminator.kind == ir::TerminatorKind::Return;
    if (block.terminator.kind == ir::TerminatorKind::Raise && (!out.raising.valid() || !block.handler.valid()))
      out.raising = at;
    return FlowGraph::successors(block);
  });
  return out;
}

// Whether a loop over it is known to go round at all.
bool surely_has_some(const ValueStore& values, const ProjectIndex& index, ValueId iterable) {
  if (values[iterable].kind == ValueKind::Tuple) return values[iterable].child_count > 0;
  const std::optional<NumberRange> range = range_of(values, index, iterable);
  return range && range->size() > 0;
}

}  // namespace

Transition Execution::next(const Position& at, Ask ask) {
  const Step* step = frames_.step_at(at);
  return step ? of_step(at, *step) : of_end(at, ask);
}

Transition Execution::of_step(const Position& at, const Step& step) {
  using Kind = Transition::Kind;
  Transition move{.to = at, .step = &step, .range = step.range};
  move.to.pass_step();
  if (step.yields) {
    move.kind = Kind::HandsOver;
    move.to.silent = false;
    if (frames_[at.frame].part == Call::Part::UntilYield) move.to = frames_.after_call(at.frame);
  } else if (step.ending == Ending::Function) {
    move.kind = Kind::Raises;
    move.to = raised_from(at);
  } else if (step.ending == Ending::Job) {
    move.kind = Kind::NeverReturns;
    move.to = {};
  } else if (step.ending != Ending::None) {
    move.kind = step.ending == Ending::Communication ? Kind::TearsDown : Kind::Leaves;
    move.to = {};
  } else if (!at.silent && frames_.relevant(at.frame, step)) {
    const bool sends = step.transfer || step.waits;
    const bool is_sure = step.event && (at.admitted || !step.guard.valid());
    move.kind = is_sure ? Kind::Communicates : sends ? Kind::SendsMessage : Kind::Calls;
    if (move.kind == Kind::Calls) move.targets = frames_.relevant_targets(at.frame, step);
  }
  return move;
}

Transition Execution::of_end(const Position& at, Ask ask) {
  using Kind = Transition::Kind;
  const ir::Terminator& end = code(at.frame).blocks[at.block].terminator;
  switch (end.kind) {
    case ir::TerminatorKind::Jump: return {.kind = Kind::Jumps, .to = side(at, 0), .range = end.range};
    case ir::TerminatorKind::Return:
      return {.kind = Kind::Returns, .to = frames_.after_call(at.frame), .range = end.range};
    case ir::TerminatorKind::Raise: return {.kind = Kind::Raises, .to = raised_from(at), .range = end.range};
    case ir::TerminatorKind::Unreachable: return {.kind = Kind::NeverReturns, .to = {}, .range = end.range};
    case ir::TerminatorKind::Branch:
    case ir::TerminatorKind::Iterate:
    case ir::TerminatorKind::Except: break;
  }
  return of_question(at, end, ask);
}

Transition Execution::of_question(const Position& at, const ir::Terminator& end, Ask ask) {
  const ValueId condition = frames_.in_root(at.frame, frames_[at.frame].summary->blocks[at.block.index].condition);
  const bool exits_count =
      ask == Ask::WhereExitsCount || (ask == Ask::WhereRanksDiffer && in_.values().diverges(condition));
  if (ask != Ask::Always && !frames_.decides(at.frame, at.block, exits_count)) {
    Transition move = over(at);
    move.condition = condition;
    return move;
  }
  return {.kind = Transition::Kind::Asks,
          .to = at,
          .condition = condition,
          .is_loop = end.is_loop,
          .iterates = end.kind == ir::TerminatorKind::Iterate,
          .range = end.range};
}

// Past a branch on which nothing depends.
Transition Execution::over(const Position& at) const {
  const ir::BlockId join = frames_[at.frame].summary->graph().join(at.block);
  if (join.valid()) return {.kind = Transition::Kind::Skips, .to = come_to(at, join)};
  const WaysOut out = ways_out(code(at.frame), at.block);
  if (out.returns) return {.kind = Transition::Kind::Skips, .to = frames_.after_call(at.frame)};
  if (!out.raising.valid()) return {.kind = Transition::Kind::NeverReturns, .to = {}};
  Position raising = at;
  raising.block = out.raising;
  return {.kind = Transition::Kind::Raises,
          .to = raised_from(raising),
          .range = code(at.frame).blocks[out.raising].terminator.range};
}

Position Execution::raised_from(Position at) const {
  const bool is_widest = raises_widest(at);
  if (const ir::BlockId handler = handler_for(at, is_widest); handler.valid())
    return come_to(at, catches(code(at.frame), at.block, handler));
  for (at = frames_.after_call(at.frame); !at.at_end(); at = frames_.after_call(at.frame))
    if (const ir::BlockId handler = handler_for(at, is_widest); handler.valid()) return come_to(at, handler);
  return at;
}

// `raise Exception("...")`: a handler for a narrower one does not take it.
bool Execution::raises_widest(const Position& at) const {
  const ir::ExprId raised = raised_name(code(at.frame), code(at.frame).blocks[at.block]);
  const FunctionKey f = frames_[at.frame].summary->function;
  return raised.valid() &&
         in_.roles().play(in_.index().dotted(in_.index().functions()[f].module, code(at.frame), raised),
                          Role::AnyException);
}

// The nearest handler around that may take what the block raises; invalid: none in the function. Those for narrower
// exceptions are passed over if `is_widest`.
ir::BlockId Execution::handler_for(const Position& at, bool is_widest) const {
  const ir::Function& f = code(at.frame);
  ir::BlockId handler = f.blocks[at.block].handler;
  const auto passes = [&](const ir::Block& block) {
    return block.instructions.empty() &&
           (block.terminator.kind == ir::TerminatorKind::Except
                ? is_narrow(in_, frames_[at.frame].summary->function, block.terminator.value)
                : block.terminator.kind == ir::TerminatorKind::Raise && !block.terminator.value.valid());
  };
  while (is_widest && handler.valid() && passes(f.blocks[handler])) {
    const ir::Terminator& end = f.blocks[handler].terminator;
    handler = end.kind == ir::TerminatorKind::Except ? end.successors[1] : f.blocks[handler].handler;
  }
  return handler;
}

Position Execution::side(const Position& at, uint32_t successor) const {
  return come_to(at, code(at.frame).blocks[at.block].terminator.successors[successor]);
}

bool Execution::take(RankState& rank, uint32_t successor, ValueId more) {
  const Position from = rank.at;
  const bool is_counted = more.valid() && another_round(rank, more) != Truth::Unknown;
  if (is_counted && successor == 0)
    rank.rounds.begin(from.frame, from.block, (from.entering ? 0 : *rank.rounds.begun(from.frame, from.block)) + 1);
  const ir::BlockId next = code(from.frame).blocks[from.block].terminator.successors[successor],
                    after = past_sure_entry(from, next);
  if (after != next) rank.rounds.begin(from.frame, next, 1);
  rank.at = come_to(from, after);
  return is_counted;
}

Truth Execution::another_round(const RankState& rank, ValueId more) const {
  const Position& p = rank.at;
  const auto turns = constant_turns(in_.values(), in_.index(), more);
  if (!turns || *turns > Rounds::kMostCounted) return Truth::Unknown;
  const auto begun = p.entering ? 0 : rank.rounds.begun(p.frame, p.block);
  return !begun ? Truth::Unknown : *begun < *turns ? Truth::Yes : Truth::No;
}

// At the head of a `for` a rank is on the way in, unless it arrives by a back edge.
Position Execution::come_to(const Position& from, ir::BlockId block) const {
  const bool enters = code(from.frame).blocks[block].terminator.kind == ir::TerminatorKind::Iterate &&
                      !frames_[from.frame].summary->graph().dominates(block, from.block);
  return {from.frame, block, 0, from.silent, enters};
}

// Where one comes to on the way to a block: past the head of a loop that surely goes round once.
ir::BlockId Execution::past_sure_entry(const Position& from, ir::BlockId to) {
  const Summary& s = *frames_[from.frame].summary;
  if (!come_to(from, to).entering || !s.blocks[to.index].steps.empty()) return to;
  const ValueId more = frames_.in_root(from.frame, s.blocks[to.index].condition);
  const ValueStore& values = in_.values();
  const bool is_sure =
      more.valid() && values[more].child_count == 1 && surely_has_some(values, in_.index(), values.child(more, 0));
  return is_sure ? code(from.frame).blocks[to].terminator.successors[0] : to;
}

}  // namespace ranklint
