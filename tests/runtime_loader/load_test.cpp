// Three ways to load, one result; and whatever goes wrong on one rank is the same error on all.
#include "runtime/loader/load.h"

#include "tests/runtime_loader/stored_model.h"

namespace ranklint::runtime::test {

TEST_CASE("every strategy gives every rank its parts, bit for bit") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  for (const LoadStrategy strategy : kStrategies)
    for (const int ranks : {1, 2, 3, 4, 7})
      for (const uint64_t buffer : {8, 100, 1 << 20})
        for (const ReadMode mode : {ReadMode::Mmap, ReadMode::Pread}) {
          INFO(name_of(strategy) << ", " << ranks << " ranks, buffer " << buffer);
          check_parts(on_ranks<Loaded>(ranks,
                                       [&](RankContext& context) {
                                         return load(context.world(), folder.path(),
                                                     wanted_by(context.rank(), ranks, stored), strategy,
                                                     {.open = {.read = {.mode = mode}}, .buffer_bytes = buffer});
                                       }),
                      stored);
        }
}

TEST_CASE("what a rank keeps whole, or in whole rows, is read and received in its place, without a buffer") {
  const TemporaryFolder folder;
  const Tensor tensor = Tensor::arange(40 * 10).reshape({40, 10});
  REQUIRE(write_safetensors(folder.path("m"), std::vector{named_bytes("w", tensor)}));
  const Box parts[] = {whole_of({40, 10}), {{10, 0}, {20, 10}}, {{0, 5}, {40, 5}}};  // 16 rows make a bucket
  const auto results = on_ranks<Loaded>(3, [&](RankContext& context) {
    const std::vector<Wanted> wanted = {{.name = "w", .shape = {40, 10}, .part = parts[context.rank()]}};
    return load(context.world(), folder.path("m"), wanted, LoadStrategy::RankZeroReads, {.buffer_bytes = 640});
  });
  const uint64_t buffer_bytes[] = {0, 640, 640};  // rows 0 to 15 are not all rank 1's
  for (size_t rank = 0; rank < 3; ++rank) {
    INFO("rank " << rank);
    const Loaded& loaded = success(results[rank]);
    CHECK(loaded.tensors.at("w").bit_equal(expected_part({.name = "w", .tensor = tensor}, parts[rank])));
    CHECK(loaded.stats.peak_bytes == loaded.stats.kept_bytes + buffer_bytes[rank]);
  }
}

TEST_CASE("every strategy holds in the worst schedule that the standards allow") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  for (const LoadStrategy strategy : kStrategies)
    for (uint64_t seed = 1; seed <= 3; ++seed)
      check_parts(on_ranks<Loaded>(3,
                                   [&](RankContext& context) {
                                     return load(context.world(), folder.path(), wanted_by(context.rank(), 3, stored),
                                                 strategy, {.buffer_bytes = 64});
                                   },
                                   {.mode = Mode::Synchronous, .schedule_seed = seed}),
                  stored);
}

TEST_CASE("parts of a mesh of two dimensions are a DTensor without a transfer") {
  const TemporaryFolder folder;
  const Tensor tensor = Tensor::arange(5 * 7).reshape({5, 7});
  REQUIRE(write_safetensors(folder.path("m"), std::vector{named_bytes("w", tensor)}));
  const auto results = on_ranks<Tensor>(6, [&](RankContext& context) -> Result<Tensor> {
    DeviceMesh mesh(context, {2, 3}, {"dp", "tp"});
    const Placements placements = {Shard{0}, Shard{1}};
    const Box part = box_of(local_shape_and_offset(tensor.shape(), shape_of(mesh), coordinate_of(mesh), placements));
    const std::vector<Wanted> wanted = {{.name = "w", .shape = tensor.shape(), .part = part}};
    const Result<Loaded> loaded = load(context.world(), folder.path("m"), wanted, LoadStrategy::EachReadsItsShard);
    if (!loaded) return loaded.error();
    return DTensor::from_local(loaded->tensors.at("w"), mesh, placements, tensor.shape()).full_tensor();
  });
  for (const auto& result : results) CHECK(success(result).bit_equal(tensor));
}

TEST_CASE("a group of an accelerator gets its tensors there") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  for (const LoadStrategy strategy : kStrategies) {
    const auto results =
        on_ranks<Loaded>(2,
                         [&](RankContext& context) {
                           return load(context.world(), folder.path(), wanted_by(context.rank(), 2, stored), strategy,
                                       {.buffer_bytes = 64, .device = Device::Accelerator});
                         },
                         {.device = Device::Accelerator, .any_device = false});
    for (int rank = 0; rank < 2; ++rank) {
      const Loaded& loaded = success(results[static_cast<size_t>(rank)]);
      const Tensor& rows = loaded.tensors.at("rows");
      CHECK(rows.device() == Device::Accelerator);
      CHECK(rows.to(Device::Host).bit_equal(expected_part(stored[4], part_of(stored[4], rank, 2))));
      const bool reads = rank == 0 || strategy != LoadStrategy::RankZeroReads;
      CHECK(loaded.stats.peak_bytes <= loaded.stats.kept_bytes + (reads ? 2 : 1) * 64);
    }
  }
}

