// The groups that a function uses, and the worlds in which its ranks are compared.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/mesh/world.h"
#include "analyzer/questions/listed_ranks.h"
#include "analyzer/summary/query.h"

namespace ranklint {

struct UsedGroup {
  AxisSet axes;
  ValueId members;  // what it was made of: a list of ranks, or their colours. Invalid: nothing is known of that
};

// The axes in which two ranks may differ that are both in both groups.
AxisSet common(const AxisSet& x, const AxisSet& y);

class ComparedWorlds {
 public:
  using Worlds = std::vector<std::shared_ptr<const World>>;

  explicit ComparedWorlds(const Query& query);

  // Every group the function communicates on, each once.
  std::vector<UsedGroup> groups_of(const Summary& s) const;
  // And those whose ranks its conditions ask for.
  std::vector<UsedGroup> with_asked(std::vector<UsedGroup> groups, const Summary& s) const;
  // Nothing is known of it but where it came from: two of these may be the same group.
  bool is_nameless(const UsedGroup& group) const;
  // Whether it follows from the rank, by a colour or a list, which group of this kind a rank is in.
  bool is_distinguished(const UsedGroup& group) const;
  // The ranks of the job that the group was made of. Empty: nothing is known of that, one of them has no number that
  // is written down, or a small world has no room for them.
  ListedRanks members_of(const UsedGroup& group) const;
  // The axes that conditions and groups of the function name.
  void collect_axes(const Summary& s, AxisSet& axes) const;
  // Whether a condition asks for the rank in a group that only the caller knows, or within a node.
  bool depends_on_unknown_group(const AxisSet& axes) const;

  World world_of(const AxisSet& axes) const { return World(axes); }
  std::shared_ptr<const World> world_of(const AxisSet& axes, const std::vector<UsedGroup>& groups,
                                        const WorldNeeds& needs) const;
  // Of as many ranks as a condition names, where a small world has fewer and its ranks are no mesh's. Null: there is no
  // such condition.
  std::shared_ptr<const World> large_world(const AxisSet& axes, const WorldNeeds& needs) const;
  // Where the conditions ask for more ranks than there are in the small world, or for other numbers of them.
  Worlds other_worlds(const AxisSet& axes, const std::vector<UsedGroup>& groups, const World& small,
                      const WorldNeeds& needs) const;

 private:
  ValueId made_group(ValueId v) const;
  UsedGroup used(ValueId group) const;
  ValueId below_count(ValueId members) const;
  // Whether its members came by a colour each, so that every rank is in one such group.
  bool has_colors(const UsedGroup& group) const;
  // The colour that separates the ranks of the group from others. Invalid: it was not made that way.
  ValueId color_of(const UsedGroup& group) const;
  AxisSet without_colored(const AxisSet& axes, const std::vector<UsedGroup>& groups) const;
  void split_by_color(World& world, const std::vector<UsedGroup>& groups) const;

  const Query& in_;
};

}  // namespace ranklint
