// DTensor.copy_ communicates when placements differ, and says so.
#include <catch2/catch.hpp>

#include "runtime/sharded/dtensor.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::error_of;
using test::expect;
using test::on_ranks;

static DTensor laid(const Tensor& whole, DeviceMesh& mesh, const Placement& placement) {
  return DTensor::distribute(whole, mesh, {placement}, {.src_data_rank = std::nullopt});
}

static Tensor numbers() { return Tensor::arange(15).reshape({5, 3}); }

TEST_CASE("copy_ keeps the destination's placement and memory and takes the source's value") {
  on_ranks(4, [](RankContext& context) {
    DeviceMesh mesh(context, {4}, {"dp"});
    const std::vector<Placement> placements = {Replicate{}, Shard{0}, Shard{1}};
    for (const Placement& from : placements)
      for (const Placement& to : placements) {
        DTensor target = laid(Tensor::zeros({5, 3}), mesh, to);
        const Tensor memory = target.to_local();
        target.copy_(laid(numbers(), mesh, from));
        expect(memory.numel() == 0 || memory.shares_memory_with(target.to_local()), "moved");
        expect(target.placements() == Placements{to}, "another placement");
        expect(target.full_tensor().bit_equal(numbers()), to_string(from) + " into " + to_string(to));
      }
  });
}

TEST_CASE("copy_ reports the collectives that it issued") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    const auto calls = [&](const Placement& from, const Placement& to) {
      return laid(numbers(), mesh, to).copy_(laid(numbers(), mesh, from)).implicit_calls;
    };
    using Calls = std::vector<OpType>;
    expect(calls(Shard{0}, Replicate{}) == Calls{OpType::AllGather}, "shard to replicate");
    expect(calls(Shard{0}, Shard{1}) == Calls{OpType::AllToAll}, "shard to shard");
    expect(calls(Partial{}, Replicate{}) == Calls{OpType::AllReduce}, "partial to replicate");
    expect(calls(Partial{}, Shard{0}) == Calls{OpType::ReduceScatter}, "partial to shard");
    expect(calls(Replicate{}, Shard{0}).empty(), "replicate to shard");
    expect(calls(Shard{1}, Shard{1}).empty(), "equal placements");
  });
}

TEST_CASE("a policy decides whether copy_ may communicate") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    DTensor rows = laid(Tensor::zeros({5, 3}), mesh, Shard{0});
    const DTensor columns = laid(numbers(), mesh, Shard{1});
    const std::string sentence = "DTensor.copy_ from [Shard(1)] into [Shard(0)] communicates: all_to_all";
    expect(error_of([&] { rows.copy_(columns, Implicit::Forbid); }).message == sentence, "forbid");
    expect(rows.copy_(columns, Implicit::Warn).warning == sentence, "warn");
    expect(rows.copy_(columns, Implicit::Allow).warning.empty(), "allow");
    expect(rows.copy_(rows, Implicit::Forbid).warning.empty(), "nothing to forbid");
  });
}

TEST_CASE("copy_ of a plain tensor takes it as equal on all ranks") {
  on_ranks(3, [](RankContext& context) {
    DeviceMesh mesh(context, {3}, {"dp"});
    DTensor rows = laid(Tensor::zeros({5, 3}), mesh, Shard{0});
    const CopyReport report = rows.copy_(numbers());
    expect(report.implicit_calls.empty() && !report.warning.empty(), "report");
    expect(rows.full_tensor().bit_equal(numbers()), "value");
    expect(error_of([&] { rows.copy_(numbers(), Implicit::Forbid); }).kind == ErrorKind::Unsupported, "forbid");
  });
}

TEST_CASE("copy_ between shapes or into a partial value is refused before anything moves") {
  on_ranks(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    DTensor sum = laid(numbers(), mesh, Partial{});
    const DTensor rows = laid(numbers(), mesh, Shard{0});
    expect(error_of([&] { sum.copy_(rows); }).kind == ErrorKind::Unsupported, "into partial");
    expect(error_of([&] { sum.copy_(Tensor::zeros({5, 2})); }).kind == ErrorKind::InvalidArgument, "shape");
  });
}

TEST_CASE("copy_ takes meshes of the same ranks and names for one and refuses others") {
  on_ranks(4, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 2}, {"dp", "tp"});
    DeviceMesh copy = mesh, rows = mesh.slice({"dp"}), rows_again = mesh.slice({"dp"}), columns = mesh.slice({"tp"});
    DTensor target =
        DTensor::distribute(Tensor::zeros({5, 3}), copy, {Shard{0}, Replicate{}}, {.src_data_rank = std::nullopt});
    target.copy_(DTensor::distribute(numbers(), mesh, {Replicate{}, Shard{1}}, {.src_data_rank = std::nullopt}));
    expect(target.full_tensor().bit_equal(numbers()), "between a mesh and its copy");
    DTensor slice = laid(Tensor::zeros({5, 3}), rows, Shard{0});
    slice.copy_(laid(numbers(), rows_again, Shard{1}));
    expect(slice.full_tensor().bit_equal(numbers()), "between equal slices");
    const Error error = error_of([&] { slice.copy_(laid(numbers(), columns, Shard{0})); });
    expect(error.message == "DTensor.copy_ between two meshes", error.message);
  });
}

TEST_CASE("the flight record says which calls copy_ made") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"dp"});
    DTensor rows = laid(Tensor::zeros({5, 3}), mesh, Shard{0});
    rows.copy_(laid(numbers(), mesh, Shard{1}));
    rows.full_tensor();
  });
  const std::string& record = report.flight_records.front();
  const size_t marked = record.find("\"implicit_in\": \"DTensor.copy_\"");
  CHECK(marked != std::string::npos);
  CHECK(record.find("\"implicit_in\"", marked + 1) == std::string::npos);  // full_tensor says what it does
}

TEST_CASE("ranks that skip a copy_ leave the others in a collective that says where it comes from") {
  const WorldReport report = run_world(4, [](RankContext& context) {
    DeviceMesh mesh(context, {4}, {"dp"});
    DTensor columns = laid(Tensor::zeros({5, 3}), mesh, Shard{1});
    const DTensor rows = laid(numbers(), mesh, Shard{0});
    if (context.rank() < 2) columns.copy_(rows);
  });
  CHECK(report.verdict.kind == VerdictKind::PeerExited);
  REQUIRE(report.verdict.ranks.size() == 4);
  const RankState& waiting = report.verdict.ranks[0];
  CHECK(waiting.op == OpType::AllToAll);
  CHECK(waiting.implicit_in == "DTensor.copy_");
  CHECK(waiting.waits_for == std::vector<int>{2, 3});
  CHECK(std::string(waiting.site.file).ends_with("copy_test.cpp"));
}

}  // namespace ranklint::runtime
