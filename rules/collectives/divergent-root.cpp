#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::divergent_root {

constexpr RuleInfo kInfo{.id = "divergent-root",
                         .code = "RL109",
                         .summary = "the root of a collective differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::string describe_foreign(const DivergentArgument& d) {
  if (d.group.empty())
    return "`" + d.op +
           "` takes ranks of the world, and this list is searched for a rank within a group: all but the first group "
           "get the wrong ranks";
  return collective_text(d.op, d.group) +
         " takes its root as a rank of the world, and this number is in only one of the groups that the ranks have "
         "there";
}

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Root)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " has root " + m.first_argument + " on one rank and " +
                      m.second_argument + " on another";
    finding.help = "name the same root on every rank; with a sub-group, src and dst are global ranks";
    report.push_back(std::move(finding));
  }
  for (const DivergentArgument& d : facts.divergent_arguments) {
    if (d.what != DivergentArgument::What::Root || !is_reported_outside_tests(facts, d.function)) continue;
    Finding finding = finding_at(kInfo, facts, d.function, d.range, d.certainty);
    finding.message = describe_foreign(d);
    finding.help = d.group.empty() ? "list ranks of the world, `get_process_group_ranks(group)` or "
                                     "`get_global_rank(group, r)`, and look for the rank of the world"
                                   : "pass `get_global_rank(group, r)`, the framework's source rank, or `group_src=r`";
    finding.fingerprint_key = d.op + " " + d.group + " foreign";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::divergent_root
