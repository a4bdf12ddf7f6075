// Ranks that raise over what only they have checked, while the others go on to a collective (RL106).
//
// One rank checks for all, and does not report the result:
//
//     if rank == 0:
//         if os.path.exists(path): raise FileExistsError(path)
//     dist.barrier()
//
// Only a `raise` that is written out, or an exit, also of a function that always exits, under a guard on the rank, and
// over what that rank alone sees: a file, the clock, or an exception of which a handler under the guard makes another.
// An exception that is re-raised after some cleaning up was not caught. A cause that all ranks share (an option that is
// missing) ends them all in the same place, mostly. The others must be certain to reach a collective, and the rank that
// raises must not have informed them before.
#include <algorithm>

#include "analyzer/product/after_failure.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/variance/terms.h"
#include "rules/collectives/exception-skips-collective.h"

namespace ranklint::exception_skips_collective {
namespace {

class UncaughtOnOneRank {
 public:
  explicit UncaughtOnOneRank(const Query& query) : in_(query), values_(query.values()) {}

  std::vector<OneRankFailure> run() {
    in_.for_each_function_to_check("lone raises", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || !s->communicates) return;
      const FunctionCode code(in_.index(), *s);
      for (ir::BlockId b : code.graph().order()) {
        if (code.ir.blocks[b].handler.valid()) continue;
        if (raises(code, b)) check(*s, code, b, code.ir.blocks[b].terminator.range, false);
        // `sys.exit()`: of a process that says that it has failed the launcher ends the others.
        for (const Step& step : s->blocks[b.index].steps)
          if (step.ending == Ending::ProcessDone || step.ending == Ending::Function)
            check(*s, code, b, step.range, step.ending == Ending::ProcessDone);
      }
    });
    return std::move(found_);
  }

 private:
  // `raise X`; not what a handler passes on as it came, with its name or without.
  static bool raises(const FunctionCode& code, ir::BlockId b) {
    const ir::Terminator& end = code.ir.blocks[b].terminator;
    return end.kind == ir::TerminatorKind::Raise && end.value.valid() && !is_caught_above(code, b, end.value);
  }

  static bool is_caught_above(const FunctionCode& code, ir::BlockId b, ir::ExprId raised) {
    if (code.ir.exprs[raised].kind != ir::ExprKind::Name) return false;
    for (ir::BlockId at = b; at.valid(); at = code.graph().dominator(at)) {
      const auto& instructions = code.ir.blocks[at].instructions;
      if (instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch) continue;
      const ir::ExprId caught = instructions[0].target;
      return caught.valid() && code.ir.exprs[caught].kind == ir::ExprKind::Name &&
             code.ir.exprs[caught].symbol == code.ir.exprs[raised].symbol;
    }
    return false;
  }

  void check(const Summary& s, const FunctionCode& code, ir::BlockId raising, SourceRange at, bool exits) {
    if (!at.known()) return;
    ir::BlockId guard, side;
    find_guard(s, code, raising, guard, side);
    std::string reason;
    if (!guard.valid() || !looked_alone(s, code, side, raising, reason) || tells(s, code, side, raising)) return;
    const ir::Terminator& parts = code.ir.blocks[guard].terminator;
    const bool holds = side == parts.successors[0];
    const std::optional<LeftAlone> waiting = left_alone_after(in_, s, LoneExit{.branch = guard, .holds = holds});
    if (!waiting) return;
    OneRankFailure fact;
    fact.kind = OneRankFailure::Kind::Raised;
    fact.function = code.key;
    fact.range = fact.failure = at;
    fact.collective = waiting->place;
    fact.guard = parts.range;
    fact.holds = holds;
    fact.reason = std::move(reason);
    fact.exits = exits;
    fact.op = waiting->op;
    fact.group = describe(waiting->group, in_.index().names());
    fact.certainty = lower_of(Confidence::Likely, waiting->certainty);
    found_.push_back(std::move(fact));
  }

