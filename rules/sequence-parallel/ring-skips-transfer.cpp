#include "analyzer/compare/tensor_facts.h"
#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::ring_skips_transfer {

constexpr RuleInfo kInfo{.id = "ring-skips-transfer",
                         .code = "RL605",
                         .summary = "a rank leaves out the exchange with its neighbours together with the computation",
                         .severity = Severity::Error,
                         .since = "0.1"};

// What makes a batch of transfers, and how functions around one are called.
constexpr std::string_view kCalls[] = {"batch_isend_irecv",
                                       "commit",
                                       "send_recv",
                                       "send_recv_kv",
                                       "ring_exchange",
                                       "ring_send_recv",
                                       "ring_pass",
                                       "rotate",
                                       "rotate_kv",
                                       "exchange",
                                       "exchange_kv",
                                       "send_recv_tensors",
                                       "shift"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->skipped_exchanges) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        "ranks that this step is not for leave out the exchange: their neighbours, which have other numbers, wait for "
        "them";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "ranks diverge here"});
    finding.help = "make the exchange in every step on every rank, and put only the computation under the condition";
    finding.replay = told::unanswered({.op = "send", .at = finding.primary});
    finding.fingerprint_key = spot.name;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::ring_skips_transfer
