#include "analyzer/compare/tensor_facts.h"
#include "rules/p2p/transfers.h"
#include "rules/wording.h"

namespace ranklint::batched_p2p_order {

constexpr RuleInfo kInfo{.id = "batched-p2p-order",
                         .code = "RL204",
                         .summary = "tensors are sent to a neighbour in one order and received from it in another",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "tensors arrive in each other's place"};

constexpr std::string_view kCalls[] = {"P2POp", "send", "recv", "isend", "irecv"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->swapped_receives) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "this receives into `" + spot.name + "` what the neighbour sends from `" + spot.other_name +
                      "`: between two ranks, messages arrive in the order in which they are sent";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "sent at this turn"});
    finding.help = "receive in the order in which the neighbour sends";
    finding.fingerprint_key = spot.name + " " + spot.other_name;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::batched_p2p_order
