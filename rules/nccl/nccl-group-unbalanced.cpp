// Between ncclGroupStart and ncclGroupEnd calls are only gathered: a group that some way through a function leaves open
// launches nothing, now and in all groups that follow in that thread.
#include "analyzer/questions/brackets.h"
#include "rules/nccl/function.h"
#include "rules/wording.h"

namespace ranklint::nccl_group_unbalanced {

constexpr RuleInfo kInfo{.id = "nccl-group-unbalanced",
                         .code = "RL850",
                         .summary = "an NCCL group is opened and not closed on every way",
                         .since = "0.1",
                         .no_wait = "nothing is launched, on every rank",
                         .premise = "the way is taken"};

static Finding finding_of(const Shared& shared, FunctionKey f, const Brackets::Imbalance& place, std::string message,
                          std::string help) {
  Finding finding = finding_at(kInfo, shared, f, place.range, Confidence::High);
  finding.message = std::move(message);
  finding.help = std::move(help);
  if (place.leaves.line)
    finding.related.push_back({{finding.primary.path, place.leaves}, "here the function is left with the group open"});
  finding.fingerprint_key = "group";
  return finding;
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  std::vector<std::pair<FunctionKey, SourceRange>> alone;  // opened in a function that closes nothing
  bool closed_somewhere = false;
  for (const FunctionKey f : cpp_functions(shared)) {
    const Brackets groups(*shared.index, f, "ncclGroupStart", "ncclGroupEnd");
    closed_somewhere |= groups.closes();
    if (!is_reported(shared, f)) continue;
    if (groups.opens() && !groups.closes()) alone.emplace_back(f, groups.opening().front());
    if (!groups.left_open().empty())
      findings.push_back(finding_of(
          shared, f, groups.left_open().front(),
          "the NCCL group opened here stays open on a way out of the function: nothing that was gathered is launched",
          "call ncclGroupEnd on every way"));
    else if (!groups.closed_too_often().empty())
      findings.push_back(finding_of(shared, f, groups.closed_too_often().front(),
                                    "`ncclGroupEnd` is reached on a way on which no group was opened",
                                    "open the group on the same ways"));
  }
  if (closed_somewhere) return findings;
  for (const auto& [function, range] : alone)
    findings.push_back(finding_of(shared, function, {range, {}},
                                  "the NCCL group opened here is closed nowhere: nothing that was gathered is launched",
                                  "call ncclGroupEnd"));
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::nccl_group_unbalanced
