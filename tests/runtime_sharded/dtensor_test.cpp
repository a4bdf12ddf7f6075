#include "runtime/sharded/dtensor.h"

#include <catch2/catch.hpp>

#include "runtime/sharded/step.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::error_of;
using test::expect;
using test::on_ranks;

static Tensor numbers(const Shape& shape) { return Tensor::arange(numel_of(shape)).reshape(shape); }

static std::vector<std::string> axis_names(size_t count) {
  const std::vector<std::string> names = {"dp", "tp", "sp"};
  return {names.begin(), names.begin() + static_cast<int64_t>(count)};
}

static int world_of(const std::vector<int>& mesh) {
  int ranks = 1;
  for (const int size : mesh) ranks *= size;
  return ranks;
}

// `whole`, which is not negative, under placements, its partial parts unequal: along a mesh dimension of k ranks, rank
// i holds `mine` times the tensor and the value is `all` times `whole`. A product's parts are `whole` and ones.
namespace {
struct Laid {
  DTensor tensor;
  Tensor value;
};
}  // namespace

static Tensor times(const Tensor& tensor, int64_t factor) {
  const Tensor out = tensor.clone();
  for (float& x : out.as<float>()) x *= static_cast<float>(factor);
  return out;
}

namespace {
struct Factors {
  int64_t mine = 1;
  int64_t all = 1;
};
}  // namespace

static Factors factors(ReduceOp op, int64_t k, int64_t i) {
  switch (op) {
    case ReduceOp::Sum: return {.mine = i + 1, .all = k * (k + 1) / 2};
    case ReduceOp::Avg: return {.mine = 2 * i + 1, .all = k};
    case ReduceOp::Max: return {.mine = i + 1, .all = k};
    case ReduceOp::Min: return {.mine = i + 1, .all = 1};
    case ReduceOp::Prod: return {};
  }
  fail(ErrorKind::InvalidArgument, "an operation without factors");
}

static Laid lay_out(const Tensor& whole, DeviceMesh& mesh, const Placements& placements) {
  Placements cut = placements;
  int64_t mine = 1, all = 1;
  for (size_t m = 0; m < placements.size(); ++m) {
    const Partial* partial = std::get_if<Partial>(&placements[m]);
    if (!partial || partial->op == ReduceOp::Prod) continue;
    cut[m] = Replicate{};
    const Factors here = factors(partial->op, mesh.size(static_cast<int>(m)), mesh.coordinate(static_cast<int>(m)));
    mine *= here.mine;
    all *= here.all;
  }
  const Tensor local = DTensor::distribute(whole, mesh, cut, {.src_data_rank = std::nullopt}).to_local();
  return {.tensor = DTensor::from_local(times(local, mine), mesh, placements, whole.shape()),
          .value = times(whole, all)};
}

using Operations = std::vector<ReduceOp>;

static std::vector<Placements> all_placements(size_t mesh_dims, int64_t tensor_dims,
                                              const Operations& operations = {ReduceOp::Sum}) {
  std::vector<Placement> choices = {Replicate{}};
  for (const ReduceOp op : operations) choices.push_back(Partial{op});
  for (int64_t d = 0; d < tensor_dims; ++d) choices.push_back(Shard{d});
  std::vector<Placements> all = {{}};
  for (size_t m = 0; m < mesh_dims; ++m) {
    std::vector<Placements> longer;
    for (const Placements& head : all)
      for (const Placement& last : choices) {
        longer.push_back(head);
        longer.back().push_back(last);
      }
    all = std::move(longer);
  }
  std::erase_if(all, [](const Placements& placements) { return !reductions_commute(placements); });
  return all;
}

