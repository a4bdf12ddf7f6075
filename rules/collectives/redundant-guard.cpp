#include "rules/wording.h"

namespace ranklint::redundant_guard {

constexpr RuleInfo kInfo{.id = "redundant-guard",
                         .code = "RL116",
                         .summary = "a rank guard around communication is uniform in the group",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "nothing goes wrong",
                         .default_on = false};

static void check(const Facts& facts, Reporter& report) {
  for (const UniformGuard& g : facts.uniform_guards) {
    if (!is_reported(facts, g.function)) continue;
    Finding finding = finding_at(kInfo, facts, g.function, g.guard, g.certainty);
    finding.message = "all members of `" + g.group + "` take the same side of this guard on `" + g.axes + "`, around " +
                      collective_text(g.op, g.group);
    finding.related.push_back({{finding.primary.path, g.range}, "the guard decides about this"});
    finding.help =
        "nothing is wrong here: say so in a comment, so that a change of the mesh does not turn it into a hang";
    finding.fingerprint_key = g.op + " " + g.group + " " + g.axes;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::redundant_guard
