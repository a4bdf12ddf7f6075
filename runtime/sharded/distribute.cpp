// distribute_tensor: one rank's values, or everybody's own, cut into the parts of a mesh.
#include "runtime/sharded/dtensor.h"
#include "runtime/sharded/step.h"

namespace ranklint::runtime {

namespace {
struct Source {
  int src = 0;  // coordinate along every mesh dimension
  OpOptions options;
  Site site;
};
}  // namespace

static Tensor padded(const Tensor& piece, int64_t dim, int64_t length) {
  const int64_t missing = length - piece.size(dim);
  if (missing == 0) return piece;
  Shape shape = piece.shape();
  shape[static_cast<size_t>(dim)] = missing;
  return Tensor::cat({piece, Tensor::zeros(std::move(shape), piece.dtype(), piece.device())}, dim);
}

// A scatter has one count for all, so unequal shards travel padded to the longest, as in torch.
static Tensor scatter_shards(const Tensor& whole, int64_t dim, ProcessGroup& group, const Source& from) {
  const int64_t longest = ceil_div(whole.size(dim), group.size());
  std::vector<Tensor> pieces;
  if (group.rank() == from.src)
    for (const Tensor& shard : shards_of(whole, dim, group.size())) pieces.push_back(padded(shard, dim, longest));
  Shape shape = whole.shape();
  shape[static_cast<size_t>(dim)] = longest;
  const Tensor mine = Tensor::empty(std::move(shape), whole.dtype(), whole.device());
  group.scatter(mine, pieces, group.global_rank(from.src), from.options, from.site).wait();
  return mine.narrow(dim, 0, shard_range(whole.size(dim), group.size(), group.rank()).length);
}

static Tensor broadcast_whole(const Tensor& whole, ProcessGroup& group, const Source& from) {
  const Tensor mine = group.rank() == from.src ? whole : Tensor::empty(whole.shape(), whole.dtype(), whole.device());
  group.broadcast(mine, group.global_rank(from.src), from.options, from.site).wait();
  return mine;
}

static Tensor from_source(const Tensor& whole, DeviceMesh& mesh, const Placements& placements, const Source& from) {
  Tensor local = whole;
  for (int m = 0; m < mesh.dim(); ++m) {
    const Placement& placement = placements[static_cast<size_t>(m)];
    ProcessGroup& group = mesh.group(m);
    if (const Shard* shard = std::get_if<Shard>(&placement))
      local = scatter_shards(local, shard->dim, group, from);
    else
      local = broadcast_whole(local, group, from);
    if (const Partial* partial = std::get_if<Partial>(&placement)) local = partition(local, partial->op, group.rank());
  }
  return local;
}

static Tensor from_own(const Tensor& whole, DeviceMesh& mesh, const Placements& placements) {
  Tensor local = whole;
  for (int m = 0; m < mesh.dim(); ++m) {
    const Step step{.mesh_dim = m, .from = Replicate{}, .to = placements[static_cast<size_t>(m)]};
    local = apply_step(step, local, 0, mesh.group(m), {}, {});
  }
  return local;
}

static void check_source(int src, const DeviceMesh& mesh) {
  for (int m = 0; m < mesh.dim(); ++m)
    if (src < 0 || src >= mesh.size(m))
      fail(ErrorKind::InvalidArgument,
           "source rank " + std::to_string(src) + " of a mesh dimension of " + std::to_string(mesh.size(m)) + " ranks");
}

DTensor DTensor::distribute(const Tensor& whole, DeviceMesh& mesh, Placements placements, DistributeOptions options,
                            Site site) {
  check_placements(placements, mesh.dim(), whole.dim());
  if (options.src_data_rank) check_source(*options.src_data_rank, mesh);
  const OpOptions op{.name = options.name};
  Tensor local = options.src_data_rank ? from_source(whole, mesh, placements,
                                                     {.src = *options.src_data_rank, .options = op, .site = site})
                                       : from_own(whole, mesh, placements);
  if (local.shares_memory_with(whole)) local = local.clone();
  return {std::move(local), mesh, std::move(placements), whole.shape()};
}

}  // namespace ranklint::runtime