// Of all pairs every `stride`th.
static void check_pairs(const std::vector<int>& mesh_shape, const Shape& shape, const Operations& operations,
                        size_t stride) {
  on_ranks(world_of(mesh_shape), [&](RankContext& context) {
    DeviceMesh mesh(context, mesh_shape, axis_names(mesh_shape.size()));
    const auto placements = all_placements(mesh_shape.size(), static_cast<int64_t>(shape.size()), operations);
    size_t pair = 0;
    for (const Placements& from : placements)
      for (const Placements& to : placements) {
        if (pair++ % stride != 0) continue;
        const Laid source = lay_out(numbers(shape), mesh, from);
        const DTensor moved = source.tensor.redistribute(to);
        const std::string what = to_string(from) + " to " + to_string(to);
        expect(moved.to_local().shape() == moved.local_part().shape, what + ": another local shape");
        expect(moved.full_tensor().bit_equal(source.value), what + ": another value");
      }
  });
}

static void check_every_pair(const std::vector<int>& mesh_shape, const Shape& shape,
                             const Operations& operations = {ReduceOp::Sum}) {
  check_pairs(mesh_shape, shape, operations, 1);
}

TEST_CASE("every pair of placements on one mesh dimension keeps the value") {
  check_every_pair({1}, {4, 3});
  check_every_pair({2}, {4, 6});
  check_every_pair({3}, {4, 6, 2});
  check_every_pair({4}, {5, 3});  // 2, 2, 1, 0 and 1, 1, 1, 0
  check_every_pair({5}, {1, 9});
}

TEST_CASE("every pair of placements on two mesh dimensions keeps the value") {
  check_every_pair({2, 2}, {4, 8});
  check_every_pair({2, 2}, {3, 5});
  check_every_pair({2, 3}, {7, 2});
}

static const Operations kAllOperations = {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Min, ReduceOp::Max, ReduceOp::Prod};

TEST_CASE("pairs of placements with different reductions keep the value") {
  check_every_pair({2, 2}, {3, 4}, kAllOperations);
  check_pairs({2, 2, 2}, {5}, {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Max, ReduceOp::Prod}, 5);
}

TEST_CASE("three mesh dimensions that cut the same rows are unwound in order") {
  on_ranks(8, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 2, 2}, axis_names(3));
    const Tensor whole = numbers({11, 2});
    const Laid rows = lay_out(whole, mesh, {Shard{0}, Shard{0}, Shard{0}});
    for (const Placements& to : all_placements(3, 2))
      expect(rows.tensor.redistribute(to).full_tensor().bit_equal(whole), to_string(to));
  });
}

TEST_CASE("a partial value is reduced by its own operation") {
  on_ranks(3, [](RankContext& context) {
    DeviceMesh mesh(context, {3}, {"dp"});
    const auto value_of = [&](ReduceOp op, const Placements& via) {
      const Tensor local = Tensor::full({5}, context.rank() + 2, DType::F64);  // 2, 3, 4
      return DTensor::from_local(local, mesh, {Partial{op}}).redistribute(via).full_tensor().item(4);
    };
    for (const Placements& via : {Placements{Replicate{}}, Placements{Shard{0}}}) {
      expect(value_of(ReduceOp::Sum, via) == 9, "sum");
      expect(value_of(ReduceOp::Avg, via) == 3, "avg");
      expect(value_of(ReduceOp::Min, via) == 2, "min");
      expect(value_of(ReduceOp::Max, via) == 4, "max");
      expect(value_of(ReduceOp::Prod, via) == 24, "prod");
    }
  });
}

TEST_CASE("a value taken apart into a partial one comes together again") {
  on_ranks(3, [](RankContext& context) {
    DeviceMesh mesh(context, {3}, {"dp"});
    const Tensor whole = Tensor::from<float>({-0.0F, 0.0F, 2, 3, 4, 5, -0.0F, 7}, {4, 2});
    for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Min, ReduceOp::Max, ReduceOp::Prod})
      for (const Placements& from : {Placements{Replicate{}}, Placements{Shard{0}}, Placements{Shard{1}}}) {
        const DTensor apart = lay_out(whole, mesh, from).tensor.redistribute({Partial{op}});
        expect(apart.full_tensor().bit_equal(whole), to_string(from) + " to " + to_string(apart.placements()));
      }
  });
}