  // The innermost branch on the rank that decides whether the block is reached, and its side that leads there.
  void find_guard(const Summary& s, const FunctionCode& code, ir::BlockId block, ir::BlockId& guard,
                  ir::BlockId& side) const {
    for (side = block; side.valid(); side = code.graph().dominator(side))
      for (const ir::BlockId before : code.graph().predecessors(side)) {
        const ValueId condition = s.blocks[before.index].condition;
        if (code.ir.blocks[before].terminator.kind != ir::TerminatorKind::Branch || !condition.valid()) continue;
        if (values_[condition].local || (!values_[condition].exact && !values_[condition].believed)) continue;
        if (values_.variance(condition).empty() || !only_from(s, code, before, side)) continue;
        guard = before;
        return;
      }
  }

  // Whether the side is reached from the guard alone: `if not initialised or rank == 0` gets there from two tests, one
  // of which never holds.
  bool only_from(const Summary& s, const FunctionCode& code, ir::BlockId guard, ir::BlockId side) const {
    const auto& before = code.graph().predecessors(side);
    return std::all_of(before.begin(), before.end(), [&](ir::BlockId b) {
      const ir::Terminator& end = code.ir.blocks[b].terminator;
      if (b == guard || end.kind != ir::TerminatorKind::Branch) return b == guard;
      const ValueStore::Truth taken = values_.truth(s.blocks[b.index].condition);
      return taken != ValueStore::Truth::Unknown && end.successors[taken == ValueStore::Truth::Yes ? 0 : 1] != side;
    });
  }

  // Whether it raises over what it sees by itself, at once: `reason` says what, and stays empty for an exception.
  bool looked_alone(const Summary& s, const FunctionCode& code, ir::BlockId side, ir::BlockId raising,
                    std::string& reason) const {
    for (ir::BlockId at = raising;; at = code.graph().dominator(at)) {
      const auto& instructions = code.ir.blocks[at].instructions;
      if (!instructions.empty() && instructions[0].kind == ir::InstructionKind::Catch)
        return !is_about_imports(code, instructions[0]) && !is_about_the_program(code, at);
      if (at != raising && decides(code, at)) return looks(s.blocks[at.index].condition, reason);
      if (at == side) return false;
    }
  }

  static bool decides(const FunctionCode& code, ir::BlockId at) {
    const ir::TerminatorKind kind = code.ir.blocks[at].terminator.kind;
    return kind == ir::TerminatorKind::Branch || kind == ir::TerminatorKind::Iterate;
  }

  // What is not installed is installed nowhere.
  bool is_about_imports(const FunctionCode& code, const ir::Instruction& caught) const {
    return caught.value.valid() &&
           in_.roles().play(in_.index().dotted(code.module, code.ir, caught.value), Role::MissingModule);
  }

  // A number that a group has no member for (`get_group_rank(group, 3)`) is so on all of its ranks, and a text that is
  // no number (`float(value)`) comes from the program, on all of them. `handler`: the one that caught it.
  bool is_about_the_program(const FunctionCode& code, ir::BlockId handler) const {
    bool asks = false;
    for (const ir::Block& block : code.ir.blocks) {
      if (!block.handler.valid() || !code.graph().dominates(block.handler, handler)) continue;
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call) continue;
        if (!plays(in_, code, i, Role::AsksGroup) && !plays(in_, code, i, Role::Converts)) return false;
        asks = true;
      }
    }
    return asks;
  }

  bool looks(ValueId condition, std::string& reason) const {
    if (!condition.valid() || !values_[condition].local) return false;
    const auto [source, word] = seen_alone(values_, in_.index(), condition);
    reason = word;
    return source == LocalSource::FileSystem || source == LocalSource::OwnFile || source == LocalSource::Clock;
  }

  // Whether the rank communicates under the guard before it raises.
  bool tells(const Summary& s, const FunctionCode& code, ir::BlockId side, ir::BlockId raising) {
    for (ir::BlockId at = raising;; at = code.graph().dominator(at)) {
      for (const Step& step : s.blocks[at.index].steps)
        if (communication_of(in_, step)) return true;
      if (at == side) return false;
    }
  }

  const Query& in_;
  ValueStore& values_;
  std::vector<OneRankFailure> found_;
};

}  // namespace

std::vector<OneRankFailure> uncaught_on_one_rank(const Query& in) { return UncaughtOnOneRank(in).run(); }

}  // namespace ranklint::exception_skips_collective
