#include "rules/collectives/exception-skips-collective.h"

#include <set>

#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::exception_skips_collective {

constexpr RuleInfo kInfo{.id = "exception-skips-collective",
                         .code = "RL106",
                         .summary = "a failure takes one rank past a collective, or into one of its own",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "what may fail fails on some ranks and not on all"};

// The rank that fails, and the others: where one of the two waits comes first.
static void add_lanes(const Shared& shared, const OneRankFailure& f, Finding& finding) {
  using Kind = WitnessStep::Kind;
  const auto step = [&](Kind kind, SourceRange range, std::string text) {
    return WitnessStep{.kind = kind,
                       .location = {finding.primary.path, range},
                       .text = std::move(text),
                       .function = finding.function,
                       .nesting = 0,
                       .op = kind == Kind::Collective ? f.op : "",
                       .group = kind == Kind::Collective ? f.group : ""};
  };
  const WitnessStep collective = step(Kind::Collective, f.collective, collective_text(f.op, f.group));
  WitnessLane failed{.ranks = f.kind == OneRankFailure::Kind::Raised
                                  ? (f.exits ? "a rank that exits" : "a rank that raises")
                                  : "a rank that fails",
                     .steps = {},
                     .end = {}};
  WitnessLane others{.ranks = "the other ranks", .steps = {}, .end = {}};
  if (f.kind == OneRankFailure::Kind::Raised) {
    failed.steps = {step(Kind::Branch, f.guard, decision_text(shared, f.function, f.guard, f.holds)),
                    step(Kind::Exit, f.range, f.exits ? "exits" : "raises")};
    others.steps = {step(Kind::Branch, f.guard, decision_text(shared, f.function, f.guard, !f.holds))};
  } else {
    failed.steps = {step(Kind::Call, f.failure, "fails"), step(Kind::Branch, f.range, "goes on in the handler")};
    others.steps = {step(Kind::Call, f.failure, "does not fail")};
    if (f.guard.known()) {
      failed.steps.push_back(step(Kind::Branch, f.guard, decision_text(shared, f.function, f.guard, f.holds)));
      others.steps.push_back(step(Kind::Branch, f.guard, decision_text(shared, f.function, f.guard, !f.holds)));
    }
  }
  const bool in_handler = f.kind == OneRankFailure::Kind::InHandler || f.kind == OneRankFailure::Kind::Retried;
  (in_handler ? failed : others).steps.push_back(collective);
  failed.end = in_handler ? "waits for the other ranks" : "never calls `" + f.op + "`";
  others.end = in_handler ? "never call `" + f.op + "` here" : "wait for " + failed.ranks;
  finding.witness.lanes = in_handler ? std::vector{failed, others} : std::vector{others, failed};
}

static void add_asked(const OneRankFailure& f, Finding& finding) {
  if (f.guard.known())
    finding.related.push_back({{finding.primary.path, f.guard}, "asks for what the handler has set"});
}

static void add_places(const OneRankFailure& f, Finding& finding) {
  const auto add = [&](SourceRange range, const char* text) {
    finding.related.push_back({{finding.primary.path, range}, text});
  };
  switch (f.kind) {
    case OneRankFailure::Kind::Skipped:
      if (f.failure == f.collective) return add(f.failure, "fails on one rank within, and the others wait there");
      add(f.failure, "fails on one rank");
      add_asked(f, finding);
      add(f.collective, "the others wait here");
      break;
    case OneRankFailure::Kind::InHandler:
      add(f.failure, "fails on one rank");
      add_asked(f, finding);
      add(f.collective, "the rank that fails waits here");
      break;
    case OneRankFailure::Kind::Retried:
      add(f.collective, "fails on one rank, which comes here again, and not on the others");
      break;
    case OneRankFailure::Kind::Raised:
      add(f.guard, "ranks diverge here");
      add(f.collective, "the others wait here");
      break;
  }
}

static Finding finding_of(const Shared& shared, const OneRankFailure& f) {
  Finding finding = finding_at(kInfo, shared, f.function, f.range, f.certainty);
  const std::string what = collective_text(f.op, f.group);
  switch (f.kind) {
    case OneRankFailure::Kind::Skipped:
      finding.message = "a rank that fails goes on here, past " + what + " that the others wait in";
      break;
    case OneRankFailure::Kind::InHandler:
      finding.message = what + " is issued only by ranks that fail, in this handler";
      break;
    case OneRankFailure::Kind::Retried:
      finding.message = "a rank on which " + what +
                        " fails issues it once more by this handler: those on which it did not fail have gone on";
      break;
    case OneRankFailure::Kind::Raised:
      finding.message = "only some ranks look at " + (f.reason.empty() ? "a failure" : "the " + f.reason) +
                        "; if they " + (f.exits ? "exit" : "raise") + " here, the others wait forever in " + what;
      break;
  }
  finding.help = f.kind == OneRankFailure::Kind::Raised
                     ? "tell the others first: broadcast whether it worked, and " +
                           std::string(f.exits ? "exit" : "raise") + " on every rank"
                     : "raise again, or agree on the failure first: all_reduce a flag that every rank sets";
  add_places(f, finding);
  add_lanes(shared, f, finding);
  finding.fingerprint_key = f.op + " " + f.group;
  finding.replay = replay_templates::by_one_alone({f.op, f.group, finding.primary});
  return finding;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  std::set<std::pair<FunctionKey, SourceRange>> told;  // handlers: a retry is left out where a skip was told
  for (const auto& found : {caught_on_one_rank(in), retried_on_one_rank(in), uncaught_on_one_rank(in)})
    for (const OneRankFailure& f : found)
      if (is_reported(shared, f.function) &&
          (told.emplace(f.function, f.range).second || f.kind != OneRankFailure::Kind::Retried))
        findings.push_back(finding_of(shared, f));
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::exception_skips_collective