TEST_CASE("five rows over four ranks lie as 2, 2, 1 and none") {
  on_ranks(4, [](RankContext& context) {
    DeviceMesh mesh(context, {4}, {"dp"});
    const DTensor rows = DTensor::distribute(numbers({5, 2}), mesh, {Shard{0}});
    const std::vector<LocalPart> parts = {{.shape = {2, 2}, .offset = {0, 0}},
                                          {.shape = {2, 2}, .offset = {2, 0}},
                                          {.shape = {1, 2}, .offset = {4, 0}},
                                          {.shape = {0, 2}, .offset = {5, 0}}};
    expect(rows.local_part() == parts[static_cast<size_t>(context.rank())], "another part");
    expect(rows.to_local().shape() == rows.local_part().shape, "another local shape");
  });
}

TEST_CASE("distribute takes the values of the source rank along every mesh dimension") {
  for (const int src : {0, 1})
    on_ranks(6, [&](RankContext& context) {
      DeviceMesh mesh(context, {2, 3}, axis_names(2));
      const bool gives = mesh.coordinate(0) == src && mesh.coordinate(1) == src;
      const Tensor whole = numbers({5, 4});
      const Tensor given = gives ? whole : Tensor::full({5, 4}, -1);
      for (const Placements& placements : all_placements(2, 2)) {
        const DTensor laid = DTensor::distribute(given, mesh, placements, {.src_data_rank = src});
        expect(laid.to_local().shape() == laid.local_part().shape, to_string(placements) + ": another local shape");
        expect(laid.full_tensor().bit_equal(whole), to_string(placements) + ": another value");
        expect(!laid.to_local().shares_memory_with(given), "shares memory with its source");
      }
    });
}

TEST_CASE("distribute without a source rank cuts each rank's own tensor") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    const Tensor own = Tensor::full({4}, context.rank());
    const DTensor rows = DTensor::distribute(own, mesh, {Shard{0}}, {.src_data_rank = std::nullopt});
    expect(rows.full_tensor().bit_equal(Tensor::from<float>({0, 0, 1, 1}, {4})), "not its own");
  });
}

TEST_CASE("placements that the tensor or the mesh can not have are refused before anything moves") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    const DTensor rows = DTensor::distribute(numbers({4, 2}), mesh, {Shard{0}});
    const Error dimension = error_of([&] { rows.redistribute({Shard{2}}); });
    expect(dimension.message == "placements [Shard(2)] of a tensor of 2 dimensions", dimension.message);
    const Error source =
        error_of([&] { DTensor::distribute(numbers({4, 2}), mesh, {Shard{0}}, {.src_data_rank = 2}); });
    expect(source.message == "source rank 2 of a mesh dimension of 2 ranks", source.message);
  });
}

TEST_CASE("from_local takes the whole for a multiple of the part unless it is told the shape") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    const Tensor part = Tensor::zeros({context.rank() == 0 ? 2 : 1, 3});
    expect(DTensor::from_local(part, mesh, {Shard{0}}, Shape{3, 3}).shape() == Shape{3, 3}, "told");
    expect(DTensor::from_local(Tensor::zeros({2, 3}), mesh, {Shard{0}}).shape() == Shape{4, 3}, "inferred");
    const Error error = error_of([&] { DTensor::from_local(part, mesh, {Shard{0}}, Shape{8, 3}); });
    expect(error.message.starts_with("from_local: [Shard(0)] of [8, 3] gives this rank [4, 3], not"), error.message);
  });
}

TEST_CASE("a whole of more rows than can be counted is refused, and parts without elements may be as long as that") {
  on_ranks(2, [](RankContext& context) {
    const int64_t huge = int64_t{1} << 62;
    DeviceMesh mesh(context, {2}, {"tp"});
    expect(error_of([&] { DTensor::from_local(Tensor::empty({huge, 0}), mesh, {Shard{0}}); }).kind ==
               ErrorKind::InvalidArgument,
           "from_local");
    const Tensor none = Tensor::empty({0, huge});
    expect(distribute_tensor(none, mesh, {Shard{1}}).redistribute({Shard{0}}).full_tensor().shape() == none.shape(),
           "distribute");
  });
}

}  // namespace ranklint::runtime
