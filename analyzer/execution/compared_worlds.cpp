#include "analyzer/execution/compared_worlds.h"

#include <algorithm>

#include "analyzer/execution/made_by_some.h"
#include "analyzer/execution/residual.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

static constexpr size_t kMostGroups = 8;

ComparedWorlds::ComparedWorlds(const Query& query) : in_(query) {}

static void add_group(std::vector<UsedGroup>& groups, UsedGroup group) {
  const bool is_new = std::ranges::none_of(groups, [&](const UsedGroup& g) { return g.axes == group.axes; });
  if (is_new && groups.size() < kMostGroups) groups.push_back(std::move(group));
}

UsedGroup ComparedWorlds::used(ValueId group) const {
  const ValueId made = made_group(group);
  const bool listed = made.valid() && in_.values()[made].kind == ValueKind::Group && in_.values()[made].child_count;
  return {*in_.resolve_group(group, Unknown::FreshAxis), listed ? in_.values().child(made, 0) : ValueId{}};
}

std::vector<UsedGroup> ComparedWorlds::groups_of(const Summary& s) const {
  std::vector<UsedGroup> groups;
  for (const ValueId v : s.groups)
    if (!is_made_by_some(in_, s, v)) add_group(groups, used(v));
  return groups;
}

// What the function makes the group of.
static ValueId given_ranks(const Query& in, const Summary& s, const Axis& group) {
  const Site* place = in.made_at(group.origin);
  if (!place || in.values()[group.origin].kind != ValueKind::Opaque || place->function != s.function) return {};
  for (const Step& step : s.blocks[place->block.index].steps)
    if (step.event && step.event->ranks.valid() && in.site(step.site).instruction == place->instruction)
      return step.event->ranks;
  return {};
}

std::vector<UsedGroup> ComparedWorlds::with_asked(std::vector<UsedGroup> groups, const Summary& s) const {
  for (const BlockSteps& block : s.blocks) {
    if (!block.condition.valid()) continue;
    for (const Axis& axis : in_.values().variance(block.condition).axes)
      if (axis.is_one_group()) {
        AxisSet own;
        own.add(axis);
        add_group(groups, {std::move(own), given_ranks(in_, s, axis)});
      }
  }
  return groups;
}

// Of a choice between a group and None, which is the world, the group.
ValueId ComparedWorlds::made_group(ValueId v) const {
  const ValueStore& values = in_.values();
  while (v.valid() && values[v].kind == ValueKind::Conditional) {
    const ValueId yes = values.child(v, 1), no = values.child(v, 2);
    if (values[yes].kind != ValueKind::None && values[no].kind != ValueKind::None) break;
    v = values[yes].kind == ValueKind::None ? no : yes;
  }
  return v;
}

void ComparedWorlds::collect_axes(const Summary& s, AxisSet& axes) const {
  auto add = [&](const AxisSet& set) {
    for (const Axis& axis : set.axes)
      if (axis.kind != AxisKind::UnknownGroup) axes.add(axis);
  };
  for (const BlockSteps& block : s.blocks) {
    if (block.condition.valid()) add(in_.values().variance(block.condition));
    for (const Step& step : block.steps) {
      for (ValueId v : step.call.positional) add(in_.values().variance(v));
      for (const auto& [name, v] : step.call.keywords) add(in_.values().variance(v));
    }
  }
}

bool ComparedWorlds::is_nameless(const UsedGroup& group) const {
  if (group.axes.axes.size() != 1) return false;
  const AxisKind kind = group.axes.axes[0].kind;
  return kind == AxisKind::NamelessGroup || kind == AxisKind::ReturnedGroup;
}

// Of the members `range(n)`: whether a rank is below n.
ValueId ComparedWorlds::below_count(ValueId members) const {
  ValueStore& values = in_.values();
  if (is_call_of(values, in_.index(), members, Builtin::List) && values[members].child_count == 1)
    members = values.child(members, 0);
  const ValueId end = end_of_range(values, in_.index(), members);
  if (!end.valid()) return {};
  return values.binary(ir::Operator::Less, values.coordinate(AxisSet{.world = true, .axes = {}}), end);
}

bool ComparedWorlds::has_colors(const UsedGroup& group) const {
  return derived_of(in_.values(), in_.index(), group.members) == Derived::OfColor;
}

ValueId ComparedWorlds::color_of(const UsedGroup& group) const {
  if (!group.members.valid() || group.axes.axes.size() != 1) return {};
  return has_colors(group) ? in_.values().child(group.members, 0) : below_count(group.members);
}

ListedRanks ComparedWorlds::members_of(const UsedGroup& group) const {
  if (!group.members.valid() || group.axes.axes.size() != 1) return {};
  ListedRanks ranks = listed_ranks(in_, group.members).value_or(ListedRanks{});
  const bool has_room = !ranks.empty() && *ranks.begin() >= 0 && *ranks.rbegin() < World::kMostRanks;
  return has_room ? ranks : ListedRanks{};
}

