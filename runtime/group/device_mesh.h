// Ranks arranged as a grid with named dimensions (torch's DeviceMesh): mesh.group("tp") holds the ranks that differ
// from this one along "tp" only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/group/world.h"

namespace ranklint::runtime {

class DeviceMesh {
 public:
  // Collective over the world; rank = row-major index into `shape`, whose product must be the world's size.
  DeviceMesh(RankContext& context, std::vector<int> shape, std::vector<std::string> names, Site site = Site::here());

  int dim() const { return static_cast<int>(shape_.size()); }
  // A dimension is counted from 0, or named; RankError{InvalidArgument} for one that is not there.
  int size(int dimension) const { return shape_[checked(dimension)]; }
  int coordinate(int dimension) const { return coordinate_[checked(dimension)]; }
  ProcessGroup& group(int dimension) { return groups_[checked(dimension)]; }
  ProcessGroup& group(std::string_view name);
  const std::vector<std::string>& names() const { return names_; }
  RankContext& context() const { return *context_; }
  // The same ranks in the same places under the same names; their groups need not be the same.
  friend bool operator==(const DeviceMesh& a, const DeviceMesh& b);

  // The part of the mesh along some of its dimensions, each at most once, that this rank lies in; makes no group.
  DeviceMesh slice(const std::vector<std::string>& names) const;
  // One dimension out of several neighbouring ones, in their order, with a name that the others do not have. Collective
  // over the world: it makes groups.
  DeviceMesh flatten(const std::vector<std::string>& names, std::string name, Site site = Site::here()) const;

 private:
  DeviceMesh() = default;

  size_t checked(int dimension) const;
  size_t index_of(std::string_view name) const;

  RankContext* context_ = nullptr;
  std::vector<int> shape_, coordinate_;
  std::vector<int> world_shape_;                 // of the mesh that this one was cut or flattened from
  std::vector<std::vector<size_t>> world_dims_;  // the dimensions of that mesh which each of ours stands for
  std::vector<std::string> names_;
  std::vector<ProcessGroup> groups_;
};

}  // namespace ranklint::runtime
