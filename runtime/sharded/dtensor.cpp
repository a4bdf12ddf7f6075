#include "runtime/sharded/dtensor.h"

#include "runtime/sharded/step.h"

namespace ranklint::runtime {

std::vector<int> shape_of(const DeviceMesh& mesh) {
  std::vector<int> shape;
  for (int m = 0; m < mesh.dim(); ++m) shape.push_back(mesh.size(m));
  return shape;
}

std::vector<int> coordinate_of(const DeviceMesh& mesh) {
  std::vector<int> coordinate;
  for (int m = 0; m < mesh.dim(); ++m) coordinate.push_back(mesh.coordinate(m));
  return coordinate;
}

static LocalPart part_on(const DeviceMesh& mesh, const Shape& shape, const Placements& placements) {
  return local_shape_and_offset(shape, shape_of(mesh), coordinate_of(mesh), placements);
}

DTensor::DTensor(Tensor local, DeviceMesh& mesh, Placements placements, Shape shape)
    : local_(std::move(local)), mesh_(&mesh), placements_(std::move(placements)), shape_(std::move(shape)) {}

LocalPart DTensor::local_part() const { return part_on(*mesh_, shape_, placements_); }

static Shape even_shape(Shape shape, const DeviceMesh& mesh, const Placements& placements) {
  for (size_t m = 0; m < placements.size(); ++m)
    if (const Shard* shard = std::get_if<Shard>(&placements[m])) {
      int64_t& size = shape[static_cast<size_t>(shard->dim)];
      if (__builtin_mul_overflow(size, int64_t{mesh.size(static_cast<int>(m))}, &size))
        fail(ErrorKind::InvalidArgument,
             "from_local: a whole of more rows than can be counted along dimension " + std::to_string(shard->dim));
    }
  return shape;
}

DTensor DTensor::from_local(Tensor local, DeviceMesh& mesh, Placements placements, std::optional<Shape> shape) {
  check_placements(placements, mesh.dim(), local.dim());
  const Shape whole = shape ? *shape : even_shape(local.shape(), mesh, placements);
  const LocalPart part = part_on(mesh, whole, placements);
  if (part.shape != local.shape())
    fail(ErrorKind::InvalidArgument, "from_local: " + to_string(placements) + " of " + to_string(whole) +
                                         " gives this rank " + to_string(part.shape) + ", not " +
                                         to_string(local.shape()));
  return {std::move(local), mesh, std::move(placements), whole};
}

// How long dimension `dim` is for the ranks along mesh dimension m together: what the mesh dimensions left of m leave.
static int64_t size_before(const DeviceMesh& mesh, const Shape& shape, Placements placements, int m, int64_t dim) {
  for (size_t i = static_cast<size_t>(m); i < placements.size(); ++i) placements[i] = Replicate{};
  return part_on(mesh, shape, placements).shape[static_cast<size_t>(dim)];
}

std::vector<Step> DTensor::steps_to(const Placements& placements) const {
  return plan_steps(placements_, placements, shape_of(*mesh_), shape_);
}

DTensor DTensor::moved_to(const Placements& placements, const std::vector<Step>& steps, std::string_view implicit_in,
                          Site site) const {
  Tensor local = local_;
  Placements now = placements_;
  for (const Step& step : steps) {
    const Shard* from = std::get_if<Shard>(&step.from);
    const int64_t whole = from ? size_before(*mesh_, shape_, now, step.mesh_dim, from->dim) : 0;
    local = apply_step(step, local, whole, mesh_->group(step.mesh_dim), OpOptions{.implicit_in = implicit_in}, site);
    now[static_cast<size_t>(step.mesh_dim)] = step.to;
  }
  return {std::move(local), *mesh_, placements, shape_};
}

DTensor DTensor::redistribute(Placements placements, Site site) const {
  check_placements(placements, mesh_->dim(), static_cast<int64_t>(shape_.size()));
  return moved_to(placements, steps_to(placements), {}, site);
}

Tensor DTensor::full_tensor(Site site) const {
  return redistribute(Placements(placements_.size(), Replicate{}), site).local_;
}

}  // namespace ranklint::runtime
