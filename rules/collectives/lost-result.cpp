// Collectives whose result goes nowhere: it is given back and thrown away, or lies in a copy that nothing looks at
// again; and sums that are added up twice.
//
// Which calls give their result back alone, and which fill the tensor that they are given, the models say. A copy
// counts where something that it was made of is read later: then each rank goes on with its own.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/flow/later_steps.h"
#include "analyzer/ir/equal.h"
#include "analyzer/program/given_for.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/summary/is_call.h"
#include "rules/wording.h"

namespace ranklint::lost_result {

constexpr RuleInfo kInfo{.id = "lost-result",
                         .code = "RL117",
                         .summary = "what a collective gives is thrown away, or counted twice",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result is wrong",
                         .premise = "what is read later is meant to be that of all ranks"};

namespace {

struct LostResult {
  enum class What : uint8_t { ThrownAway, InCopy, AddedTwice };
  What what = What::ThrownAway;
  FunctionKey function;
  SourceRange range;
  SourceRange other;  // AddedTwice: the first time; InCopy: where the copy is made
  std::string operation;
  std::string name;  // what each rank goes on with; empty: it has none
  Assurance certainty = Confidence::Likely;
};

using What = LostResult::What;
using Names = std::set<Symbol>;

class LostResults {
 public:
  explicit LostResults(const Query& in) : in_(in) {}

  std::vector<LostResult> run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      const FunctionCode code(in_.index(), s);
      const uint32_t at = in_.site(step.site).instruction;
      const auto& instructions = code.ir.blocks[b].instructions;
      if (step.event->model->kind != ModelKind::Collective || at >= instructions.size() ||
          instructions[at].kind != ir::InstructionKind::Call)
        return;
      check(s, code, {b, at}, step);
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const FunctionCode& code, ProgramPoint at, const Step& step) {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    const Model& model = *step.event->model;
    if (model.root.present() && is_of_root(s, at, *step.event)) return;
    if (in_.roles().play(model.name, Role::GivesResult)) {
      if (gives_something(code, call, step, at) && is_unread(code, call.target))
        keep(What::ThrownAway, code, step, {}, {});
      return;
    }
    const ir::ExprId tensor = model.fills_tensor
                                  ? given_for(code.ir, code.text, call, model.tensor.position, model.tensor.keyword)
                                  : ir::ExprId{};
    // Elsewhere a call is given the places that it fills: `&total`.
    if (!tensor.valid() || !code.text.has(ir::Convention::DeclaresNoTypes)) return;
    const bool is_given_back = model.result_uniform && !is_unread(code, call.target);
    if (const std::optional<Copy> copy = is_given_back ? std::nullopt : copy_given(code, tensor, at))
      for (const Symbol name : copy->of)
        if (is_read_after(code, at, name)) return keep(What::InCopy, code, step, copy->made, name);
    if (const ir::Instruction* first = added_before(code, at, model, tensor))
      if (const Symbol name = code.ir.exprs[tensor].symbol; is_read_after(code, at, name))
        keep(What::AddedTwice, code, step, first->range, name);
  }

  // Whether it may be the root alone that comes there, which has what the others get: the same function, or another
  // one, makes the call for these.
  bool is_of_root(const Summary& s, ProgramPoint at, const Event& event) {
    if (rank_guard_of(in_, s, at.block).valid() || is_below_rank_assertion(in_, s, at) ||
        entered_by_some().contains(s.function))
      return true;
    return std::ranges::count_if(s.blocks, [&](const BlockSteps& b) {
             return std::ranges::any_of(
                 b.steps, [&](const Step& other) { return other.event && other.event->model == event.model; });
           }) > 1;
  }

  // The functions that some ranks alone enter, by a condition around a call or by what is called, and what these call.
  const std::set<FunctionKey>& entered_by_some() {
    if (by_some_) return *by_some_;
    by_some_.emplace();
    std::map<FunctionKey, std::vector<FunctionKey>> callees;
    std::vector<FunctionKey> work;
    for (FunctionKey f{0}; f.index < in_.index().functions().size(); ++f.index) {
      const Summary* s = in_.summary(f);
      if (!s || !s->communicates) continue;
      for (const ir::BlockId b : s->graph().order())
        for (const Step& step : s->blocks[b.index].steps) {
          if (!is_call(step)) continue;
          const bool is_guarded = rank_guard_of(in_, *s, b).valid();
          for (const Target& target : in_.targets(step.call.callee)) {
            callees[f].push_back(target.function);
            if (is_guarded || target.guard.valid()) work.push_back(target.function);
          }
        }
    }
    while (!work.empty()) {
      const FunctionKey f = work.back();
      work.pop_back();
      if (by_some_->insert(f).second) work.insert(work.end(), callees[f].begin(), callees[f].end());
    }
    return *by_some_;
  }

