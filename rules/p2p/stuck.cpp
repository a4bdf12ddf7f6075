#include "rules/p2p/stuck.h"

#include <algorithm>

#include "rules/wording.h"

namespace ranklint {
namespace {

std::string rank_name(uint32_t rank) { return "rank " + std::to_string(rank); }

std::string where(const WaitingRank& w) {
  if (!w.in_message) return rank_name(w.rank) + " waits in `" + w.op + "` for " + rank_name(w.waits_for);
  return rank_name(w.rank) + (w.sends ? " sends to " : " receives from ") + rank_name(w.waits_for);
}

std::string message_of(const StuckMessage& m) {
  const WaitingRank& first = m.waiting[0];
  const std::string tagged = m.tag > 0 && m.tag < INT32_MAX ? " with tag " + std::to_string(m.tag) : "";
  if (!m.in_circle)
    return where(first) + tagged + (first.sends ? ", which does not receive it" : ", which does not send it");
  const bool by_all = m.waiting.size() == m.world_size;
  const auto all = [&](bool sends) {
    return by_all && std::ranges::all_of(m.waiting, [&](const WaitingRank& w) {
             return w.in_message && w.sends == sends && w.range == first.range;
           });
  };
  if (all(true))
    return "every rank sends first: none has come to its `recv` yet, so each `" + first.op + "` can wait forever";
  if (all(false))
    return "every rank receives first: none has come to its `send` yet, so each `" + first.op + "` waits forever";
  std::string text = where(first);
  for (size_t i = 1; i < m.waiting.size() && i < 3; ++i)
    text += ", " + std::string(i == 1 ? "which " : "which itself ") +
            where(m.waiting[i]).substr(rank_name(m.waiting[i].rank).size() + 1);
  return text + (m.waiting.size() > 3 ? ", and so on round" : "") +
         (m.buffers_help ? ": unless sends are buffered, none goes on" : ": none goes on");
}

}  // namespace

Finding finding_of(const RuleInfo& rule, const Shared& shared, const StuckMessage& m) {
  const WaitingRank& first = m.waiting[0];
  Finding finding = finding_at(rule, shared, first.function, first.range, m.certainty);
  finding.message = message_of(m);
  for (size_t i = 1; i < m.waiting.size(); ++i)
    if (!(m.waiting[i].range == first.range))
      finding.related.push_back({location_at(shared, m.waiting[i].function, m.waiting[i].range), where(m.waiting[i])});
  if (m.in_circle && finding.related.empty() && first.answered_in.valid())
    finding.related.push_back({location_at(shared, first.answered_in, first.answer),
                               first.sends ? "where each rank would receive" : "where each rank would send"});
  finding.help =
      m.in_circle ? "use batch_isend_irecv, start the sends with isend, or let one of the ranks do the opposite first"
                  : "let both ranks name each other, with one tag and equally often";
  finding.witness.assumptions = m.assumptions;
  finding.witness.assumptions.push_back("the job has " + std::to_string(m.world_size) + " ranks");
  finding.replay = m.replay;
  finding.fingerprint_key = first.op;
  return finding;
}

}  // namespace ranklint
