#include "runtime/group/watch/dispute.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/group/watch/ranks_text.h"

namespace ranklint::runtime {

namespace {

struct Opinion {
  std::vector<int> members;  // who share it
  std::string text;          // "all_reduce (float32[4], sum) at train.cpp:12"
};

std::vector<size_t> posted_members(const Dispute& dispute) {
  std::vector<size_t> posted;
  for (size_t i = 0; i < dispute.group->size(); ++i)
    if (dispute.entry->has_posted(i, dispute.sequence)) posted.push_back(i);
  return posted;
}

// Who disagrees with more than half of the others, unless that is everybody.
std::vector<int> odd_ones_out(const Dispute& dispute, const std::vector<size_t>& posted) {
  const Members members(dispute.entry->postings);
  std::vector<int> odd;
  for (const size_t member : posted) {
    const auto disagrees = std::count_if(posted.begin(), posted.end(), [&](size_t other) {
      return other != member && !difference_between(members, member, other).empty();
    });
    if (2 * static_cast<size_t>(disagrees) > posted.size() - 1) odd.push_back(dispute.group->ranks[member]);
  }
  if (odd.size() == posted.size()) odd.clear();
  return odd;
}

std::string opinion_text(const Signature& signature, const std::string& detail) {
  return std::string(name_of(signature.op)) + (detail.empty() ? "" : " (" + detail + ")") + " at " +
         to_string(signature.site);
}

// Whoever has posted describes its call right after.
std::string opinion_of(size_t member, const Dispute& dispute) {
  const Posting& posting = dispute.entry->postings[member];
  while (posting.described.load(std::memory_order_acquire) != dispute.sequence) std::this_thread::yield();
  return opinion_text(posting.signature, describe(posting, dispute.group->global_rank(posting.signature.root)));
}

std::string opinions(const Dispute& dispute, const std::vector<size_t>& posted) {
  std::vector<Opinion> all;
  for (const size_t member : posted) {
    std::string text = opinion_of(member, dispute);
    const auto same = std::find_if(all.begin(), all.end(), [&](const Opinion& other) { return other.text == text; });
    Opinion& opinion = same == all.end() ? all.emplace_back(Opinion{{}, std::move(text)}) : *same;
    opinion.members.push_back(dispute.group->ranks[member]);
  }
  std::string text;
  for (const Opinion& opinion : all)
    text += (text.empty() ? "" : "; ") + ranks_text(opinion.members) + ": " + opinion.text;
  return text;
}

std::string first_difference(const Entry& entry, const std::vector<size_t>& posted) {
  for (size_t i = 0; i < posted.size(); ++i)
    for (size_t j = i + 1; j < posted.size(); ++j)
      if (const auto found = difference_between(Members(entry.postings), posted[i], posted[j]); !found.empty())
        return std::string(found);
  return {};
}

Verdict collective_verdict(const Dispute& dispute) {
  const std::vector<size_t> posted = posted_members(dispute);
  Verdict verdict{.kind = VerdictKind::Mismatch};
  verdict.odd_ranks = odd_ones_out(dispute, posted);
  Disagreement disagreement{.about = first_difference(*dispute.entry, posted), .group = dispute.group->id};
  for (const size_t member : posted) disagreement.calls.push_back({dispute.group->ranks[member], dispute.sequence});
  verdict.message = "members of group " + dispute.group->name + " disagree in call " +
                    std::to_string(dispute.sequence) + " about the " + disagreement.about + ": " +
                    opinions(dispute, posted);
  verdict.disagreement = std::move(disagreement);
  return verdict;
}

Verdict transfer_verdict(const Dispute& dispute) {
  const auto end = [&](const Transfer& transfer, int member) {
    const Signature& signature = transfer.signature;
    return ranks_text({dispute.group->global_rank(member)}) + ": " +
           opinion_text(signature, describe(signature, dispute.group->global_rank(signature.root)));
  };
  Verdict verdict{.kind = VerdictKind::Mismatch};
  const Transfer &send = *dispute.send, &recv = *dispute.recv;
  const std::string about(transfer_difference(send.signature, recv.signature));
  verdict.disagreement = Disagreement{.about = about,
                                      .group = dispute.group->id,
                                      .of_messages = true,
                                      .calls = {{dispute.group->global_rank(send.from), send.sequence},
                                                {dispute.group->global_rank(send.to), recv.sequence}}};
  verdict.message = "a send and its receive in group " + dispute.group->name + " disagree about the " + about + ": " +
                    end(*dispute.send, dispute.send->from) + "; " + end(*dispute.recv, dispute.send->to);
  return verdict;
}

}  // namespace

Verdict verdict_of(const Dispute& dispute) {
  return dispute.entry ? collective_verdict(dispute) : transfer_verdict(dispute);
}

}  // namespace ranklint::runtime
