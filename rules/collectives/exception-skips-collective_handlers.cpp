// Handlers that take one rank past a collective, or into one (RL106).
//
// An operation that fails by what this rank alone has (a file, the network, its memory, its batch) stands in a `try`,
// and
//   - a collective follows it there, and the handler goes on without one: the others wait in the collective;
//   - or both stand in a function that is called there;
//   - or the collective stands after the `try`, and the handler leaves the function or the round before it, or sets
//     what a branch before it tests (`ok = False`);
//   - or the handler communicates, and the path without a failure does not: the failed rank waits there.
//
// What happens from the handler on is not judged here: the two ranks are walked side by side (after_failure.h).
#include <algorithm>
#include <functional>
#include <map>

#include "analyzer/product/after_failure.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/collectives/exception-skips-collective.h"
#include "rules/collectives/local_failures.h"
#include "rules/collectives/memory_errors.h"

namespace ranklint::exception_skips_collective {
namespace {

// A handler of a `try`, and the blocks it protects.
struct Handler {
  ir::BlockId block;                 // its body, which begins with the Catch
  std::vector<ir::BlockId> guarded;  // in flow order
};

class CaughtOnOneRank {
 public:
  explicit CaughtOnOneRank(const Query& query) : in_(query) {}

  std::vector<OneRankFailure> run() {
    in_.for_each_function_to_check("swallowed failures", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || !s->communicates) return;
      const FunctionCode code(in_.index(), *s);
      for (const Handler& handler : handlers_of(code)) check(*s, code, handler);
    });
    return std::move(found_);
  }

 private:
  std::vector<Handler> handlers_of(const FunctionCode& code) {
    std::map<ir::BlockId, std::vector<ir::BlockId>> guarded;
    for (ir::BlockId b : code.graph().order())
      for (ir::BlockId head = code.ir.blocks[b].handler; head.valid(); head = around_context(code, head))
        guarded[head].push_back(b);
    std::vector<Handler> handlers;
    for (const auto& [head, blocks] : guarded)
      for (const ir::BlockId body : handler_bodies(code, head)) handlers.push_back({body, blocks});
    std::erase_if(handlers, [&](const Handler& h) {
      const auto& instructions = code.ir.blocks[h.block].instructions;
      return instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch || unwinds(code, h.block) ||
             takes_interruptions(code, instructions[0]);
    });
    return handlers;
  }

  // What a `with` does on the way of an exception, which it raises again.
  static bool unwinds(const FunctionCode& code, ir::BlockId block) {
    const auto& instructions = code.ir.blocks[block].instructions;
    return instructions.size() > 1 && instructions[1].kind == ir::InstructionKind::ExitWith;
  }

  // The handler that an exception reaches after such a `with`. Invalid: the handler is another one, or none is there.
  static ir::BlockId around_context(const FunctionCode& code, ir::BlockId head) {
    return unwinds(code, head) ? code.ir.blocks[head].handler : ir::BlockId{};
  }

  // `except KeyboardInterrupt:` takes no failure, and an interrupt stops all ranks of a job.
  bool takes_interruptions(const FunctionCode& code, const ir::Instruction& caught) {
    return caught.value.valid() &&
           in_.roles().play(in_.index().dotted(code.module, code.ir, caught.value), Role::Interrupts);
  }

  void check(const Summary& s, const FunctionCode& code, const Handler& handler) {
    const Failure wanted = takes_out_of_memory(in_, code, handler.block) ? Failure::OutOfMemory : Failure::Any;
    if (check_callees(s, code, handler, wanted)) return;
    ProgramPoint failure;
    if (find_failure(s, code, handler, wanted, failure) || find_failing_callee(code, handler, failure))
      check_ways(s, code, handler, failure, {});
    else if (wanted == Failure::Any && find_failure(s, code, handler, Failure::SharedFile, failure))
      check_ways(s, code, handler, failure, Reason::AlikeOnRanks);
  }

  // Whether the rank that has failed and the others part.
  void check_ways(const Summary& s, const FunctionCode& code, const Handler& handler, ProgramPoint failure,
                  std::optional<Reason> doubt) {
    const std::optional<LeftAlone> left = left_alone_after(in_, s, handled(code, handler, failure, false));
    if (!left || (!left->failed_waits && some_alone_enter(s, handler, *left))) return;
    OneRankFailure fact = failure_of(code, handler, failure);
    fact.collective = left->place;
    fact.kind = left->failed_waits ? OneRankFailure::Kind::InHandler : OneRankFailure::Kind::Skipped;
    fact.guard = left->asked;
    fact.holds = left->holds;
    fact.op = left->op;
    fact.group = describe(left->group, in_.index().names());
    fact.certainty = lower_of(Confidence::Likely, left->certainty);
    if (doubt) fact.certainty.doubt({*doubt, {code.key, fact.failure}});
    found_.push_back(std::move(fact));
  }

