// Collectives that are given a variable which only some ranks have given a value: on the others its name is not bound,
// and they fail where the first ones wait.
#include <algorithm>
#include <optional>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/ir/shared_variable.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/summary/is_call.h"
#include "rules/wording.h"

namespace ranklint::unbound_on_other_ranks {

constexpr RuleInfo kInfo{.id = "unbound-on-other-ranks",
                         .code = "RL118",
                         .summary = "a collective is given a variable that only some ranks have",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the other ranks fail",
                         .premise = "ranks that the condition keeps out come to the call as well"};

namespace {

struct Unbound {
  FunctionKey function;
  SourceRange range;
  SourceRange bound;   // where some ranks give it a value
  SourceRange branch;  // that decides which
  std::string name, operation;
  Assurance certainty = Confidence::Likely;
};

class UnboundNames {
 public:
  explicit UnboundNames(const Query& in) : in_(in) {}

  std::vector<Unbound> run() {
    each_step(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      const FunctionCode code(in_.index(), s);
      const uint32_t at = in_.site(step.site).instruction;
      const bool is_written = at < code.ir.blocks[b].instructions.size() &&
                              code.ir.blocks[b].instructions[at].kind == ir::InstructionKind::Call;
      // Where a name has to be bound before it is read, it says what it holds before that.
      if (!is_written || !code.text.has(ir::Convention::DeclaresNoTypes) || code.ir.blocks[b].handler.valid()) return;
      if (!names_variable(code, {b, at})) return;
      const std::optional<Communication> communication = communication_of(in_, step);
      if (communication && is_of_all(step, *communication) && !rank_guard_of(in_, s, b).valid() &&
          !some_have_left(s, b))
        check(s, code, {b, at}, step, *communication);
    });
    return std::move(found_);
  }

 private:
  static bool names_variable(const FunctionCode& code, ProgramPoint at) {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    return std::ranges::any_of(ir::arguments(code.ir, call), [&](const ir::Argument& a) {
      return code.ir.exprs[a.value].kind == ir::ExprKind::Name && is_own(code, code.ir.exprs[a.value].symbol);
    });
  }

  // What a call communicates may go to a part of the ranks; all of them make the call.
  bool is_of_all(const Step& step, const Communication& communication) const {
    const std::optional<AxisSet> group = in_.resolve_group(communication.group, Unknown::Nothing);
    return is_call(step) ? !step.call.implicit : group && group->world;
  }

  void check(const Summary& s, const FunctionCode& code, ProgramPoint at, const Step& step,
             const Communication& communication) {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const ir::Expr& given = code.ir.exprs[a.value];
      if (given.kind != ir::ExprKind::Name || !is_own(code, given.symbol)) continue;
      const Reaching reaching = code.reaching(given.symbol, at);
      if (!reaching.entry || reaching.definitions.empty()) continue;
      const ir::BlockId guard = guard_of_all(s, code.ir, reaching);
      if (!guard.valid()) continue;
      const Definition& bound = reaching.definitions.front();
      found_.push_back({.function = code.key,
                        .range = step.range,
                        .bound = bound.instruction ? bound.instruction->range : step.range,
                        .branch = code.ir.blocks[guard].terminator.range,
                        .name = std::string(code.text.text(given.symbol)),
                        .operation = collective_text(communication.model->op, group_name(in_, communication)),
                        .certainty = lower_of(Confidence::Likely, communication.certainty)});
      return;
    }
  }

  // Whether the process of some ranks ends before the block.
  bool some_have_left(const Summary& s, ir::BlockId block) const {
    return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
      return s.graph().position(b) < s.graph().position(block) && ends_process(s.blocks[b.index]) &&
             rank_guard_of(in_, s, b).valid();
    });
  }

  // A variable of the function alone that it is not given.
  static bool is_own(const FunctionCode& code, Symbol name) {
    // `from settings import *` may bind any of a file's.
    if (code.ir.kind == ir::FunctionKind::Module && imports_all(code)) return false;
    return code.parameter(name) < 0 && !SymbolTable::is_unnamed(code.text.text(name)) &&
           !is_shared_variable(code.text, code.ir, [name](Symbol s) { return s == name; });
  }

  static bool imports_all(const FunctionCode& code) {
    return ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Import && i.name.valid() && code.text.text(i.name) == "*";
    });
  }

  // The branch on the rank of which one side has each place that gives it a value. Invalid: one of them has none,
  // another, or lies on the other side.
  ir::BlockId guard_of_all(const Summary& s, const ir::Function& f, const Reaching& reaching) const {
    const ir::BlockId first = reaching.definitions.front().place.block;
    const ir::BlockId guard = rank_guard_of(in_, s, first);
    const bool is_one =
        guard.valid() && std::ranges::all_of(reaching.definitions, [&](const Definition& d) {
          return rank_guard_of(in_, s, d.place.block) == guard && !s.graph().loop_around(d.place.block).valid() &&
                 side_of_branch(s.graph(), f, guard, d.place.block) == side_of_branch(s.graph(), f, guard, first);
        });
    return is_one ? guard : ir::BlockId{};
  }

  const Query& in_;
  std::vector<Unbound> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Unbound& unbound : UnboundNames(in).run()) {
    if (!is_reported(shared, unbound.function) || is_run_through(shared, unbound.function)) continue;
    Finding finding = finding_at(kInfo, shared, unbound.function, unbound.range, unbound.certainty);
    finding.message = unbound.operation + " is given `" + unbound.name +
                      "`, which only some ranks have given a value: the others fail here, and these wait for them";
    finding.help = "give `" + unbound.name + "` a value on the other ranks, too";
    finding.related.push_back({location_at(shared, unbound.function, unbound.branch), "ranks diverge here"});
    finding.related.push_back(
        {location_at(shared, unbound.function, unbound.bound), "some ranks give it a value here"});
    finding.fingerprint_key = unbound.name;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unbound_on_other_ranks