  // A constant that all give is no news: the call is made to meet.
  bool gives_something(const FunctionCode& code, const ir::Instruction& call, const Step& step, ProgramPoint at) const {
    const ir::ExprId given = first_argument(code, call);
    const auto& values = step.call.positional;
    return given.valid() && !names_in(code, given, at).empty() &&
           !(!values.empty() && in_.values().is_constant(values.front()));
  }

  static bool is_unread(const FunctionCode& code, ir::ExprId target) {
    const std::string_view name = code.name(target);
    if (!SymbolTable::is_unnamed(name)) return false;
    const Symbol held = code.ir.exprs[target].symbol;
    return std::ranges::none_of(code.ir.blocks, [&](const ir::Block& block) {
      return code.reads(block.terminator, held) ||
             std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) { return code.reads(i, held); });
    });
  }

  struct Copy {
    SourceRange made;
    Names of;
  };

  // The copy that is handed over without a name, and what it was made of. None: it has a name, or may be no copy.
  std::optional<Copy> copy_given(const FunctionCode& code, ir::ExprId given, ProgramPoint at) const {
    constexpr int kMostCalls = 8;
    for (int calls = 0; calls < kMostCalls; ++calls) {
      const ir::Expr& expr = code.ir.exprs[given];
      if (expr.kind == ir::ExprKind::Binary && ir::is_arithmetic(expr.op))
        return Copy{code.ir.blocks[at.block].instructions[at.instruction].range, names_in(code, given, at)};
      if (!SymbolTable::is_unnamed(code.name(given))) return std::nullopt;
      const std::optional<Definition> made = code.only_definition(given, at);
      if (!made || made->instruction->kind != ir::InstructionKind::Call) return std::nullopt;
      const ir::Instruction& call = *made->instruction;
      if (plays(in_, code, call, Role::CopiesTensor)) return Copy{call.range, names_given(code, call, made->place)};
      const bool hands_on = plays(in_, code, call, Role::KeepsTensor) || plays(in_, code, call, Role::MovesOrCasts);
      if (!hands_on || code.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return std::nullopt;
      given = ir::children(code.ir, call.value)[0];
      at = made->place;
    }
    return std::nullopt;
  }

  // The variables that an expression names, and those of which what has no name in it was made.
  Names names_in(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
    Names names;
    ir::any_part(code.ir, e, [&](ir::ExprId part) {
      const ir::Expr& expr = code.ir.exprs[part];
      if (expr.kind != ir::ExprKind::Name || names_library(in_.index(), code, part)) return false;
      if (!SymbolTable::is_unnamed(code.text.text(expr.symbol))) {
        names.insert(expr.symbol);
      } else if (const std::optional<Definition> made = code.only_definition(part, at)) {
        names.merge(names_given(code, *made->instruction, made->place));
      }
      return false;
    });
    return names;
  }

  // In its arguments, and the object whose method it is.
  Names names_given(const FunctionCode& code, const ir::Instruction& made, ProgramPoint at) const {
    if (made.kind != ir::InstructionKind::Call) return made.value.valid() ? names_in(code, made.value, at) : Names();
    Names names;
    for (const ir::Argument& a : ir::arguments(code.ir, made))
      if (a.kind == ir::ArgumentKind::Positional) names.merge(names_in(code, a.value, at));  // `device=x.device`
    if (code.ir.exprs[made.value].kind == ir::ExprKind::Attribute)
      names.merge(names_in(code, ir::children(code.ir, made.value)[0], at));
    return names;
  }

  // Whether some way on reads the name before it is given something else, or to the same collective: then what went
  // before was to warm up.
  static bool is_read_after(const FunctionCode& code, ProgramPoint from, Symbol name) {
    const ir::Instruction& call = code.ir.blocks[from.block].instructions[from.instruction];
    const auto at_instruction = [&](const ir::Instruction& i) {
      const bool is_same = i.kind == ir::InstructionKind::Call && ir::same_tree(code.ir, i.value, call.value);
      if (code.reads(i, name)) return is_same ? Way::Ends : Way::Found;
      return code.defines(i, name) ? Way::Ends : Way::GoesOn;
    };
    const auto at_end = [&](const ir::Terminator& end) {
      if (code.reads(end, name)) return Way::Found;
      return end.target.valid() && code.mentions(end.target, name) ? Way::Ends : Way::GoesOn;
    };
    return comes_to(code.ir, from.block, from.instruction + 1, at_instruction, at_end);
  }

  // The call of the same collective that has added up the same variable just before. Null: none has.
  const ir::Instruction* added_before(const FunctionCode& code, ProgramPoint at, const Model& model,
                                      ir::ExprId tensor) const {
    const auto& instructions = code.ir.blocks[at.block].instructions;
    const ir::Instruction& call = instructions[at.instruction];
    if (!model.reduce_op.present() || code.name(tensor).empty() || !adds(code, call, model)) return nullptr;
    for (uint32_t n = at.instruction; n-- > 0;) {
      const ir::Instruction& before = instructions[n];
      if (before.kind == ir::InstructionKind::Call && is_same_call(code, before, call)) return &before;
      if (code.reads(before, code.ir.exprs[tensor].symbol) || code.defines(before, code.ir.exprs[tensor].symbol))
        return nullptr;
    }
    return nullptr;
  }

  // Where nothing else is asked for, what ranks give is added. The largest and the smallest of all stay what they are.
  bool adds(const FunctionCode& code, const ir::Instruction& call, const Model& model) const {
    const ir::ExprId way = given_for(code.ir, code.text, call, model.reduce_op.position, model.reduce_op.keyword);
    if (!way.valid()) return true;
    return in_.roles().play(in_.index().dotted(code.module, code.ir, way), Role::AddsUp);
  }

  static bool is_same_call(const FunctionCode& code, const ir::Instruction& one, const ir::Instruction& other) {
    const auto a = ir::arguments(code.ir, one), b = ir::arguments(code.ir, other);
    return ir::same_tree(code.ir, one.value, other.value) &&
           std::ranges::equal(a, b, [&](const ir::Argument& x, const ir::Argument& y) {
             return x.kind == y.kind && x.keyword == y.keyword && ir::same_tree(code.ir, x.value, y.value);
           });
  }

  void keep(What what, const FunctionCode& code, const Step& step, SourceRange other, Symbol name) {
    const Model& model = *step.event->model;
    const Assurance known = model_certainty(model, {code.key, step.range});
    const std::string group = group_name(in_, {&model, step.event->group, known, {}});
    found_.push_back({.what = what,
                      .function = code.key,
                      .range = step.range,
                      .other = other,
                      .operation = collective_text(model.op, group),
                      .name = name.valid() ? std::string(code.text.text(name)) : std::string(),
                      .certainty = lower_of(Confidence::Likely, known)});
  }

  const Query& in_;
  std::optional<std::set<FunctionKey>> by_some_;  // once they are asked for
  std::vector<LostResult> found_;
};

