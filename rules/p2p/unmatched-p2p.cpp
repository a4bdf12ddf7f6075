// Sends and receives of one function, each of one known rank, matched in pairs.
//
// `if rank == 0: send(x, 1)` needs a `recv` from 0 under `rank == 1`, with the same tag, the same number of times. Only
// functions count in which all is known of every transfer: the rank by the condition, the peer and the tag by
// constants, and no loop.
#include <algorithm>
#include <map>
#include <tuple>

#include "rules/p2p/stuck.h"
#include "rules/p2p/transfers.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::unmatched_p2p {

constexpr RuleInfo kInfo{.id = "unmatched-p2p",
                         .code = "RL202",
                         .summary = "a send without its receive: another peer, another tag, or another number of them",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "nothing out of sight sends or receives it"};

// From, to, tag.
using Channel = std::tuple<int64_t, int64_t, int64_t>;

struct Traffic {
  std::vector<const Transfer*> sends, receives;
};

static std::optional<Channel> channel_of(const Transfer& t) {
  const std::optional<int64_t> here = only_rank(*t.call);
  if (!here || !t.tag || !t.peer || t.peer->kind != SeenValue::Kind::Integer) return std::nullopt;
  return t.sends ? Channel{*here, t.peer->integer, *t.tag} : Channel{t.peer->integer, *here, *t.tag};
}

static std::string describe(const Channel& channel, bool sends, size_t surplus) {
  const auto& [from, to, tag] = channel;
  const std::string tagged = tag == 0 ? "" : " with tag " + std::to_string(tag);
  const std::string count = surplus == 1 ? "" : std::to_string(surplus) + " times more than ";
  if (sends)
    return "rank " + std::to_string(from) + " sends to rank " + std::to_string(to) + tagged + ", which " +
           (count.empty() ? "does not receive it" : "is " + count + "it receives");
  return "rank " + std::to_string(to) + " receives from rank " + std::to_string(from) + tagged +
         ", which does not send it";
}

static void report_surplus(const Shared& shared, const Channel& channel, const std::vector<const Transfer*>& more,
                           size_t fewer, std::vector<Finding>& findings) {
  const Transfer& t = *more[fewer];
  Finding finding =
      finding_at(kInfo, shared, t.call->function, t.call->range, lower_of(t.call->certainty, Confidence::High));
  finding.message = describe(channel, t.sends, more.size() - fewer);
  finding.help = "let both ranks name each other, with one tag and equally often";
  const auto& [from, to, tag] = channel;
  if (from >= 0 && to >= 0)
    finding.replay = replay_templates::unanswered({.op = t.sends ? "send" : "recv",
                                                   .sends = t.sends,
                                                   .rank = static_cast<uint32_t>(t.sends ? from : to),
                                                   .peer = static_cast<uint32_t>(t.sends ? to : from),
                                                   .tag = static_cast<int32_t>(tag),
                                                   .at = finding.primary});
  finding.fingerprint_key = t.call->callee;
  findings.push_back(std::move(finding));
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const StuckMessage& m : shared.messages.stuck)
    if (!m.in_circle && is_reported(shared, m.waiting[0].function)) findings.push_back(finding_of(kInfo, shared, m));
  const std::vector<Transfer> transfers = transfers_of(in.roles(), shared);
  for (size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
    std::map<Channel, Traffic> traffic;
    bool known = true, both[2] = {false, false};
    for (end = begin; end < transfers.size() && transfers[end].call->function == transfers[begin].call->function;
         ++end) {
      const Transfer& t = transfers[end];
      const std::optional<Channel> channel = channel_of(t);
      known &= channel.has_value();
      both[t.sends] = true;
      if (channel) (t.sends ? traffic[*channel].sends : traffic[*channel].receives).push_back(&t);
    }
    if (!known || !both[0] || !both[1] || shared.messages.judged.contains(transfers[begin].call->function)) continue;
    for (const auto& [channel, flow] : traffic) {
      if (std::get<0>(channel) == std::get<1>(channel)) continue;  // p2p-self
      if (flow.sends.size() > flow.receives.size())
        report_surplus(shared, channel, flow.sends, flow.receives.size(), findings);
      if (flow.receives.size() > flow.sends.size())
        report_surplus(shared, channel, flow.receives, flow.sends.size(), findings);
    }
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kTransferCalls, .reads_messages = true};

}  // namespace ranklint::unmatched_p2p
