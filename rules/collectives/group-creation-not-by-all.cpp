#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::group_creation_not_by_all {

constexpr RuleInfo kInfo{.id = "group-creation-not-by-all",
                         .code = "RL107",
                         .summary = "a process group is created by some ranks only, or with different members",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "all ranks make the group in this call"};

constexpr const char* kHelp =
    "create every group on every rank, in the same order, and keep the one that contains this rank";

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::GroupCreation)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " is reached by " + m.first.ranks.text + " and not by " +
                      m.second.beside.text + "; every rank has to create every group";
    finding.help = kHelp;
    findings.push_back(std::move(finding));
  }
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Members)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " makes a group of " + m.first_argument +
                      " on one rank while another makes one of " + m.second_argument +
                      "; every rank has to create every group";
    finding.help = kHelp;
    findings.push_back(std::move(finding));
  }
  for (const DivergentArgument& d : shared.divergent_arguments) {
    if (!is_reported(shared, d.function) || is_run_through(shared, d.function)) continue;
    Finding finding = finding_at(kInfo, shared, d.function, d.range, d.certainty);
    finding.message =
        "`" + d.op + "` gets a list of ranks that differs between ranks; every rank has to create every group";
    finding.help =
        "loop over all groups on every rank, call `" + d.op + "` for each, and keep the one that holds this rank";
    finding.replay = d.replay;
    finding.fingerprint_key = d.op + " ranks";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::group_creation_not_by_all
