// Generators that communicate between their yields, and ranks that stop resuming them before the others do.
//
// A call of a generator runs nothing: each round of the loop around it runs the piece up to the next yield. The
// comparison of rank classes takes the whole of it for done where it is called, which is right as long as all go
// on to the end. Here is what it can't see: a loop that some ranks leave, and a `next` that some ranks call.
//
// What communicates before the first yield only is over when the loop begins, and does not count.
#include <algorithm>

#include "analyzer/flow/reached.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/summary/is_call.h"
#include "rules/mismatches.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::generator_collective {

constexpr RuleInfo kInfo{.id = "generator-collective",
                         .code = "RL115",
                         .summary = "a generator that communicates is not resumed equally often by all ranks",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the ranks take other numbers of elements"};

namespace {

// A generator that communicates, which ranks do not resume equally often.
struct LeftGenerator {
  FunctionKey function;
  SourceRange range, guard;  // the loop that some leave, or the call of next; where they diverge
  bool at_next = false;
  std::string op, group;
  Assurance certainty = Confidence::Likely;
};

constexpr int kDeepestIterable = 6;

class LeftGenerators {
 public:
  explicit LeftGenerators(const Query& query) : in_(query) {}

  std::vector<LeftGenerator> run() {
    in_.for_each_function_to_check("generators", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || !s->communicates) return;
      const FunctionCode code(in_.index(), *s);
      for (ir::BlockId b : s->graph().order()) {
        check_loop(code, *s, b);
        check_next(code, *s, b);
      }
    });
    return std::move(found_);
  }

 private:
  void check_loop(const FunctionCode& code, const Summary& s, ir::BlockId header) {
    const ir::Terminator& end = code.ir.blocks[header].terminator;
    if (end.kind != ir::TerminatorKind::Iterate || !s.graph().is_loop_header(header)) return;
    const ProgramPoint at{header, static_cast<uint32_t>(code.ir.blocks[header].instructions.size())};
    const std::optional<Communication> found = communication_in(code, s, end.value, at, 0);
    if (!found) return;
    const AxisSet group = *in_.resolve_group(found->group, Unknown::FreshAxis);
    if (const ir::BlockId parting = divergent_exit(code, s, header, group); parting.valid())
      keep(s, end.range, code.ir.blocks[parting].terminator.range, false, *found, s.blocks[parting.index].condition);
  }

  // The branch on which some ranks leave the loop and others do not.
  ir::BlockId divergent_exit(const FunctionCode& code, const Summary& s, ir::BlockId header, const AxisSet& group) {
    auto inside = [&](ir::BlockId b) { return s.graph().lies_in_loop(b, header); };
    for (ir::BlockId from : s.graph().loop_blocks(header)) {
      if (from == header) continue;
      for (ir::BlockId to : FlowGraph::successors(code.ir.blocks[from])) {
        if (inside(to) || only_raises(code, to)) continue;
        for (ir::BlockId above = from; above.valid() && above != header; above = s.graph().dominator(above)) {
          const ir::BlockId join = s.graph().join(above);
          const bool decides = above == from || !join.valid() || !s.graph().dominates(join, from);
          if (decides && parts(s.blocks[above.index].condition, group)) return above;
        }
      }
    }
    return {};
  }

  // Whether all ways from the block raise.
  static bool only_raises(const FunctionCode& code, ir::BlockId from) {
    const auto raises = [&](ir::BlockId b) { return code.ir.blocks[b].terminator.kind == ir::TerminatorKind::Raise; };
    return !may_return(code.ir, from) && leads_to(code.ir, from, raises);
  }

  bool parts(ValueId condition, const AxisSet& group) {
    return condition.valid() && (in_.values()[condition].local || overlap(in_.values().variance(condition), group));
  }

  void check_next(const FunctionCode& code, const Summary& s, ir::BlockId block) {
    const ir::Block& b = code.ir.blocks[block];
    for (uint32_t i = 0; i < b.instructions.size(); ++i) {
      const ir::Instruction& call = b.instructions[i];
      if (!takes_next(code, call)) continue;
      const auto arguments = ir::arguments(code.ir, call);
      const ir::BlockId guard = rank_guard_of(in_, s, block);
      if (arguments.empty() || !guard.valid() || code.name(arguments[0].value).empty()) continue;
      const Symbol name = code.ir.exprs[arguments[0].value].symbol;
      const std::optional<Communication> found = communication_in(code, s, arguments[0].value, {block, i}, 0);
      if (!found || !parts(s.blocks[guard.index].condition, *in_.resolve_group(found->group, Unknown::FreshAxis)))
        continue;
      if (created_within(code, s, name, {block, i}, guard) || used_elsewhere(code, name, {block, i}, guard)) continue;
      keep(s, call.range, code.ir.blocks[guard].terminator.range, true, *found, s.blocks[guard.index].condition);
    }
  }

  // Made and resumed by the same ranks: the comparison of rank classes has seen it.
  bool created_within(const FunctionCode& code, const Summary& s, Symbol name, ProgramPoint at, ir::BlockId guard) {
    const Reaching reaching = code.reaching(name, at);
    return std::any_of(reaching.definitions.begin(), reaching.definitions.end(), [&](const Definition& d) {
      return d.place.block != guard && s.graph().dominates(guard, d.place.block);
    });
  }

  static bool takes_next(const FunctionCode& code, const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Call && is_builtin(code.name(i.value), Builtin::Next);
  }

  // Other code reads it too, perhaps on the other ranks. An element that all take before they part is nothing of that.
  bool used_elsewhere(const FunctionCode& code, Symbol name, ProgramPoint at, ir::BlockId guard) {
    for (uint32_t b = 0; b < code.ir.blocks.size(); ++b) {
      const ir::Block& block = code.ir.blocks[ir::BlockId{b}];
      const bool is_before = code.graph().dominates(ir::BlockId{b}, guard);
      if (code.reads(block.terminator, name)) return true;
      for (uint32_t i = 0; i < block.instructions.size(); ++i)
        if (ProgramPoint{ir::BlockId{b}, i} != at && !(is_before && takes_next(code, block.instructions[i])) &&
            code.reads(block.instructions[i], [&](Symbol s) { return s == name; }))
          return true;
    }
    return false;
  }

  // What a step of the generator communicates that an expression holds, in the terms of this function.
  std::optional<Communication> communication_in(const FunctionCode& code, const Summary& s, ir::ExprId e,
                                                ProgramPoint at, int depth) {
    if (depth > kDeepestIterable) return std::nullopt;
    const std::optional<Definition> d = code.only_definition(e, at);
    if (!d) return std::nullopt;
    if (d->instruction->kind == ir::InstructionKind::Assign)
      return communication_in(code, s, d->instruction->value, d->place, depth + 1);
    if (d->instruction->kind != ir::InstructionKind::Call) return std::nullopt;
    if (in_.roles().play(code.name(d->instruction->value), Role::HandsOnElements)) {
      for (const ir::Argument& a : ir::arguments(code.ir, *d->instruction))
        if (std::optional<Communication> found = communication_in(code, s, a.value, d->place, depth + 1)) return found;
      return std::nullopt;
    }
    for (const Step& step : s.blocks[d->place.block.index].steps)
      if (is_call(step) && in_.site(step.site).instruction == d->place.instruction)
        if (std::optional<Communication> found = of_generator(step, 0)) return found;
    return std::nullopt;
  }

  std::optional<Communication> of_generator(const Step& step, int depth) {
    if (depth > kDeepestIterable) return std::nullopt;
    for (const Target& target : in_.targets(step.call.callee)) {
      const Summary* callee = in_.summary(target.function);
      const ir::Function& ir = in_.index().function(target.function);
      if (!callee || !callee->communicates || !ir.is_generator || in_.is_context_manager(target.function)) continue;
      const Binding binding = in_.bind(target, step.call, 0);
      for (ir::BlockId b : callee->graph().order()) {
        for (const Step& inner : callee->blocks[b.index].steps) {
          if (!after_a_yield(*callee, ir, {b, in_.site(inner.site).instruction})) continue;
          std::optional<Communication> found = communication_of(in_, inner);
          if (!found && !inner.event) found = of_generator(inner, depth + 1);
          if (!found) continue;
          if (found->group.valid()) found->group = in_.instantiate(found->group, binding);
          found->certainty.lower_to(target_certainty(in_.index(), target, {in_.site(step.site).function, step.range}));
          return found;
        }
      }
    }
    return std::nullopt;
  }

  // Whether it runs again, or at all, once something was yielded; a `yield from` counts as one.
  static bool after_a_yield(const Summary& s, const ir::Function& f, ProgramPoint at) {
    std::vector<ir::BlockId> behind;
    for (ir::BlockId b : s.graph().order())
      for (uint32_t n = 0; n < f.blocks[b].instructions.size(); ++n) {
        const ir::InstructionKind kind = f.blocks[b].instructions[n].kind;
        if (kind == ir::InstructionKind::YieldFrom && b == at.block) return true;
        if (kind != ir::InstructionKind::Yield) continue;
        if (b == at.block && n < at.instruction) return true;
        for (ir::BlockId next : FlowGraph::successors(f.blocks[b])) behind.push_back(next);
      }
    return reached_from(behind, [&](ir::BlockId b) { return FlowGraph::successors(f.blocks[b]); }).contains(at.block);
  }

  void keep(const Summary& s, SourceRange range, SourceRange guard, bool at_next, const Communication& found,
            ValueId condition) {
    const Value& v = in_.values()[condition];
    Assurance certainty = lower_of(Confidence::High, in_.group_certainty(found.group, {s.function, range}));
    certainty.lower_to(found.certainty);
    if (v.believed) certainty.doubt({Reason::BelievedRank, {s.function, guard}});
    if (v.local) certainty.lower_to(Confidence::Likely);
    found_.push_back({s.function, range, guard, at_next, found.model->op, group_name(in_, found), certainty});
  }

  const Query& in_;
  std::vector<LeftGenerator> found_;
};

}  // namespace

constexpr std::string_view kHelp =
    "go through the generator to its end on every rank, and guard what is done with its elements";

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Generator)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = m.first.ranks.text + verb(m.first.ranks, " resume") + " a generator that issues " +
                      collective_text(m.first.op, m.group) + ", without " + m.second.beside.text;
    finding.help = kHelp;
    findings.push_back(std::move(finding));
  }
  for (const LeftGenerator& g : LeftGenerators(in).run()) {
    if (!is_reported(shared, g.function)) continue;
    Finding finding = finding_at(kInfo, shared, g.function, g.range, g.certainty);
    finding.message =
        g.at_next
            ? "only some ranks ask for the next element of a generator that issues " + collective_text(g.op, g.group)
            : "some ranks leave this loop before the generator is done, which issues " + collective_text(g.op, g.group);
    finding.related.push_back({{finding.primary.path, g.guard}, "ranks diverge here"});
    finding.help = kHelp;
    finding.replay = replay_templates::by_one_alone({g.op, g.group, finding.primary});
    finding.fingerprint_key = g.op + " " + g.group;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::generator_collective
