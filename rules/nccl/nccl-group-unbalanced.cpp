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
                         .no_wait = "nothing is launched, on every rank"};

static Finding finding_of(const Facts& facts, FunctionKey f, const Brackets::Place& place, std::string message,
                          std::string help) {
  Finding finding = finding_at(kInfo, facts, f, place.range, Certainty::High);
  finding.message = std::move(message);
  finding.help = std::move(help);
  if (place.leaves.line)
    finding.related.push_back({{finding.primary.path, place.leaves}, "here the function is left with the group open"});
  finding.fingerprint_key = "group";
  return finding;
}

static void check(const Facts& facts, Reporter& report) {
  std::vector<std::pair<FunctionKey, SourceRange>> alone;  // opened in a function that closes nothing
  bool closed_somewhere = false;
  for (const FunctionKey f : cpp_functions(facts)) {
    const Brackets groups(*facts.index, f, "ncclGroupStart", "ncclGroupEnd");
    closed_somewhere |= groups.closes();
    if (!is_reported(facts, f)) continue;
    if (groups.opens() && !groups.closes()) alone.push_back({f, groups.opening().front()});
    if (!groups.left_open().empty())
      report.push_back(finding_of(
          facts, f, groups.left_open().front(),
          "the NCCL group opened here stays open on a way out of the function: nothing that was gathered is launched",
          "call ncclGroupEnd on every way"));
    else if (!groups.closed_too_often().empty())
      report.push_back(finding_of(facts, f, groups.closed_too_often().front(),
                                  "`ncclGroupEnd` is reached on a way on which no group was opened",
                                  "open the group on the same ways"));
  }
  if (closed_somewhere) return;
  for (const auto& [function, range] : alone)
    report.push_back(finding_of(facts, function, {range, {}},
                                "the NCCL group opened here is closed nowhere: nothing that was gathered is launched",
                                "call ncclGroupEnd"));
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check};

}  // namespace ranklint::nccl_group_unbalanced