bool ComparedWorlds::is_distinguished(const UsedGroup& group) const {
  return !members_of(group).empty() || color_of(group).valid();
}

// A group made by colour or from a list is not a dimension of the mesh: the colour or the list determines its members.
AxisSet ComparedWorlds::without_colored(const AxisSet& axes, const std::vector<UsedGroup>& groups) const {
  AxisSet plain;
  for (const Axis& axis : axes.axes)
    if (std::none_of(groups.begin(), groups.end(),
                     [&](const UsedGroup& g) { return is_distinguished(g) && g.axes.axes[0] == axis; }))
      plain.add(axis);
  return plain;
}

// Ranks whose colours are the same term are in one group, for any value. Those that a list does not name are in none.
void ComparedWorlds::split_by_color(World& world, const std::vector<UsedGroup>& groups) const {
  for (const UsedGroup& group : groups) {
    if (!is_distinguished(group)) continue;
    const ListedRanks listed = members_of(group);
    const ValueId color = listed.empty() ? color_of(group) : ValueId{};
    const auto colour_of = [&](uint32_t rank) -> int64_t {
      if (!color.valid()) return listed.contains(rank) ? 1 : World::kInNoGroup;
      const ValueId own = Scenario(in_, world, rank).residual(color);
      return !has_colors(group) && in_.values().truth(own) == ValueStore::Truth::No ? World::kInNoGroup
                                                                                    : static_cast<int64_t>(own.index);
    };
    std::vector<int64_t> colours;
    for (uint32_t rank = 0; rank < world.size(); ++rank) colours.push_back(colour_of(rank));
    world.split(group.axes.axes[0], std::move(colours));
  }
}

bool ComparedWorlds::depends_on_unknown_group(const AxisSet& axes) const {
  return axes.has(AxisKind::Local) || axes.has(AxisKind::Node) || axes.has(AxisKind::UnknownGroup);
}

std::shared_ptr<const World> ComparedWorlds::world_of(const AxisSet& axes, const std::vector<UsedGroup>& groups,
                                                      const WorldNeeds& needs) const {
  WorldNeeds with_members = needs;
  for (const UsedGroup& group : groups)
    if (const ListedRanks listed = members_of(group); !listed.empty())
      with_members.ranks = std::max(with_members.ranks, static_cast<uint32_t>(*listed.rbegin()) + 1);
  World world(without_colored(axes, groups), with_members);
  split_by_color(world, groups);
  return std::make_shared<const World>(std::move(world));
}

std::shared_ptr<const World> ComparedWorlds::large_world(const AxisSet& axes, const WorldNeeds& needs) const {
  return axes.axes.empty() && needs.large > 0 ? std::make_shared<const World>(World::flat(needs.large)) : nullptr;
}

ComparedWorlds::Worlds ComparedWorlds::other_worlds(const AxisSet& axes, const std::vector<UsedGroup>& groups,
                                                    const World& small, const WorldNeeds& needs) const {
  Worlds worlds;
  if (auto large = world_of(axes, groups, needs); large->size() != small.size()) worlds.push_back(std::move(large));
  // A question for the rank in the world may be answered along one axis, whose ranks are all there are.
  if (needs.ranks > 2)
    for (const Axis& axis : axes.axes) {
      if (axis.is_one_group()) continue;  // some ranks, by a list perhaps
      WorldNeeds along = needs;
      along.along[axis] = std::max(along.along[axis], std::min(needs.ranks, World::kMostAlong));
      worlds.push_back(world_of(axes, groups, along));
    }
  if (axes.axes.empty())
    for (const uint32_t size : needs.sizes)
      if (size != small.size()) worlds.push_back(std::make_shared<const World>(World::flat(size)));
  if (!needs.depends_on_size()) return worlds;
  if (axes.axes.empty()) {
    for (const uint32_t ranks : {2u, 3u}) worlds.push_back(std::make_shared<const World>(World::flat(ranks)));
    return worlds;
  }
  for (const uint32_t ranks : {3u, 4u}) {
    WorldNeeds of_each;
    for (const auto& [axis, count] : needs.along) of_each.along[axis] = ranks;
    worlds.push_back(world_of(axes, groups, of_each));
  }
  return worlds;
}

AxisSet common(const AxisSet& x, const AxisSet& y) {
  if (x.world) return y;
  if (y.world) return x;
  AxisSet both;
  for (const Axis& axis : x.axes)
    if (std::binary_search(y.axes.begin(), y.axes.end(), axis)) both.add(axis);
  return both;
}

}  // namespace ranklint
