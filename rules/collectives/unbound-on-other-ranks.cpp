// Collectives that are given a variable which only some ranks have given a value: on the others its name is not bound,
// and they fail where the first ones wait.
#include <algorithm>

#include "analyzer/ir/shared_variable.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/rank_guard.h"
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
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      const FunctionCode code(in_.index(), s);
      const uint32_t at = in_.site(step.site).instruction;
      const bool is_call = at < code.ir.blocks[b].instructions.size() &&
                           code.ir.blocks[b].instructions[at].kind == ir::InstructionKind::Call;
      // Where a name has to be bound before it is read, it says what it holds before that.
      if (is_call && code.text.has(ir::Convention::DeclaresNoTypes) && !rank_guard_of(in_, s, b).valid())
        check(s, code, {b, at}, step);
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const FunctionCode& code, ProgramPoint at, const Step& step) {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const ir::Expr& given = code.ir.exprs[a.value];
      if (given.kind != ir::ExprKind::Name || !is_own(code, given.symbol)) continue;
      const Reaching reaching = code.reaching(given.symbol, at);
      if (!reaching.entry || reaching.definitions.empty()) continue;
      const ir::BlockId guard = guard_of_all(s, reaching);
      if (!guard.valid()) continue;
      const Definition& bound = reaching.definitions.front();
      const Model& model = *step.event->model;
      const Assurance known = model_certainty(model, {code.key, step.range});
      found_.push_back({.function = code.key,
                        .range = step.range,
                        .bound = bound.instruction ? bound.instruction->range : step.range,
                        .branch = code.ir.blocks[guard].terminator.range,
                        .name = std::string(code.text.text(given.symbol)),
                        .operation = collective_text(model.op, group_name(in_, {&model, step.event->group, known, {}})),
                        .certainty = lower_of(Confidence::Likely, known)});
      return;
    }
  }

  // A variable of the function alone that it is not given.
  static bool is_own(const FunctionCode& code, Symbol name) {
    return code.parameter(name) < 0 && !SymbolTable::is_unnamed(code.text.text(name)) &&
           !is_shared_variable(code.text, code.ir, [name](Symbol s) { return s == name; });
  }

  // The branch on the rank around each place that gives it a value. Invalid: one of them has none, or another.
  ir::BlockId guard_of_all(const Summary& s, const Reaching& reaching) const {
    const ir::BlockId first = rank_guard_of(in_, s, reaching.definitions.front().place.block);
    const bool is_one = std::ranges::all_of(reaching.definitions, [&](const Definition& d) {
      return rank_guard_of(in_, s, d.place.block) == first && !s.graph().loop_around(d.place.block).valid();
    });
    return is_one ? first : ir::BlockId{};
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
    finding.related.push_back({location_at(shared, unbound.function, unbound.branch), "ranks part here"});
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
