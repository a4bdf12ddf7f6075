#include "rules/replay_templates.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ranklint::replay_templates {
namespace {

constexpr uint32_t kMostRanks = 64;  // more are not run

ReplayStep step_of(const Collective& c) {
  ReplayStep step;
  step.op = c.op;
  step.path = c.at.path;
  step.range = c.at.range;
  return step;
}

ReplayStep step_of(const Transfer& t, uint32_t peer) {
  ReplayStep step = step_of(Collective{t.op, {}, t.at});
  step.message = {.kind = t.sends ? Message::Kind::Send : Message::Kind::Receive, .peer = peer, .tag = t.tag};
  return step;
}

std::vector<uint32_t> every_rank(uint32_t world_size) {
  std::vector<uint32_t> ranks(world_size);
  for (uint32_t rank = 0; rank < world_size; ++rank) ranks[rank] = rank;
  return ranks;
}

Replay replay_of(const Collective& c, uint32_t world_size) {
  Replay replay;
  replay.basis = Replay::Basis::Told;
  replay.world_size = world_size;
  replay.groups.push_back({c.group, std::vector<std::vector<uint32_t>>(world_size, every_rank(world_size))});
  replay.ranks.resize(world_size);
  replay.fails.assign(world_size, false);
  replay.parts = true;
  replay.path = c.at.path;
  replay.waits = c.at.range;
  return replay;
}

std::shared_ptr<const Replay> shared(Replay replay) { return std::make_shared<const Replay>(std::move(replay)); }

// "0, 1"
std::vector<uint32_t> numbers_in(std::string_view text) {
  std::vector<uint32_t> numbers;
  while (!text.empty()) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    text.remove_prefix(std::min<size_t>(text.size(), static_cast<size_t>(end - text.data()) + 2));
  }
  return numbers;
}

}  // namespace

std::shared_ptr<const Replay> by_one_alone(const Collective& c) {
  Replay replay = replay_of(c, 2);
  replay.ranks[0].push_back(step_of(c));
  return shared(std::move(replay));
}

std::shared_ptr<const Replay> in_two_orders(const Collective& c) {
  Replay replay = replay_of(c, 2);
  for (size_t rank = 0; rank < 2; ++rank)
    for (const std::string_view tag : {rank == 0 ? "a" : "b", rank == 0 ? "b" : "a"}) {
      replay.ranks[rank].push_back(step_of(c));
      replay.ranks[rank].back().tag = tag;
    }
  return shared(std::move(replay));
}

std::shared_ptr<const Replay> on_other_terms(const Collective& c) {
  Replay replay = replay_of(c, 2);
  for (size_t rank = 0; rank < 2; ++rank) {
    replay.ranks[rank].push_back(step_of(c));
    replay.ranks[rank].back().tag = rank == 0 ? "of one kind" : "of another";
  }
  return shared(std::move(replay));
}

std::shared_ptr<const Replay> unanswered(const Transfer& t) {
  if (std::max(t.rank, t.peer) >= kMostRanks) return nullptr;
  Replay replay = replay_of({t.op, "world", t.at}, std::max({t.rank + 1, t.peer + 1, uint32_t{2}}));
  replay.ranks[t.rank].push_back(step_of(t, t.peer));
  replay.waiter = static_cast<int>(t.rank);
  return shared(std::move(replay));
}

std::shared_ptr<const Replay> in_a_circle(const Transfer& first, const Transfer& then) {
  constexpr uint32_t kRanks = 4;
  Replay replay = replay_of({first.op, "world", first.at}, kRanks);
  for (uint32_t rank = 0; rank < kRanks; ++rank)
    for (const Transfer& t : {first, then})
      replay.ranks[rank].push_back(step_of(t, (rank + (t.sends ? 1 : kRanks - 1)) % kRanks));
  return shared(std::move(replay));
}

std::shared_ptr<const Replay> by_an_outsider(const Collective& c, uint32_t outsider, const std::string& members) {
  std::vector<uint32_t> inside = numbers_in(members);
  const uint32_t highest =
      inside.empty() ? outsider : std::max(outsider, *std::max_element(inside.begin(), inside.end()));
  Replay replay = replay_of(c, std::max(highest + 1, uint32_t{4}));
  const bool no_group = inside.empty();
  if (no_group) {
    inside = every_rank(replay.world_size);
    std::erase(inside, outsider);
  }
  replay.groups.push_back({c.group, std::vector<std::vector<uint32_t>>(replay.world_size, inside)});
  replay.groups[0].name = "world";
  for (uint32_t rank = 0; rank < replay.world_size; ++rank) {
    const bool member = std::find(inside.begin(), inside.end(), rank) != inside.end();
    if (!member && rank != outsider) continue;
    replay.ranks[rank].push_back(step_of(c));
    replay.ranks[rank].back().group = member || !no_group ? 1 : 0;
  }
  return shared(std::move(replay));
}

}  // namespace ranklint::replay_templates
