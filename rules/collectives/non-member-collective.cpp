#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::non_member_collective {

constexpr RuleInfo kInfo{.id = "non-member-collective",
                         .code = "RL108",
                         .summary = "a rank calls a collective on a group that it is not in",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::string describe(const Outsider& o) {
  const std::string rank = "rank " + std::to_string(o.rank);
  if (o.what == Outsider::What::NoGroup)
    return "`" + o.op + "` runs on the world where its group is None, as on " + rank + ", and on `" + o.group +
           "` elsewhere";
  return collective_text(o.op, o.group) + " is reached by " + rank + " too, and the group has ranks " + o.members +
         " only";
}

static void check(const Facts& facts, Reporter& report) {
  for (const Outsider& o : facts.outsiders) {
    if (!is_reported(facts, o.function)) continue;
    Finding finding = finding_at(kInfo, facts, o.function, o.range, o.certainty);
    finding.message = describe(o);
    finding.help = "make the call under a test of membership, with the list that the group was made from";
    finding.fingerprint_key = o.op + " " + o.group;
    finding.replay = told::by_an_outsider({o.op, o.group, finding.primary}, o.rank, o.members);
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::non_member_collective
