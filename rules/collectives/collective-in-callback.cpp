#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::collective_in_callback {

constexpr RuleInfo kInfo{.id = "collective-in-callback",
                         .code = "RL113",
                         .summary = "communication in code that each rank runs at a moment of its own",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const DetachedCollective& d : facts.detached) {
    if (!is_reported(facts, d.function)) continue;
    Finding finding = finding_at(kInfo, facts, d.function, d.range, d.certainty);
    finding.message =
        collective_text(d.op, d.group) + " is issued in " + d.where + ", which each rank runs at a moment of its own";
    finding.help = "note in the callback what happened, and communicate where all ranks pass in the same step";
    finding.fingerprint_key = d.op + " " + d.group + " " + d.where;
    finding.replay = told::by_one_alone({d.op, d.group, finding.primary});
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::collective_in_callback