  static HandledFailure handled(const FunctionCode& code, const Handler& handler, ProgramPoint failure, bool within) {
    const ir::BlockId reached = code.ir.blocks[failure.block].handler;
    return {.failed = failure,
            .handler = reached.valid() && unwinds(code, reached) ? reached : handler.block,
            .takes_over = handler.block,
            .within = within};
  }

  // Where some ranks alone enter the `try`, the others do not wait in it.
  bool some_alone_enter(const Summary& s, const Handler& handler, const LeftAlone& left) const {
    const ir::BlockId guard = rank_guard_of(in_, s, handler.guarded.front());
    return guard.valid() && overlap(in_.values().variance(s.blocks[guard.index].condition), left.group) &&
           std::ranges::any_of(handler.guarded, [&](ir::BlockId b) {
             return std::ranges::any_of(s.blocks[b.index].steps,
                                        [&](const Step& step) { return step.range == left.place; });
           });
  }

  // Whether a function that is called fails beside its communication, and the handler goes on without any.
  bool check_callees(const Summary& s, const FunctionCode& code, const Handler& handler, Failure wanted) {
    const bool knows_failures = wanted == Failure::Any && raises_some(s, code, handler.block);
    if (knows_failures || rank_guard_of(in_, s, handler.guarded.front()).valid() ||
        communicates_below(s, code, handler.block))
      return false;
    for (ir::BlockId b : handler.guarded)
      for (const Step& step : s.blocks[b.index].steps) {
        const ProgramPoint at{b, in_.site(step.site).instruction};
        std::optional<Communication> left = left_by_failure(in_, step, wanted);
        if (!left && wanted == Failure::Any && may_take_data(code, handler) && works_on_batch(in_, s, code, at))
          left = left_by_failure(in_, step, Failure::Pass);
        if (left && left_alone_after(in_, s, handled(code, handler, at, true)))
          return keep(code, handler, at, *left), true;
      }
    return false;
  }

  bool find_failure(const Summary& s, const FunctionCode& code, const Handler& handler, Failure wanted,
                    ProgramPoint& failure) {
    if (takes_outer_failures(code, handler))
      for (ir::BlockId b : handler.guarded) {
        const auto& instructions = code.ir.blocks[b].instructions;
        for (uint32_t i = 0; i < instructions.size(); ++i)
          if (fails_locally(in_, s, code, {b, i}, wanted)) return failure = {b, i}, true;
      }
    return wanted == Failure::Any && find_failing_batch(s, code, handler, failure);
  }

  // Whether all that the handler takes is of the kind: `except (KeyError, IndexError):`.
  bool takes_only(const FunctionCode& code, const Handler& handler,
                  const std::function<bool(const std::string&)>& is_of_kind) const {
    const ir::ExprId caught = code.ir.blocks[handler.block].instructions[0].value;
    if (!caught.valid()) return false;
    const auto is_taken = [&](ir::ExprId e) { return is_of_kind(in_.index().dotted(code.module, code.ir, e)); };
    if (code.ir.exprs[caught].kind != ir::ExprKind::Tuple) return is_taken(caught);
    return std::ranges::all_of(ir::children(code.ir, caught), is_taken);
  }

  // Whether a file, the network or the memory may be to blame for what the handler takes.
  bool takes_outer_failures(const FunctionCode& code, const Handler& handler) const {
    return !takes_only(code, handler, [&](const std::string& kind) {
      return in_.roles().play(kind, Role::RaisedByCode) || in_.roles().play(kind, Role::RaisedByValues);
    });
  }

  // Whether data may be to blame for it: what the code itself lacks it lacks on all ranks.
  bool may_take_data(const FunctionCode& code, const Handler& handler) const {
    return !takes_only(code, handler,
                       [&](const std::string& kind) { return in_.roles().play(kind, Role::RaisedByCode); });
  }

