#include "rules/wording.h"

namespace ranklint::unknown_callee {

constexpr RuleInfo kInfo{.id = "unknown-callee",
                         .code = "RL905",
                         .summary = "only some ranks call something unknown that may communicate",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "nothing is known to go wrong",
                         .default_on = false};

static void check(const Facts& facts, Reporter& report) {
  for (const UnknownCallee& call : facts.unknown_callees) {
    if (!is_reported(facts, call.function)) continue;
    Finding finding = finding_at(kInfo, facts, call.function, call.range, Certainty::Likely);
    finding.message = "nothing is known of `" + call.callee + "`, which only some ranks call and which takes a group";
    finding.related.push_back({{finding.primary.path, call.guard}, "ranks diverge here"});
    finding.help = "describe the function in a model file, or add its source to what is read";
    finding.fingerprint_key = call.callee;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unknown_callee
