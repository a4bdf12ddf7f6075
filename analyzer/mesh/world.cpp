#include "analyzer/mesh/world.h"

#include <algorithm>

namespace ranklint {

void WorldNeeds::add(const WorldNeeds& other) {
  for (const auto& [axis, count] : other.along) along[axis] = std::max(along[axis], count);
  ranks = std::max(ranks, other.ranks);
  large = std::max(large, other.large);
  questions += other.questions;
  tests_last_rank = tests_last_rank || other.tests_last_rank;
  sizes.insert(other.sizes.begin(), other.sizes.end());
  while (sizes.size() > World::kMostSizes) sizes.erase(std::prev(sizes.end()));
}

World::World(const AxisSet& named, const WorldNeeds& needs) {
  outer_ = 2;
  for (const Axis& axis : named.axes) {
    if (axis.kind == AxisKind::Local || axis.kind == AxisKind::Node || axes_.size() >= kMostAxes) continue;
    const auto asked = needs.along.find(axis);
    const uint32_t wanted = asked == needs.along.end() ? 2 : std::clamp(asked->second, 2u, kMostAlong);
    axes_.push_back(axis);
    sizes_.push_back(outer_ * inner() * wanted <= kMostRanks ? wanted : 2);
  }
  if (axes_.empty()) outer_ = 4;
  // An even number, for two nodes.
  while (outer_ * inner() < std::min(needs.ranks, kMostRanks)) outer_ += 2;
  size_ = outer_ * inner();
}

uint32_t World::inner() const {
  uint32_t product = 1;
  for (uint32_t size : sizes_) product *= size;
  return product;
}

World World::flat(uint32_t ranks) {
  World world(AxisSet{});
  world.outer_ = world.size_ = ranks;
  return world;
}

uint32_t World::digit(uint32_t rank, size_t axis) const {
  for (size_t faster = axes_.size() - 1; faster > axis; --faster) rank /= sizes_[faster];
  return rank % sizes_[axis];
}

void World::split(const Axis& axis, std::vector<int64_t> colours) { colours_[axis] = std::move(colours); }

const std::vector<int64_t>* World::colours_of(const AxisSet& group) const {
  if (group.world || group.axes.size() != 1) return nullptr;
  const auto found = colours_.find(group.axes[0]);
  return found == colours_.end() ? nullptr : &found->second;
}

uint32_t World::size(const AxisSet& group) const {
  if (group.world) return size_;
  if (const auto* colours = colours_of(group)) {
    const auto grouped = std::find_if(colours->begin(), colours->end(), [](int64_t c) { return c != kInNoGroup; });
    return grouped == colours->end() ? 0 : static_cast<uint32_t>(std::count(grouped, colours->end(), *grouped));
  }
  uint32_t size = 1;
  for (const Axis& axis : group.axes) {
    if (axis.kind == AxisKind::Local) return size_ / 2;
    const auto found = std::find(axes_.begin(), axes_.end(), axis);
    size *= found == axes_.end() ? 2 : sizes_[static_cast<size_t>(found - axes_.begin())];
  }
  return size;
}

int64_t World::coordinate(uint32_t rank, const AxisSet& group) const {
  if (group.world) return rank;
  if (const auto* colours = colours_of(group))
    return (*colours)[rank] == kInNoGroup ? -1
                                          : std::count(colours->begin(), colours->begin() + rank, (*colours)[rank]);
  uint32_t coordinate = 0;
  for (const Axis& axis : group.axes) {
    if (axis.kind == AxisKind::Local) return rank % (size_ / 2);
    if (axis.kind == AxisKind::Node) return rank / (size_ / 2);
    auto found = std::find(axes_.begin(), axes_.end(), axis);
    if (found == axes_.end()) continue;
    const size_t place = static_cast<size_t>(found - axes_.begin());
    coordinate = coordinate * sizes_[place] + digit(rank, place);
  }
  return coordinate;
}

std::vector<uint32_t> World::members(uint32_t rank, const AxisSet& group) const {
  std::vector<uint32_t> members;
  if (const auto* colours = colours_of(group)) {
    if ((*colours)[rank] == kInNoGroup) return {rank};
    for (uint32_t other = 0; other < size_; ++other)
      if ((*colours)[other] == (*colours)[rank]) members.push_back(other);
    return members;
  }
  for (uint32_t other = 0; other < size_; ++other) {
    bool same = true;
    if (!group.world) {
      const bool within_node = group.has(AxisKind::Local);
      const bool across_nodes = group.has(AxisKind::Node);
      if (within_node || across_nodes) {
        if (!across_nodes) same = other / (size_ / 2) == rank / (size_ / 2);
        if (!within_node) same = other % (size_ / 2) == rank % (size_ / 2);
      } else {
        same = other / inner() == rank / inner();
        for (size_t axis = 0; axis < axes_.size() && same; ++axis)
          same = digit(other, axis) == digit(rank, axis) ||
                 std::binary_search(group.axes.begin(), group.axes.end(), axes_[axis]);
      }
    }
    if (same) members.push_back(other);
  }
  return members;
}

}  // namespace ranklint
