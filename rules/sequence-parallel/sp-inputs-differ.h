// What ranks of one model-parallel group have to have alike, and where it differs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/project/shared.h"
#include "analyzer/summary/query.h"

namespace ranklint::sp_inputs_differ {

// A group whose ranks see the same data.
struct GroupInSight {
  FunctionKey function;
  SourceRange range;
  std::string name;               // as messages call it
  bool same_activations = false;  // what its ranks have between two layers is alike, too
};

// Those that the text of a file shows: a function that is used where there are some, a mesh with such a dimension, the
// group of a framework along such an axis.
class GroupsInSight {
 public:
  GroupsInSight(const Query& in, const Shared& shared);

  // The first one in the function's file; null: none.
  const GroupInSight* beside(FunctionKey f) const { return first(f, false); }
  const GroupInSight* with_same_activations_beside(FunctionKey f) const { return first(f, true); }

 private:
  const GroupInSight* first(FunctionKey f, bool same_activations) const;
  void note_axis(FunctionKey f, SourceRange range, std::string_view axis);
  void note(const GroupInSight& group) { groups_[index_.functions()[group.function].module].push_back(group); }

  const Query& in_;
  const ProjectIndex& index_;
  std::map<ModuleKey, std::vector<GroupInSight>> groups_;
};

// The number of ranks of the world, and this rank's number among them.
bool is_rank_of_world(const ValueStore& values, ValueId v);
bool is_size_of_world(const ValueStore& values, ValueId v);

// Samples that an object of the project deals out by the rank in the world.
struct OwnSamples {
  FunctionKey function;
  SourceRange range;
  std::string by;  // the class, in one word
  GroupInSight group;
};
std::vector<OwnSamples> own_samples(const Query& in, const GroupsInSight& groups);

// Random numbers that are seeded by the rank in the world.
struct OwnSeed {
  FunctionKey function;
  SourceRange range;
  std::string by;  // what seeds them, in one word
  GroupInSight group;
  SourceRange used;  // where the numbers are drawn or cut into parts; unknown: anywhere
};
std::vector<OwnSeed> own_seeds(const Query& in, const GroupsInSight& groups);

}  // namespace ranklint::sp_inputs_differ
