#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::exception_skips_collective {

constexpr RuleInfo kInfo{.id = "exception-skips-collective",
                         .code = "RL106",
                         .summary = "a handler takes the failed rank past a collective, or into one of its own",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const SwallowedFailure& f : facts.swallowed_failures) {
    if (!is_reported(facts, f.function)) continue;
    Finding finding = finding_at(kInfo, facts, f.function, f.range, f.certainty);
    const std::string what = collective_text(f.op, f.group);
    finding.message = f.in_handler ? what + " is issued only by ranks that fail, in this handler"
                                   : "a rank that fails goes on here, past " + what + " that the others wait in";
    finding.help = "raise again, or agree on the failure first: all_reduce a flag that every rank sets";
    finding.fingerprint_key = f.op + " " + f.group;
    finding.replay = told::by_one_alone({f.op, f.group, finding.primary});
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::exception_skips_collective