  bool find_failing_batch(const Summary& s, const FunctionCode& code, const Handler& handler, ProgramPoint& failure) {
    if (!may_take_data(code, handler)) return false;
    for (ir::BlockId b : handler.guarded)
      for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size(); ++i)
        if (fails_over_batch(in_, s, code, {b, i})) return failure = {b, i}, true;
    return false;
  }

  bool find_failing_callee(const FunctionCode& code, const Handler& handler, ProgramPoint& failure) {
    if (!takes_outer_failures(code, handler)) return false;
    for (ir::BlockId b : handler.guarded) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call && callee_fails_locally(code, instructions[i]))
          return failure = {b, i}, true;
    }
    return false;
  }

  // Of a function outside of an edit, the one that was checked before.
  FunctionKey in_its_place(FunctionKey key) {
    if (in_.functions_to_check().contains(key)) return key;
    const std::vector<Target> targets = in_.targets(in_.function_value(key));
    return targets.empty() ? key : targets.front().function;
  }

  // Whether the function of the project that is called does so in its own body, without a handler of its own.
  bool callee_fails_locally(const FunctionCode& code, const ir::Instruction& call) {
    FunctionKey key = in_.index().resolve(code.module, code.ir, call.value).function;
    const ir::Expr& callee = code.ir.exprs[call.value];
    if (callee.kind == ir::ExprKind::Attribute)
      if (const ir::Expr& base = code.ir.exprs[ir::children(code.ir, call.value)[0]]; base.kind == ir::ExprKind::Name)
        if (const ClassKey c = in_.index().class_of_self(code.key, base.symbol); c.valid())
          key = in_.index().find_method(c, in_.index().name(code.module, callee.symbol));
    const Summary* summary = key.valid() ? in_.summary(in_its_place(key)) : nullptr;
    if (!summary || summary->communicates) return false;
    const FunctionCode body(in_.index(), *summary);
    for (ir::BlockId b : body.graph().order())
      for (uint32_t i = 0; i < body.ir.blocks[b].instructions.size(); ++i)
        if (!body.ir.blocks[b].handler.valid() && fails_locally(in_, *summary, body, {b, i}, Failure::Any)) return true;
    return false;
  }

  bool communicates_below(const Summary& s, const FunctionCode& code, ir::BlockId top) {
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      return code.graph().dominates(top, b) && std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) {
               return communication_of(in_, step).has_value();
             });
    });
  }

  // Whether the handler goes on only for some of what it caught: `if not isinstance(e, Skipped): raise`, `assert e.args
  // == ...`.
  static bool raises_some(const Summary& s, const FunctionCode& code, ir::BlockId top) {
    const auto asserts = [](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Assert; };
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      const ir::Block& block = code.ir.blocks[b];
      return code.graph().dominates(top, b) &&
             (block.terminator.kind == ir::TerminatorKind::Raise || std::ranges::any_of(block.instructions, asserts) ||
              std::ranges::any_of(s.blocks[b.index].steps,
                                  [](const Step& step) { return step.ending == Ending::Function; }));
    });
  }

  OneRankFailure failure_of(const FunctionCode& code, const Handler& handler, ProgramPoint failure) const {
    OneRankFailure fact;
    fact.function = code.key;
    fact.range = code.ir.blocks[handler.block].instructions[0].range;
    const ir::Block& failing = code.ir.blocks[failure.block];
    const bool asks = failure.instruction >= failing.instructions.size();  // `if x.ready`: a property
    fact.failure = asks ? failing.terminator.range : failing.instructions[failure.instruction].range;
    return fact;
  }

  void keep(const FunctionCode& code, const Handler& handler, ProgramPoint failure,
            const Communication& communication) {
    OneRankFailure fact = failure_of(code, handler, failure);
    fact.collective = communication.place;
    fact.op = communication.model->op;
    fact.group = group_name(in_, communication);
    fact.certainty = lower_of(Confidence::Likely, communication.certainty);
    found_.push_back(std::move(fact));
  }

  const Query& in_;
  std::vector<OneRankFailure> found_;
};

}  // namespace

std::vector<ir::BlockId> handler_bodies(const FunctionCode& code, ir::BlockId head) {
  std::vector<ir::BlockId> bodies;
  ir::BlockId at = head;
  for (size_t n = 0; n < code.ir.blocks.size() && code.ir.blocks[at].terminator.kind == ir::TerminatorKind::Except;
       ++n) {
    bodies.push_back(code.ir.blocks[at].terminator.successors[0]);
    at = code.ir.blocks[at].terminator.successors[1];
  }
  // `except:` takes all: nothing is asked before it.
  if (const ir::Block& last = code.ir.blocks[at];
      last.instructions.empty() && last.terminator.kind == ir::TerminatorKind::Jump)
    at = last.terminator.successors[0];
  bodies.push_back(at);
  return bodies;
}

std::vector<OneRankFailure> caught_on_one_rank(const Query& in) { return CaughtOnOneRank(in).run(); }

}  // namespace ranklint::exception_skips_collective
