// Every rank waits for another one that waits itself.
//
// Where all ranks run the same line, `send(x, next); recv(y, previous)` is a cycle of senders without a receiver: each
// reaches its receive after its own send. Whether a send waits depends on the back end and on the size of the
// message, which is why such code works until it does not. The reverse order always hangs: no rank has sent
// anything yet.
#include <algorithm>

#include "analyzer/summary/query.h"
#include "rules/p2p/stuck.h"
#include "rules/p2p/transfers.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::p2p_cycle {

constexpr RuleInfo kInfo{.id = "p2p-cycle",
                         .code = "RL201",
                         .summary = "all ranks send, or all ranks receive, before any does the opposite",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "all ranks take this way"};

// A blocking transfer that every rank comes to, with a peer that follows from its own number. In a chain, `rank - 1`,
// the first or the last rank has no such peer and takes another way. MPI has a peer that stands for none.
static bool by_all_ranks(const Transfer& t) {
  return t.blocks && t.peer && !t.may_be_to_itself && t.peer->differs_by_rank() && !t.peer->is_offset &&
         t.peer->local.empty() && !is_rank_guarded(*t.call);
}

static replay_templates::Transfer transfer_of(const Transfer& t, Location at) {
  return {.op = t.sends ? "send" : "recv",
          .sends = t.sends,
          .tag = static_cast<int32_t>(t.tag.value_or(0)),
          .at = std::move(at)};
}

// Where every run of the function is known, that decides.
static bool is_judged(const Shared& shared, const Transfer& t) {
  return shared.messages.judged.contains(t.call->function);
}

// Whether a rank that comes to the one block comes to the other in no case.
static bool exclude_each_other(const FlowGraph& graph, ir::BlockId a, ir::BlockId b) {
  if (graph.dominates(a, b) || graph.dominates(b, a)) return false;
  ir::BlockId above = a;
  while (!graph.dominates(above, b)) above = graph.dominator(above);
  const ir::BlockId join = graph.join(above);
  return !join.valid() || (!graph.dominates(join, a) && !graph.dominates(join, b));
}

// Whether some ranks do the opposite elsewhere and never come here. Ranks on a path with sends and without receives are
// not all ranks: others have to receive.
static bool others_do_the_opposite(const Query& in, const std::vector<Transfer>& transfers, const Transfer& first) {
  const Summary* s = in.summary(first.call->function);
  if (!s) return false;
  const auto exclude = [&](const Transfer& a, const Transfer& b) {
    return exclude_each_other(s->graph(), a.call->block, b.call->block);
  };
  const auto is_here = [&](const Transfer& t) { return t.call->function == first.call->function; };
  return std::ranges::any_of(transfers, [&](const Transfer& t) {
    return is_here(t) && t.sends != first.sends && exclude(t, first) &&
           std::ranges::none_of(
               transfers, [&](const Transfer& u) { return is_here(u) && u.sends == first.sends && !exclude(t, u); });
  });
}

static void report_circles(const Shared& shared, std::vector<Finding>& findings) {
  for (const StuckMessage& m : shared.messages.stuck)
    if (m.in_circle && is_reported(shared, m.waiting[0].function)) findings.push_back(finding_of(kInfo, shared, m));
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  report_circles(shared, findings);
  const std::vector<Transfer> transfers = transfers_of(in.roles(), shared);
  FunctionKey last;
  for (const Transfer& first : transfers) {
    if (first.call->function == last || !by_all_ranks(first) || is_judged(shared, first)) continue;
    const auto answers = [&](const Transfer& t) {
      return t.sends != first.sends && by_all_ranks(t) && runs_before(*first.call, *t.call);
    };
    const auto precedes = [&](const Transfer& t) {
      return t.sends != first.sends && runs_before(*t.call, *first.call);
    };
    const auto answer = std::find_if(transfers.begin(), transfers.end(), answers);
    if (answer == transfers.end() || std::any_of(transfers.begin(), transfers.end(), precedes) ||
        others_do_the_opposite(in, transfers, first))
      continue;
    last = first.call->function;
    Finding finding = finding_at(kInfo, shared, first.call->function, first.call->range,
                                 lower_of(first.call->certainty, Confidence::Likely));
    finding.message = first.sends
                          ? "every rank sends first: none has come to its `recv` yet, so each `send` can wait forever"
                          : "every rank receives first: none has come to its `send` yet, so each `recv` waits forever";
    finding.related.push_back({{finding.primary.path, answer->call->range},
                               first.sends ? "where each rank would receive" : "where each rank would send"});
    finding.help =
        "use batch_isend_irecv, start the sends with isend, or let even ranks send first and odd ranks receive first";
    finding.replay = replay_templates::in_a_circle(transfer_of(first, finding.primary),
                                                   transfer_of(*answer, {finding.primary.path, answer->call->range}));
    finding.fingerprint_key = first.sends ? "send" : "recv";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kTransferCalls, .reads_messages = true};

}  // namespace ranklint::p2p_cycle
