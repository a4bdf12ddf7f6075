#include "analyzer/flow/reached.h"
#include "analyzer/messages/message_walk.h"
#include "analyzer/summary/is_call.h"

namespace ranklint {

uint32_t MessageChoices::next(uint32_t options) {
  const uint32_t taken = taken_.size() < wanted_.size() ? wanted_[taken_.size()] : 0;
  taken_.emplace_back(taken, options);
  return taken;
}

bool MessageChoices::holds(const ValueStore& values, ValueId term) {
  if (const ValueStore::Truth known = shared_.decide(values, term); known != ValueStore::Truth::Unknown)
    return known == ValueStore::Truth::Yes;
  const bool yes = next(2) == 0;
  shared_.assume(values, term, yes);
  return yes;
}

// Two rounds show what a second one finds; none and one are what may be left out.
uint32_t MessageChoices::rounds(ValueId iterable) {
  const auto known = rounds_.find(iterable);
  return known != rounds_.end() ? known->second : rounds_[iterable] = 2 - next(3);
}

bool MessageChoices::advance() {
  while (!taken_.empty() && taken_.back().first + 1 >= taken_.back().second) taken_.pop_back();
  if (taken_.empty()) return false;
  std::vector<uint32_t> wanted;
  for (const auto& [taken, options] : taken_) wanted.push_back(taken);
  ++wanted.back();
  *this = MessageChoices(std::move(wanted));
  return true;
}

namespace {

unsigned directions(TransferDirection direction) {
  switch (direction) {
    case TransferDirection::Sends: return Directions::kSends;
    case TransferDirection::Receives: return Directions::kReceives;
    case TransferDirection::Both: return Directions::kBoth;
  }
  return Directions::kBoth;
}

}  // namespace

TransferDirection direction_of(const Query& in, ValueId operation) {
  const Model* model = operation.valid() ? in.model_of(operation) : nullptr;
  return model ? model->direction : TransferDirection::Both;
}

// All that can be reached by calls, as far as it takes to know that there is both.
unsigned Directions::of(FunctionKey f) const {
  if (const auto known = known_.find(f); known != known_.end()) return known->second;
  unsigned found = 0;
  std::vector<FunctionKey> work{f};
  std::set<FunctionKey> seen{f};
  while (!work.empty() && found != kBoth) {
    const FunctionKey next = work.back();
    work.pop_back();
    if (const auto known = known_.find(next); known != known_.end()) {
      found |= known->second;
      continue;
    }
    const Summary* s = in_.summary(next);
    if (!s || !s->transfers) continue;
    std::vector<FunctionKey> called;
    for (const BlockSteps& block : s->blocks) found |= of_steps(block, called);
    for (const FunctionKey callee : called)
      if (seen.insert(callee).second) work.push_back(callee);
  }
  return known_[f] = found;
}

unsigned Directions::of_steps(const BlockSteps& block, std::vector<FunctionKey>& called) const {
  unsigned found = 0;
  const auto add_targets = [&](const Step& step) {
    for (const Target& target : in_.targets(step.call.callee)) called.push_back(target.function);
  };
  for (const Step& step : block.steps)
    if (is_call(step)) add_targets(step);
  for (const Step& step : block.point_to_point) {
    if (step.transfer && in_.roles().play(step.transfer->name, Role::DescribesMessage) && !step.call.positional.empty())
      found |= directions(direction_of(in_, step.call.positional[0]));
    else if (step.transfer && !in_.roles().play(step.transfer->name, Role::MovesDescribed))
      found |= directions(step.transfer->direction);
    else if (is_call(step))
      add_targets(step);
  }
  return found;
}

unsigned Directions::of_block(const BlockSteps& block) const {
  std::vector<FunctionKey> called;
  unsigned found = of_steps(block, called);
  for (const FunctionKey f : called) found |= of(f);
  return found;
}

unsigned Directions::between(const Summary& s, ir::BlockId from, ir::BlockId join) const {
  const ir::Function& f = in_.index().function(s.function);
  unsigned found = 0;
  reached_from({from}, [&](ir::BlockId block) {
    if (block == join) return std::vector<ir::BlockId>();
    found |= of_block(s.blocks[block.index]);
    return FlowGraph::successors(f.blocks[block]);
  });
  return found;
}

}  // namespace ranklint