void say(const LostResult& lost, Finding& finding) {
  switch (lost.what) {
    case What::ThrownAway:
      finding.message = lost.operation + " gives its result back, and nothing takes it: each rank keeps what it had";
      finding.help = "give the result a name, and go on with that";
      break;
    case What::InCopy:
      finding.message = lost.operation + " fills a copy that nothing looks at again, and `" + lost.name +
                        "` stays what each rank had";
      finding.help = "give the copy a name, and go on with that";
      break;
    case What::AddedTwice:
      finding.message =
          lost.operation + " adds up `" + lost.name + "` once more: it holds the sum over the ranks already";
      finding.help = "add it up once, or name what was meant";
      break;
  }
}

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const LostResult& lost : LostResults(in).run()) {
    if (!is_reported(shared, lost.function) || is_run_through(shared, lost.function)) continue;
    Finding finding = finding_at(kInfo, shared, lost.function, lost.range, lost.certainty);
    say(lost, finding);
    if (lost.what == What::InCopy)
      finding.related.push_back({location_at(shared, lost.function, lost.other), "the copy is made here"});
    if (lost.what == What::AddedTwice)
      finding.related.push_back({location_at(shared, lost.function, lost.other), "added up here"});
    finding.fingerprint_key = lost.operation + " " + lost.name;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::lost_result
