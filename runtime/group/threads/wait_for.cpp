#include "runtime/group/threads/wait_for.h"

namespace ranklint::runtime {

namespace {

std::vector<int> missing_members(const WaitFor& wait) {
  std::vector<int> missing;
  for (size_t i = 0; i < wait.group->size(); ++i)
    if (!wait.entry->postings[i].posted.load(std::memory_order_seq_cst)) missing.push_back(wait.group->ranks[i]);
  return missing;
}

std::vector<int> other_members(const WaitFor& wait) {
  std::vector<int> others = wait.group->ranks;
  others.erase(others.begin() + wait.member);
  return others;
}

// The other end's member, kAnySource when it may be any.
int peer_of(const Transfer& transfer) {
  return transfer.signature.op == OpType::Send ? transfer.to : transfer.from;
}

}  // namespace

bool is_ready(const WaitFor& wait) { return wait.entry ? wait.entry->all_arrived() : wait.transfer->ready(); }

bool is_disputed(const WaitFor& wait) { return wait.entry ? wait.entry->disputed() : wait.transfer->disputed(); }

WaitCondition condition_of(const WaitFor& wait) {
  if (is_disputed(wait)) return {.needs = WaitCondition::Needs::Nothing, .targets = {}};
  if (wait.entry) return {.needs = WaitCondition::Needs::AllOf, .targets = missing_members(wait)};
  const int peer = peer_of(*wait.transfer);
  if (peer == kAnySource) return {.needs = WaitCondition::Needs::AnyOf, .targets = other_members(wait)};
  return {.needs = WaitCondition::Needs::AllOf, .targets = {wait.group->global_rank(peer)}};
}

const Signature& signature_of(const WaitFor& wait) {
  if (wait.transfer) return wait.transfer->signature;
  return wait.entry->postings[static_cast<size_t>(wait.member)].signature;
}

uint64_t sequence_of(const WaitFor& wait) { return wait.entry ? wait.entry->sequence : wait.transfer->sequence; }

void describe(const WaitFor& wait, RankState& state) {
  const Signature& signature = signature_of(wait);
  state.op = signature.op;
  state.group = wait.group->name;
  state.sequence = sequence_of(wait);
  state.detail = describe(signature, wait.group->global_rank(signature.root));
  state.site = signature.site;
  state.implicit_in = std::string(signature.implicit_in);
  if (wait.entry) {
    state.waits_for = missing_members(wait);
  } else {
    state.waits_for = condition_of(wait).targets;
  }
}

}  // namespace ranklint::runtime
