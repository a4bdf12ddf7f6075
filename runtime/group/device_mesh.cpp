#include "runtime/group/device_mesh.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ranklint::runtime {

namespace {

// How many ranks the dimensions hold; beyond what an int can count, that many.
int ranks_in(const std::vector<int>& shape) {
  constexpr int64_t kMost = std::numeric_limits<int>::max();
  int64_t ranks = 1;
  for (const int size : shape) ranks = std::min(ranks * size, kMost);
  return static_cast<int>(ranks);
}

// Row-major: the last dimension runs fastest.
std::vector<int> coordinate_of(int rank, const std::vector<int>& shape) {
  std::vector<int> coordinate(shape.size());
  for (size_t i = shape.size(); i-- > 0; rank /= shape[i]) coordinate[i] = rank % shape[i];
  return coordinate;
}

[[noreturn]] void refuse(const std::string& why) { fail(ErrorKind::InvalidArgument, "DeviceMesh: " + why); }

void require_distinct(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name) refuse("two dimensions are named " + *name);
}

void check(const std::vector<int>& shape, const std::vector<std::string>& names, int world_size) {
  if (shape.size() != names.size()) refuse("a name is needed for each dimension");
  if (std::any_of(shape.begin(), shape.end(), [](int size) { return size < 1; })) refuse("a dimension without ranks");
  require_distinct(names);
  if (const int ranks = ranks_in(shape); ranks != world_size)
    refuse("the dimensions hold " + std::to_string(ranks) + " ranks, the world has " + std::to_string(world_size));
}

// A number for the ranks that differ along `chosen` only: their common coordinates in the other dimensions.
int color_of(const std::vector<int>& coordinate, const std::vector<int>& shape, const std::vector<size_t>& chosen) {
  int color = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) color = color * shape[i] + coordinate[i];
  return color;
}

}  // namespace

DeviceMesh::DeviceMesh(RankContext& context, std::vector<int> shape, std::vector<std::string> names, Site site)
    : context_(&context), shape_(std::move(shape)), names_(std::move(names)) {
  check(shape_, names_, context.world_size());
  coordinate_ = coordinate_of(context.rank(), shape_);
  world_shape_ = shape_;
  for (size_t i = 0; i < shape_.size(); ++i) {
    world_dims_.push_back({i});
    groups_.push_back(context.split(color_of(coordinate_, shape_, {i}), coordinate_[i], names_[i], site));
  }
}

size_t DeviceMesh::checked(int dimension) const {
  if (dimension < 0 || dimension >= dim())
    refuse("no dimension " + std::to_string(dimension) + " among " + std::to_string(dim()));
  return static_cast<size_t>(dimension);
}

size_t DeviceMesh::index_of(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) refuse("no dimension is named " + std::string(name));
  return static_cast<size_t>(found - names_.begin());
}

ProcessGroup& DeviceMesh::group(std::string_view name) { return groups_[index_of(name)]; }

bool operator==(const DeviceMesh& a, const DeviceMesh& b) {
  const auto same_ranks = [](const ProcessGroup& x, const ProcessGroup& y) { return x.ranks() == y.ranks(); };
  return a.names_ == b.names_ &&
         std::equal(a.groups_.begin(), a.groups_.end(), b.groups_.begin(), b.groups_.end(), same_ranks);
}

DeviceMesh DeviceMesh::slice(const std::vector<std::string>& names) const {
  if (names.empty()) refuse("slice needs a dimension");
  require_distinct(names);
  DeviceMesh part;
  part.context_ = context_;
  part.world_shape_ = world_shape_;
  for (const std::string& name : names) {
    const size_t i = index_of(name);
    part.shape_.push_back(shape_[i]);
    part.coordinate_.push_back(coordinate_[i]);
    part.names_.push_back(name);
    part.groups_.push_back(groups_[i]);
    part.world_dims_.push_back(world_dims_[i]);
  }
  return part;
}

DeviceMesh DeviceMesh::flatten(const std::vector<std::string>& names, std::string name, Site site) const {
  if (names.empty()) refuse("flatten needs a dimension");
  const size_t first = index_of(names.front());
  std::vector<size_t> world_dims;
  int size = 1;
  int coordinate = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t dimension = index_of(names[i]);
    if (dimension != first + i) refuse("only neighbouring dimensions can be flattened, in their order");
    size *= shape_[dimension];
    coordinate = coordinate * shape_[dimension] + coordinate_[dimension];
    world_dims.insert(world_dims.end(), world_dims_[dimension].begin(), world_dims_[dimension].end());
  }
  const auto replace = [&](auto& values, auto value) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    *begin = std::move(value);
    values.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(names.size()));
  };
  std::vector<std::string> flat_names = names_;
  replace(flat_names, name);
  require_distinct(flat_names);
  const int color = color_of(coordinate_of(context_->rank(), world_shape_), world_shape_, world_dims);
  DeviceMesh flat = *this;
  replace(flat.groups_, context_->split(color, coordinate, std::move(name), site));
  replace(flat.shape_, size);
  replace(flat.coordinate_, coordinate);
  replace(flat.world_dims_, world_dims);
  flat.names_ = std::move(flat_names);
  return flat;
}

}  // namespace ranklint::runtime
