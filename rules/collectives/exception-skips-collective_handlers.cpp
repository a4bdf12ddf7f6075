// Handlers that take one rank past a collective, or into one (RL106).
//
// An operation that fails by what this rank alone has (a file, the network, its memory, its batch) stands in a `try`,
// and
//   - a collective follows it there, and the handler goes on without one: the others wait in the collective;
//   - or both stand in a function that is called there;
//   - or the collective stands after the `try`, and the handler leaves the function or the round before it;
//   - or the collective stands after the `try`, and a branch before it tests what the handler has set (`ok = False`);
//   - or the handler communicates, and the path without a failure does not: the failed rank waits there.
#include <algorithm>
#include <map>

#include "analyzer/program/handed.h"
#include "analyzer/questions/local_failures.h"
#include "analyzer/questions/memory_errors.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/variance/simplify_under.h"
#include "rules/collectives/exception-skips-collective.h"

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
    for (const auto& [head, blocks] : guarded) {
      ir::BlockId at = head;
      for (size_t n = 0; n < code.ir.blocks.size() && code.ir.blocks[at].terminator.kind == ir::TerminatorKind::Except;
           ++n) {
        handlers.push_back({code.ir.blocks[at].terminator.successors[0], blocks});
        at = code.ir.blocks[at].terminator.successors[1];
      }
      // `except:` takes all: nothing is asked before it.
      if (const ir::Block& last = code.ir.blocks[at];
          last.instructions.empty() && last.terminator.kind == ir::TerminatorKind::Jump)
        at = last.terminator.successors[0];
      handlers.push_back({at, blocks});
    }
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

  bool tells_members_apart(const Summary& s, ir::BlockId guard, const Communication& c) const {
    const std::optional<AxisSet> group = in_.resolve_group(c.group, Unknown::Nothing);
    return !group || overlap(in_.values().variance(s.blocks[guard.index].condition), *group);
  }

  void check(const Summary& s, const FunctionCode& code, const Handler& handler) {
    const ir::Instruction& caught = code.ir.blocks[handler.block].instructions[0];
    const Failure wanted = takes_out_of_memory(in_, code, handler.block) ? Failure::OutOfMemory : Failure::Any;
    // Where some ranks alone enter the `try`, the others do not wait in it.
    const ir::BlockId entered_by = rank_guard_of(in_, s, handler.guarded.front());
    const std::optional<Communication> inside = first_in_region(s, code, handler.block);
    const bool knows_failures = wanted == Failure::Any && raises_some(code, handler.block);
    if (!knows_failures && !entered_by.valid() && goes_on(s, code, handler.block) && !inside &&
        check_callees(s, code, handler, wanted))
      return;
    ProgramPoint failure;
    if (!find_failure(s, code, handler, wanted, failure)) {
      if (find_failing_callee(code, handler, failure) && !inside && goes_on(s, code, handler.block))
        if (const std::optional<Communication> skipped = after_try(s, code, handler, failure))
          return keep(code, caught.range, failure, *skipped, false);
      if (wanted == Failure::Any) check_shared_file(s, code, handler);
      return;
    }
    if (!inside) {
      std::optional<Communication> skipped = after_failure(s, code, handler, failure);
      if (skipped && entered_by.valid() && tells_members_apart(s, entered_by, *skipped)) skipped.reset();
      if (!skipped) skipped = after_try(s, code, handler, failure);
      if (skipped && goes_on(s, code, handler.block)) keep(code, caught.range, failure, *skipped, false);
    } else if (!after(s, code, handler, *inside)) {
      keep(code, caught.range, failure, *inside, true);
    }
  }

  // A file that all ranks read is there for all or for none, unless each node has a disk of its own.
  void check_shared_file(const Summary& s, const FunctionCode& code, const Handler& handler) {
    ProgramPoint failure;
    if (!find_failure(s, code, handler, Failure::SharedFile, failure) || !goes_on(s, code, handler.block) ||
        first_in_region(s, code, handler.block))
      return;
    std::optional<Communication> skipped = after_failure(s, code, handler, failure);
    if (!skipped) skipped = after_try(s, code, handler, failure);
    if (!skipped) return;
    const SourceRange read = code.ir.blocks[failure.block].instructions[failure.instruction].range;
    skipped->certainty.doubt({Reason::AlikeOnRanks, {code.key, read}});
    keep(code, code.ir.blocks[handler.block].instructions[0].range, failure, *skipped, false);
  }

  // Whether a function that is called fails beside its communication.
  bool check_callees(const Summary& s, const FunctionCode& code, const Handler& handler, Failure wanted) {
    for (ir::BlockId b : handler.guarded)
      for (const Step& step : s.blocks[b.index].steps) {
        const ProgramPoint at{b, in_.site(step.site).instruction};
        std::optional<Communication> left = left_by_failure(in_, step, wanted);
        if (!left && wanted == Failure::Any && may_take_data(code, handler) && works_on_batch(in_, s, code, at))
          left = left_by_failure(in_, step, Failure::Pass);
        if (left) return keep(code, code.ir.blocks[handler.block].instructions[0].range, at, *left, false), true;
      }
    return false;
  }

  bool find_failure(const Summary& s, const FunctionCode& code, const Handler& handler, Failure wanted,
                    ProgramPoint& failure) {
    for (ir::BlockId b : handler.guarded) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (fails_locally(in_, s, code, {b, i}, wanted)) return failure = {b, i}, true;
    }
    return wanted == Failure::Any && find_failing_batch(s, code, handler, failure);
  }

  // Whether data may be to blame for what the handler takes: what the code itself lacks it lacks on all ranks.
  bool may_take_data(const FunctionCode& code, const Handler& handler) {
    const ir::Instruction& caught = code.ir.blocks[handler.block].instructions[0];
    const std::string kind =
        caught.value.valid() ? in_.index().dotted(code.module, code.ir, caught.value) : std::string();
    return !in_.roles().play(kind, Role::RaisedByCode);
  }

  bool find_failing_batch(const Summary& s, const FunctionCode& code, const Handler& handler, ProgramPoint& failure) {
    if (!may_take_data(code, handler)) return false;
    for (ir::BlockId b : handler.guarded)
      for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size(); ++i)
        if (fails_over_batch(in_, s, code, {b, i})) return failure = {b, i}, true;
    return false;
  }

  bool find_failing_callee(const FunctionCode& code, const Handler& handler, ProgramPoint& failure) {
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

  // Where the ways meet that the block lies on one of: `if rank == 0: save()`, and what follows.
  static std::set<ir::BlockId> joins_after(const FunctionCode& code, ir::BlockId block) {
    std::set<ir::BlockId> joins;
    for (ir::BlockId at = code.graph().join(block); at.valid(); at = code.graph().join(at)) {
      if (code.graph().position(at) < code.graph().position(block)) break;
      joins.insert(at);
    }
    return joins;
  }

  // The first collective of the try body that a rank without the failure reaches after it.
  std::optional<Communication> after_failure(const Summary& s, const FunctionCode& code, const Handler& handler,
                                             ProgramPoint failure) {
    const std::set<ir::BlockId> joins = joins_after(code, failure.block);
    for (ir::BlockId b : handler.guarded) {
      if (!code.graph().dominates(failure.block, b) && !joins.contains(b)) continue;
      for (const Step& step : s.blocks[b.index].steps) {
        if (b == failure.block && in_.site(step.site).instruction <= failure.instruction) continue;
        if (ends_context_too(s, code, failure, step)) continue;
        if (std::optional<Communication> found = communication_of(in_, step)) return found;
      }
    }
    return std::nullopt;
  }

  // Whether the step is what a context manager does at its end, and does when the failure leaves it, too: `__exit__`,
  // or what a generator has after a `yield` in a `try`.
  static bool ends_context_too(const Summary& s, const FunctionCode& code, ProgramPoint failure, const Step& step) {
    const ir::BlockId head = code.ir.blocks[failure.block].handler;
    return head.valid() && unwinds(code, head) &&
           std::ranges::any_of(s.blocks[head.index].steps, [&](const Step& unwinding) {
             return unwinding.call.callee == step.call.callee && unwinding.call.part == step.call.part;
           });
  }

  // The first collective after the `try` that every rank without a failure reaches, and the handler does not before
  // it leaves the function or the round. A handler around it might be where it goes.
  std::optional<Communication> after_try(const Summary& s, const FunctionCode& code, const Handler& handler,
                                         ProgramPoint failure) {
    if (code.ir.blocks[handler.block].handler.valid()) return std::nullopt;
    const std::set<ir::BlockId> handled = forward(s, code, handler);
    std::set<ir::BlockId> seen;
    for (ir::BlockId at = code.graph().join(failure.block); at.valid() && seen.insert(at).second;) {
      if (std::ranges::find(handler.guarded, at) != handler.guarded.end()) {
        at = code.graph().join(at);
        continue;
      }
      if (code.graph().position(at) < code.graph().position(failure.block)) return std::nullopt;
      const bool meets = handled.contains(at);
      for (const Step& step : s.blocks[at.index].steps) {
        if (step.leaves) return std::nullopt;
        if (std::optional<Communication> found = communication_of(in_, step))
          return meets ? std::nullopt : std::move(found);
      }
      const std::optional<bool> failed = answer_after(s, code, handler, at);
      at = meets && failed ? code.ir.blocks[at].terminator.successors[*failed ? 1 : 0] : code.graph().join(at);
    }
    return std::nullopt;
  }

  // Which way the branch of the block goes for a rank that has come through the handler, where that follows from what
  // the handler sets: `if ok:`, `if y is not None:`. The others go the other way.
  std::optional<bool> answer_after(const Summary& s, const FunctionCode& code, const Handler& handler, ir::BlockId at) {
    ValueStore& values = in_.values();
    const ValueId condition = s.blocks[at.index].condition;
    if (code.ir.blocks[at].terminator.kind != ir::TerminatorKind::Branch || !condition.valid()) return std::nullopt;
    const ValueId came = values.find_part(condition, [&](ValueId part) {
      const Site* site = in_.made_at(part);
      return site && site->why == Site::Why::ExceptionCame && site->function == s.function &&
             code.graph().dominates(handler.block, site->block);
    });
    if (!came.valid()) return std::nullopt;
    const ValueStore::Truth failed = SimplifyUnder(values, came, true).truth(condition),
                            whole = SimplifyUnder(values, came, false).truth(condition);
    if (failed == ValueStore::Truth::Unknown || failed == whole) return std::nullopt;
    return failed == ValueStore::Truth::Yes;
  }

  // The blocks that the handler leads to in this round of the loops around it, and those after these loops.
  std::set<ir::BlockId> forward(const Summary& s, const FunctionCode& code, const Handler& handler) {
    const ir::BlockId from = handler.block;
    std::set<ir::BlockId> seen{from};
    std::vector<ir::BlockId> work{from};
    const auto go_to = [&](ir::BlockId next) {
      if (seen.insert(next).second) work.push_back(next);
    };
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      const std::optional<bool> answer = answer_after(s, code, handler, b);
      for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[b])) {
        if (answer && next != code.ir.blocks[b].terminator.successors[*answer ? 0 : 1]) continue;
        const bool ends_round = code.graph().is_loop_header(next) && code.graph().dominates(next, b);
        if (!ends_round) {
          go_to(next);
          continue;
        }
        const auto& round = code.graph().loop_blocks(next);
        for (ir::BlockId following : FlowGraph::successors(code.ir.blocks[next]))
          if (std::ranges::find(round, following) == round.end()) go_to(following);
      }
    }
    return seen;
  }

  std::optional<Communication> first_in_region(const Summary& s, const FunctionCode& code, ir::BlockId top) {
    for (ir::BlockId b : code.graph().order())
      if (code.graph().dominates(top, b))
        for (const Step& step : s.blocks[b.index].steps)
          if (std::optional<Communication> found = communication_of(in_, step)) return found;
    return std::nullopt;
  }

  // Whether the handler goes on only for some of what it caught: `if not isinstance(e, Skipped): raise`, `assert e.args
  // == ...`.
  static bool raises_some(const FunctionCode& code, ir::BlockId top) {
    const auto asserts = [](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Assert; };
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      const ir::Block& block = code.ir.blocks[b];
      return code.graph().dominates(top, b) &&
             (block.terminator.kind == ir::TerminatorKind::Raise || std::ranges::any_of(block.instructions, asserts));
    });
  }

  // Whether the handler can be left without raising and without ending the process. What it raises may be caught by a
  // handler around it, which is asked the same.
  bool goes_on(const Summary& s, const FunctionCode& code, ir::BlockId top) {
    std::set<ir::BlockId> tops;
    for (ir::BlockId next = top; next.valid() && tops.insert(next).second;) {
      ir::BlockId raised_to;
      if (leaves_normally(s, code, next, raised_to)) return true;
      next = raised_to;
    }
    return false;
  }

  // Whether it calls a function of the project that never comes to its end: one that adds something and raises again.
  bool raises_in_callee(const FunctionCode& code, const ir::Block& block) {
    return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
      const FunctionKey callee =
          i.kind == ir::InstructionKind::Call ? named_callee(in_.index(), code.key, i).function : FunctionKey{};
      return callee.valid() && std::ranges::all_of(replacing(callee), [&](FunctionKey f) { return never_ends(f); });
    });
  }

  // The function, and those of derived classes that may be meant by its name: `raise NotImplementedError` of a base
  // says nothing of them.
  std::vector<FunctionKey> replacing(FunctionKey f) const {
    const ClassKey owner = in_.index().functions()[f].owner;
    if (!owner.valid()) return {f};
    return in_.index().find_methods(owner,
                                    in_.index().name(in_.index().functions()[f].module, in_.index().function(f).name));
  }

  bool never_ends(FunctionKey callee) {
    const Summary* s = in_.summary(in_its_place(callee));
    if (!s) return false;
    const ir::Function& f = in_.index().function(s->function);
    return !f.is_generator && !f.is_async && std::ranges::none_of(s->graph().order(), [&](ir::BlockId b) {
      return f.blocks[b].terminator.kind == ir::TerminatorKind::Return;
    });
  }

  // The same without the handlers around; `raised_to` becomes one that catches what is raised on the way.
  bool leaves_normally(const Summary& s, const FunctionCode& code, ir::BlockId top, ir::BlockId& raised_to) {
    std::set<ir::BlockId> seen{top};
    std::vector<ir::BlockId> work{top};
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      if (!code.graph().dominates(top, b)) return true;
      const auto& steps = s.blocks[b.index].steps;
      if (std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.leaves; })) continue;
      const ir::Block& block = code.ir.blocks[b];
      if (raises_in_callee(code, block)) {
        if (block.handler.valid()) raised_to = block.handler;
        continue;
      }
      if (block.terminator.kind == ir::TerminatorKind::Return) return true;
      if (block.terminator.kind == ir::TerminatorKind::Raise && block.handler.valid()) raised_to = block.handler;
      for (ir::BlockId next : block.terminator.successors)
        if (next.valid() && seen.insert(next).second) work.push_back(next);
    }
    return false;
  }

  // Whether the path without a failure communicates the same somewhere, in the try or after it.
  bool after(const Summary& s, const FunctionCode& code, const Handler& handler, const Communication& wanted) {
    std::set<ir::BlockId> seen(handler.guarded.begin(), handler.guarded.end());
    std::vector<ir::BlockId> work = handler.guarded;
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      for (const Step& step : s.blocks[b.index].steps)
        if (const std::optional<Communication> found = communication_of(in_, step);
            found && found->model->op == wanted.model->op)
          return true;
      for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[b]))
        if (!code.graph().dominates(handler.block, next) && seen.insert(next).second) work.push_back(next);
    }
    return false;
  }

  void keep(const FunctionCode& code, SourceRange range, ProgramPoint failure, const Communication& communication,
            bool in_handler) {
    OneRankFailure fact;
    fact.function = code.key;
    fact.range = range;
    const ir::Block& failing = code.ir.blocks[failure.block];
    const bool asks = failure.instruction >= failing.instructions.size();  // `if x.ready`: a property
    fact.failure = asks ? failing.terminator.range : failing.instructions[failure.instruction].range;
    fact.collective = communication.place;
    fact.kind = in_handler ? OneRankFailure::Kind::InHandler : OneRankFailure::Kind::Skipped;
    fact.op = communication.model->op;
    fact.group = group_name(in_, communication);
    fact.certainty = lower_of(Confidence::Likely, communication.certainty);
    found_.push_back(std::move(fact));
  }

  const Query& in_;
  std::vector<OneRankFailure> found_;
};

}  // namespace

std::vector<OneRankFailure> caught_on_one_rank(const Query& in) { return CaughtOnOneRank(in).run(); }

}  // namespace ranklint::exception_skips_collective
