#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::exception_skips_collective {

constexpr RuleInfo kInfo{.id = "exception-skips-collective",
                         .code = "RL106",
                         .summary = "a failure takes one rank past a collective, or into one of its own",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const SwallowedFailure& f : facts.swallowed_failures) {
    if (!is_reported(facts, f.function)) continue;
    Finding finding = finding_at(kInfo, facts, f.function, f.range, f.certainty);
    const std::string what = collective_text(f.op, f.group);
    switch (f.kind) {
      case SwallowedFailure::Kind::Skipped: finding.message = "a rank that fails goes on here, past " + what + " that the others wait in"; break;
      case SwallowedFailure::Kind::InHandler: finding.message = what + " is issued only by ranks that fail, in this handler"; break;
      case SwallowedFailure::Kind::Raised:
        finding.message = "some ranks alone look at " + (f.reason.empty() ? "a failure" : "the " + f.reason) + " and raise here, and the others wait in " + what;
        finding.related.push_back({{finding.primary.path, f.guard}, "ranks part here"});
        break;
    }
    finding.help = f.kind == SwallowedFailure::Kind::Raised ? "tell the others first: broadcast whether it worked, and raise on every rank"
                                                            : "raise again, or agree on the failure first: all_reduce a flag that every rank sets";
    finding.fingerprint_key = f.op + " " + f.group;
    finding.replay = told::by_one_alone({f.op, f.group, finding.primary});
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::exception_skips_collective
