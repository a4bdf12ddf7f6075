#include "runtime/group/watch/wait_for.h"

namespace ranklint::runtime {

namespace {

std::vector<int> missing_members(const WaitFor& wait) {
  std::vector<int> missing;
  for (size_t i = 0; i < wait.group->size(); ++i)
    if (!wait.entry->has_posted(i, wait.sequence)) missing.push_back(static_cast<int>(i));
  return missing;
}

std::vector<int> other_members(const WaitFor& wait) {
  std::vector<int> others;
  for (size_t i = 0; i < wait.group->size(); ++i)
    if (static_cast<int>(i) != wait.member) others.push_back(static_cast<int>(i));
  return others;
}

// The other end's member, kAnySource when it may be any.
int peer_of(const Transfer& transfer) { return transfer.is_send() ? transfer.to : transfer.from; }

// The members that have to act.
std::vector<int> awaited_members(const WaitFor& wait) {
  if (wait.entry) return missing_members(wait);
  const int peer = peer_of(*wait.transfer);
  return peer == kAnySource ? other_members(wait) : std::vector<int>{peer};
}

}  // namespace

bool is_ready(const WaitFor& wait) {
  if (wait.entry) return !is_disputed(wait) && wait.entry->all_posted(wait.sequence);
  if (wait.transfer) return wait.transfer->ready();
  return wait.flag->load(std::memory_order_seq_cst) != 0;
}

bool is_disputed(const WaitFor& wait) {
  if (wait.entry) return wait.entry->disputed.load(std::memory_order_seq_cst);
  return wait.transfer && wait.transfer->disputed();
}

WaitCondition condition_of(const WaitFor& wait) {
  if (is_disputed(wait)) return {.needs = WaitCondition::Needs::Nothing, .targets = {}};
  if (wait.flag) return {.needs = WaitCondition::Needs::AllOf, .targets = {wait.flag_seat}};
  const bool any = wait.transfer && peer_of(*wait.transfer) == kAnySource;
  std::vector<int> seats = awaited_members(wait);
  for (int& seat : seats) seat = wait.group->seat(seat);
  return {.needs = any ? WaitCondition::Needs::AnyOf : WaitCondition::Needs::AllOf, .targets = std::move(seats)};
}

WaitNode node_of(std::span<const WaitFor> waits) {
  WaitNode node;
  for (const WaitFor& wait : waits)
    if (!is_ready(wait)) node.conditions.push_back(condition_of(wait));
  if (!node.conditions.empty()) node.state = WaitNode::State::Waiting;
  return node;
}

void describe(const WaitFor& wait, RankState& state) {
  const Posting* const posting = wait.entry ? &wait.entry->postings[static_cast<size_t>(wait.member)] : nullptr;
  const Signature& signature = posting ? posting->signature : wait.transfer->signature;
  state.op = signature.op;
  state.group = wait.group->name;
  state.sequence = wait.entry ? wait.sequence : wait.transfer->sequence;
  const int root = wait.group->global_rank(signature.root);
  state.detail = posting ? describe(*posting, root) : describe(signature, root);
  state.site = signature.site;
  state.implicit_in = std::string(signature.implicit_in);
  state.waits_for = awaited_members(wait);
  for (int& member : state.waits_for) member = wait.group->global_rank(member);
}

}  // namespace ranklint::runtime