TEST_CASE("memory of the host is no place for what an accelerator's group loads") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  for (const LoadStrategy strategy : kStrategies) {
    const auto results = on_ranks<Loaded>(2,
                                          [&](RankContext& context) {
                                            std::vector<Wanted> wanted = wanted_by(context.rank(), 2, stored);
                                            if (context.rank() == 1)
                                              wanted[4].into = Tensor::zeros(wanted[4].part->sizes, DType::I32);
                                            return load(context.world(), folder.path(), wanted, strategy,
                                                        {.device = Device::Accelerator});
                                          },
                                          {.device = Device::Accelerator, .any_device = false});
    CHECK_THAT(common_error(results).message,
               Catch::StartsWith("rank 1: ") &&
                   Catch::Contains("tensor `rows`: its memory is host memory, the load is for the accelerator"));
  }
}

TEST_CASE("memory that is given is filled in place") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  const auto results = on_ranks<Loaded>(2, [&](RankContext& context) {
    std::vector<Wanted> wanted = wanted_by(context.rank(), 2, stored);
    const Tensor mine = Tensor::zeros(wanted[1].part->sizes);
    wanted[1].into = mine;
    Result<Loaded> loaded = load(context.world(), folder.path(), wanted, LoadStrategy::RankZeroReads);
    if (loaded && !loaded->tensors.at("columns").shares_memory_with(mine))
      return Result<Loaded>(Error{ErrorKind::Io, "moved"});
    return loaded;
  });
  check_parts(results, stored);
}

TEST_CASE("what a strategy holds and reads is what its description says") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  const uint64_t total = total_bytes(stored);
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    const auto results = on_ranks<Loaded>(2, [&](RankContext& context) {
      return load(context.world(), folder.path(), wanted_by(context.rank(), 2, stored), strategy,
                  {.buffer_bytes = 100});
    });
    for (size_t rank = 0; rank < 2; ++rank) {
      const LoadStats& stats = success(results[rank]).stats;
      const bool buffered = strategy != LoadStrategy::EachReadsItsShard;
      CHECK(stats.peak_bytes >= stats.kept_bytes);
      CHECK(stats.peak_bytes <= stats.kept_bytes + (buffered ? 100 : 0));
      if (strategy == LoadStrategy::RankZeroReads) CHECK(stats.read_bytes == (rank == 0 ? total : 0));
      if (strategy == LoadStrategy::EveryRankReads) CHECK(stats.read_bytes == total);
      if (strategy == LoadStrategy::EachReadsItsShard) CHECK(stats.read_bytes == stats.kept_bytes);
      CHECK(stats.broadcast_bytes == (strategy == LoadStrategy::RankZeroReads ? total : 0));
    }
  }
}

TEST_CASE("what would take more memory than allowed is refused on every rank before anything is read") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  const auto results = on_ranks<Loaded>(3, [&](RankContext& context) {
    const uint64_t limit = context.rank() == 1 ? 100 : 0;
    return load(context.world(), folder.path(), wanted_by(context.rank(), 3, stored), LoadStrategy::RankZeroReads,
                {.memory_limit_bytes = limit});
  });
  CHECK_THAT(common_error(results).message, Catch::StartsWith("rank 1: ") && Catch::Contains("the limit is 100"));
}

TEST_CASE("the limit on memory is met by what the load then reports, to the byte") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  const auto load_within = [&](uint64_t limit, LoadStrategy strategy, ReadMode mode) {
    return std::move(on_ranks<Loaded>(1, [&](RankContext& context) {
      return load(context.world(), folder.path(), wanted_by(0, 2, stored), strategy,
                  {.open = {.read = {.mode = mode}}, .buffer_bytes = 100, .memory_limit_bytes = limit});
    })[0]);
  };
  for (const LoadStrategy strategy : kStrategies)
    for (const ReadMode mode : {ReadMode::Mmap, ReadMode::Pread}) {
      INFO(name_of(strategy));
      const uint64_t peak = success(load_within(0, strategy, mode)).stats.peak_bytes;
      CHECK(success(load_within(peak, strategy, mode)).stats.peak_bytes == peak);
      const Result<Loaded> refused = load_within(peak - 1, strategy, mode);
      REQUIRE_FALSE(refused);
      CHECK_THAT(refused.error().message, Catch::Contains("takes " + std::to_string(peak) +
                                                          " bytes here, the limit is " + std::to_string(peak - 1)));
    }
}

TEST_CASE("the limit on memory of an accelerator's group is met by ranks that read and by those that do not") {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  const auto load_within = [&](const std::vector<uint64_t>& limits) {
    const auto results = on_ranks<Loaded>(
        2,
        [&](RankContext& context) {
          return load(context.world(), folder.path(), wanted_by(context.rank(), 2, stored), LoadStrategy::RankZeroReads,
                      {.buffer_bytes = 100,
                       .memory_limit_bytes = limits[static_cast<size_t>(context.rank())],
                       .device = Device::Accelerator});
        },
        {.device = Device::Accelerator, .any_device = false});
    return std::vector<uint64_t>{success(results[0]).stats.peak_bytes, success(results[1]).stats.peak_bytes};
  };
  const std::vector<uint64_t> peaks = load_within({0, 0});
  CHECK(load_within(peaks) == peaks);
}

}  // namespace ranklint::runtime::test
