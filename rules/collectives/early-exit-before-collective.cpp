// Training loops of frameworks that only some ranks request to stop (RL102).
//
// The loop is the framework's, and each rank reads its own trainer's flag:
//
//     class Limit(Callback):
//         def on_train_epoch_end(self, trainer, module):
//             if trainer.is_global_zero and self.asked_to_stop():
//                 trainer.should_stop = True            # the others go on to the next step, and wait there
//
// Only in what the framework calls, the `on_...` methods of callbacks and of modules, and only where ranks differ in
// the flag when the method ends: a flag that is reduced or broadcast before is the same on all ranks.
#include <algorithm>

#include "analyzer/doubts/missing_attributes.h"
#include "analyzer/program/handed.h"
#include "analyzer/questions/code.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/terms.h"
#include "rules/mismatches.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::early_exit_before_collective {

constexpr RuleInfo kInfo{.id = "early-exit-before-collective",
                         .code = "RL102",
                         .summary = "some ranks leave before a collective that the others go on to",
                         .severity = Severity::Error,
                         .since = "0.1"};

namespace {

// Where only some ranks request a framework's training loop to stop.
struct LoneStop {
  FunctionKey function;
  SourceRange range;  // the assignment
};

class FrameworkStops {
 public:
  explicit FrameworkStops(const Query& query) : in_(query), values_(query.values()), index_(query.index()) {}

  std::vector<LoneStop> run() {
    in_.for_each_function_to_check("framework stops", [&](FunctionKey f) {
      if (const Summary* s = role_of_method(in_.roles(), index_, f, Role::CalledByTrainer) ? in_.summary(f) : nullptr)
        if (std::ranges::any_of(s->changes, [&](const FieldState& change) { return stops_some(f, change); })) keep(*s);
    });
    return std::move(found_);
  }

 private:
  // `trainer.should_stop`, `self.trainer.should_stop`: changed on some ranks only when the method returns.
  bool stops_some(FunctionKey f, const FieldState& change) const {
    const SymbolTable& names = index_.names();
    if (!in_.roles().play(names.text(change.name), Role::StopsTraining) || !change.value.valid()) return false;
    const Value& trainer = values_[change.object];
    const bool is_given = trainer.kind == ValueKind::Parameter && trainer.a == f.index && trainer.b == 1;
    const bool is_kept =
        trainer.kind == ValueKind::Attribute && in_.roles().play(names.text(Symbol{trainer.a}), Role::RunsHooks);
    return (is_given || is_kept) && differs(change.value);
  }

  // Memory and the host are alike on most ranks of a job, and so are files.
  bool differs(ValueId flag) const {
    if (!values_.variance(flag).empty()) return true;
    if (!values_[flag].local) return false;
    const LocalSource source = local_source(values_, index_, flag);
    return source == LocalSource::Clock || source == LocalSource::Signal || source == LocalSource::Random ||
           source == LocalSource::Batch;
  }

  // The assignment, in the hook itself or in the method of the class that it calls for it.
  void keep(const Summary& hook) {
    if (add(hook)) return;
    const FunctionCode code(index_, hook);
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        const FunctionKey called =
            i.kind == ir::InstructionKind::Call ? named_callee(index_, code.key, i).function : FunctionKey{};
        const Summary* s = called.valid() ? in_.summary(called) : nullptr;
        if (s && add(*s)) return;
      }
  }

  bool add(const Summary& s) {
    const FunctionCode code(index_, s);
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Assign || code.ir.exprs[i.target].kind != ir::ExprKind::Attribute) continue;
        if (!in_.roles().play(code.text.text(code.ir.exprs[i.target].symbol), Role::StopsTraining)) continue;
        const LoneStop fact{.function = code.key, .range = i.range};
        if (std::ranges::none_of(found_, [&](const LoneStop& known) {
              return known.range == fact.range && known.function == fact.function;
            }))
          found_.push_back(fact);
        return true;
      }
    return false;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::vector<LoneStop> found_;
};

}  // namespace

// The loop is the framework's: its next step, where ranks wait, is not in the project, and the finding shows the
// function that sets the flag.
static Finding finding_of_stop(const Query& in, const Shared& shared, const LoneStop& stop) {
  Assurance sure = Confidence::Likely;
  sure.assume({.kind = AssumptionKind::RulePremise,
               .subject = "the framework ends its loop on each rank by that rank's own flag",
               .place = {stop.function, stop.range}});
  if (const std::optional<CodePlace> read = reads_what_some_made(in, stop.function))
    sure.doubt({Reason::FailsBefore, *read});
  Finding finding = finding_at(kInfo, shared, stop.function, stop.range, sure);
  finding.message = "`should_stop` is set on some ranks alone, and the others go on to the next training step";
  finding.help = "agree on it first: `trainer.strategy.reduce_boolean_decision(stop, all=False)`";
  const auto step = [&](WitnessStep::Kind kind, std::string text) {
    return WitnessStep{.kind = kind,
                       .location = finding.primary,
                       .text = std::move(text),
                       .function = finding.function,
                       .nesting = 0,
                       .op = "",
                       .group = ""};
  };
  finding.witness.lanes = {{.ranks = "the other ranks",
                            .steps = {step(WitnessStep::Kind::Branch, "do not set it")},
                            .end = "wait in the next training step"},
                           {.ranks = "a rank that sets it",
                            .steps = {step(WitnessStep::Kind::Exit, "asks the training loop to stop")},
                            .end = "leaves the training loop"}};
  finding.fingerprint_key = "should_stop";
  finding.replay = replay_templates::by_one_alone({"all_reduce", "world", finding.primary});
  return finding;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::EarlyExit)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = m.second.ranks.text + verb(m.second.ranks, " leave") + " here, and " + m.first.beside.text +
                      verb(m.first.beside, " go") + " on to " + collective_text(m.first.op, m.group);
    finding.message += if_sharded(m);
    finding.help = "let every rank of `" + m.group + "` reach the collective, or agree on leaving first";
    findings.push_back(std::move(finding));
  }
  for (const LoneStop& stop : FrameworkStops(in).run())
    if (is_reported(shared, stop.function)) findings.push_back(finding_of_stop(in, shared, stop));
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::early_exit_before_collective
