#include "runtime/sharded/step.h"

#include "runtime/sharded/layout.h"

namespace ranklint::runtime {

Tensor shard_of(const Tensor& whole, int64_t dim, int64_t ranks, int64_t rank) {
  const Range range = shard_range(whole.size(dim), ranks, rank);
  return whole.narrow(dim, range.start, range.length);
}

std::vector<Tensor> shards_of(const Tensor& whole, int64_t dim, int64_t ranks) {
  std::vector<Tensor> shards;
  for (int64_t rank = 0; rank < ranks; ++rank) shards.push_back(shard_of(whole, dim, ranks, rank));
  return shards;
}

static Tensor like(const Tensor& tensor, Shape shape) {
  return Tensor::empty(std::move(shape), tensor.dtype(), tensor.device());
}

static Shape resized(Shape shape, int64_t dim, int64_t size) {
  shape[static_cast<size_t>(dim)] = size;
  return shape;
}

// Empty tensors to receive every rank's shard of a `shape` whose dimension `dim` is `whole` long, and how to see them
// as one: along dimension 0 they are views of one tensor, along another they are put together at the end.
namespace {
struct Incoming {
  Tensor together;  // dim 0 only
  std::vector<Tensor> pieces;
  int64_t dim = 0;

  Tensor join() const { return dim == 0 ? together : Tensor::cat(pieces, dim); }
};
}  // namespace

static Incoming incoming(const Tensor& example, const Shape& shape, int64_t dim, int64_t whole, int64_t ranks) {
  Incoming in{.together = {}, .pieces = {}, .dim = dim};
  if (dim == 0) {
    in.together = like(example, resized(shape, 0, whole));
    in.pieces = shards_of(in.together, 0, ranks);
    return in;
  }
  for (const Range& range : shard_ranges(whole, ranks))
    in.pieces.push_back(like(example, resized(shape, dim, range.length)));
  return in;
}

static Tensor gather_shards(const Tensor& local, int64_t dim, int64_t whole, ProcessGroup& group,
                            const OpOptions& options, Site site) {
  const Incoming in = incoming(local, local.shape(), dim, whole, group.size());
  if (dim == 0 && whole % group.size() == 0)
    group.all_gather_into_tensor(in.together, local, options, site).wait();
  else
    group.all_gather(in.pieces, local, options, site).wait();
  return in.join();
}

static Tensor reduce_to_shard(const Tensor& local, ReduceOp op, int64_t dim, ProcessGroup& group,
                              const OpOptions& options, Site site) {
  const Range mine = shard_range(local.size(dim), group.size(), group.rank());
  const Tensor out = like(local, resized(local.shape(), dim, mine.length));
  if (dim == 0 && local.size(0) % group.size() == 0)
    group.reduce_scatter_tensor(out, local, op, options, site).wait();
  else
    group.reduce_scatter(out, shards_of(local, dim, group.size()), op, options, site).wait();
  return out;
}

// Cuts the local shard along `to` and sends piece i to rank i; what arrives is every rank's shard along `from`, cut to
// mine along `to`.
static Tensor exchange_shards(const Tensor& local, int64_t from, int64_t whole, int64_t to, ProcessGroup& group,
                              const OpOptions& options, Site site) {
  const Range mine = shard_range(local.size(to), group.size(), group.rank());
  const Incoming in = incoming(local, resized(local.shape(), to, mine.length), from, whole, group.size());
  group.all_to_all(in.pieces, shards_of(local, to, group.size()), options, site).wait();
  return in.join();
}

static Tensor reduce_everywhere(const Tensor& local, ReduceOp op, ProcessGroup& group, const OpOptions& options,
                                Site site) {
  const Tensor out = local.clone();
  group.all_reduce(out, op, options, site).wait();
  return out;
}

// Of a sum -0, for +0 would turn -0 into +0.
static double neutral_element(ReduceOp op) { return op == ReduceOp::Prod ? 1 : -0.0; }

Tensor partition(const Tensor& whole, ReduceOp op, int rank) {
  const bool every_rank_keeps = op == ReduceOp::Min || op == ReduceOp::Max || op == ReduceOp::Avg;
  if (rank == 0 || every_rank_keeps) return whole;
  return Tensor::full(whole.shape(), neutral_element(op), whole.dtype(), whole.device());
}

// The shard in its place in the whole, the neutral element around it.
static Tensor embed(const Tensor& shard, int64_t dim, int64_t whole, ReduceOp op, const ProcessGroup& group) {
  const Range mine = shard_range(whole, group.size(), group.rank());
  const auto rest = [&](int64_t length) {
    return Tensor::full(resized(shard.shape(), dim, length), neutral_element(op), shard.dtype(), shard.device());
  };
  return Tensor::cat({rest(mine.start), shard, rest(whole - mine.start - mine.length)}, dim);
}

static Tensor from_shard(const Step& step, int64_t dim, const Tensor& local, int64_t whole, ProcessGroup& group,
                         const OpOptions& options, Site site) {
  if (const Shard* to = std::get_if<Shard>(&step.to))
    return exchange_shards(local, dim, whole, to->dim, group, options, site);
  if (const Partial* to = std::get_if<Partial>(&step.to)) return embed(local, dim, whole, to->op, group);
  return gather_shards(local, dim, whole, group, options, site);
}

Tensor apply_step(const Step& step, const Tensor& local, int64_t whole, ProcessGroup& group, const OpOptions& options,
                  Site site) {
  if (step.from == step.to) return local;
  if (const Shard* from = std::get_if<Shard>(&step.from))
    return from_shard(step, from->dim, local, whole, group, options, site);
  const Shard* to = std::get_if<Shard>(&step.to);
  if (const Partial* from = std::get_if<Partial>(&step.from))
    return to ? reduce_to_shard(local, from->op, to->dim, group, options, site)
              : reduce_everywhere(local, from->op, group, options, site);
  return to ? shard_of(local, to->dim, group.size(), group.rank())
            : partition(local, std::get<Partial>(step.to).op, group.rank());
}

}  // namespace ranklint::runtime
