#include "rules/mismatches.h"
#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::early_exit_before_collective {

constexpr RuleInfo kInfo{.id = "early-exit-before-collective",
                         .code = "RL102",
                         .summary = "some ranks leave before a collective that the others go on to",
                         .severity = Severity::Error,
                         .since = "0.1"};

// The loop is the framework's: where its next step waits is not in the project, and the finding shows who sets the
// flag.
static Finding finding_of_stop(const Facts& facts, const LoneStop& stop) {
  Finding finding = finding_at(kInfo, facts, stop.function, stop.range, Certainty::Likely);
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
  finding.replay = told::by_one_alone({"all_reduce", "world", finding.primary});
  return finding;
}

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::EarlyExit)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = m.second.ranks.text + verb(m.second.ranks, " leave") + " here, and " + m.first.beside.text +
                      verb(m.first.beside, " go") + " on to " + collective_text(m.first.op, m.group);
    finding.help = "let every rank of `" + m.group + "` reach the collective, or agree on leaving first";
    report.push_back(std::move(finding));
  }
  for (const LoneStop& stop : facts.lone_stops)
    if (is_reported(facts, stop.function)) report.push_back(finding_of_stop(facts, stop));
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::early_exit_before_collective
