#include "rules/p2p/transfers.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::p2p_self {

constexpr RuleInfo kInfo{.id = "p2p-self",
                         .code = "RL203",
                         .summary = "a rank sends to itself, or receives from itself",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the call is made in a job of several ranks"};

static bool is_own_rank(const Transfer& t) {
  if (!t.peer || (t.may_be_to_itself && !(t.sends && t.blocks))) return false;
  const std::optional<int64_t> here = only_rank(*t.call);
  const bool said = here && t.peer->kind == SeenValue::Kind::Integer && t.peer->integer == *here;
  // Who names itself by its number means it.
  return said || (t.peer->is_own_rank && !t.may_be_to_itself);
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Transfer& t : transfers_of(in.roles(), shared)) {
    if (!is_own_rank(t)) continue;
    Finding finding = finding_at(kInfo, shared, t.call->function, t.call->range,
                                 lower_of(t.call->certainty, t.peer->believed ? Confidence::Likely : Confidence::High));
    finding.message = std::string(t.sends ? "the destination" : "the source") + " of `" + std::string(t.call->op()) +
                      "` is the rank itself";
    if (t.call->op().empty())
      finding.message = std::string("the ") + (t.sends ? "destination" : "source") + " is the rank itself";
    finding.help = "copy the tensor, or name the other rank";
    const uint32_t rank = static_cast<uint32_t>(only_rank(*t.call).value_or(0));
    finding.replay = replay_templates::unanswered(
        {.op = t.sends ? "send" : "recv", .sends = t.sends, .rank = rank, .peer = rank, .at = finding.primary});
    finding.fingerprint_key = t.call->callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kTransferCalls};

}  // namespace ranklint::p2p_self
