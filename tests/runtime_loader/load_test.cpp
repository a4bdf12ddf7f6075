// Three ways to load, one result; and whatever goes wrong on one rank is the same error on all.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "runtime/loader/load.h"
#include "runtime/loader/writer.h"
#include "runtime/sharded/dtensor.h"
#include "tests/runtime_loader/files.h"
#include "tests/runtime_loader/ranks.h"

namespace ranklint::runtime::test {

namespace {

constexpr LoadStrategy kStrategies[] = {LoadStrategy::RankZeroReads, LoadStrategy::EveryRankReads,
                                        LoadStrategy::EachReadsItsShard};

struct Stored {
  std::string name;
  Tensor tensor;
  int64_t shard_dim = -1;  // -1: kept whole by every rank
};

std::vector<Stored> model() {
  return {{"bias", Tensor::arange(7, DType::F64), 0},
          {"columns", Tensor::arange(6 * 10).reshape({6, 10}), 1},
          {"empty", Tensor::zeros({0, 3}, DType::BF16), 1},
          {"norm", Tensor::arange(9, DType::F16)},
          {"rows", Tensor::arange(5 * 6, DType::I32).reshape({5, 6}), 0},
          {"step", Tensor::arange(1, DType::I64).reshape({})},
          {"cube", Tensor::arange(3 * 4 * 5).reshape({3, 4, 5}), 1}};
}

uint64_t total_bytes(const std::vector<Stored>& stored) {
  uint64_t bytes = 0;
  for (const Stored& tensor : stored) bytes += tensor.tensor.size_bytes();
  return bytes;
}

Placement placement_of(const Stored& stored) {
  return stored.shard_dim < 0 ? Placement(Replicate{}) : Placement(Shard{stored.shard_dim});
}

Box part_of(const Stored& stored, int rank, int ranks) {
  return box_of(local_shape_and_offset(stored.tensor.shape(), {ranks}, {rank}, {placement_of(stored)}));
}

std::vector<Wanted> wanted_by(int rank, int ranks, const std::vector<Stored>& stored) {
  std::vector<Wanted> out;
  for (const Stored& s : stored)
    out.push_back(
        {.name = s.name, .shape = s.tensor.shape(), .dtype = s.tensor.dtype(), .part = part_of(s, rank, ranks)});
  return out;
}

Tensor expected_part(const Stored& stored, const Box& part) {
  Tensor out = stored.tensor;
  for (size_t d = 0; d < part.sizes.size(); ++d)
    out = out.narrow(static_cast<int64_t>(d), part.offsets[d], part.sizes[d]);
  return out;
}

// Two files and their index.
void write_model(const TemporaryFolder& folder, const std::vector<Stored>& stored) {
  std::vector<NamedBytes> files[2];
  std::string map;
  for (size_t i = 0; i < stored.size(); ++i) {
    files[i % 2].push_back(named_bytes(stored[i].name, stored[i].tensor));
    map += (i ? ",\"" : "\"") + stored[i].name + "\":\"s" + std::to_string(i % 2) + "\"";
  }
  for (size_t i = 0; i < 2; ++i) REQUIRE(write_safetensors(folder.path("s" + std::to_string(i)), files[i]));
  folder.write("model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
}

void check_parts(const std::vector<Result<Loaded>>& results, const std::vector<Stored>& stored) {
  const int ranks = static_cast<int>(results.size());
  for (int rank = 0; rank < ranks; ++rank) {
    const Loaded& loaded = success(results[static_cast<size_t>(rank)]);
    REQUIRE(loaded.tensors.size() == stored.size());
    for (const Stored& s : stored) {
      INFO("rank " << rank << ", " << s.name);
      CHECK(loaded.tensors.at(s.name).bit_equal(expected_part(s, part_of(s, rank, ranks))));
    }
  }
}

}  // namespace

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

namespace {

// Loads on three ranks what `spoil` has spoilt; the error that all of them return.
Error spoilt(LoadStrategy strategy, const std::function<void(const TemporaryFolder&)>& spoil,
             const std::function<void(int, std::vector<Wanted>&, LoadOptions&)>& change = {}) {
  const TemporaryFolder folder;
  const std::vector<Stored> stored = model();
  write_model(folder, stored);
  if (spoil) spoil(folder);
  return common_error(on_ranks<Loaded>(3, [&](RankContext& context) {
    std::vector<Wanted> wanted = wanted_by(context.rank(), 3, stored);
    LoadOptions options{.buffer_bytes = 64, .refuse_unexpected = true};
    if (change) change(context.rank(), wanted, options);
    return load(context.world(), folder.path(), wanted, strategy, options);
  }));
}

}  // namespace

TEST_CASE("a spoilt checkpoint is one error on every rank that names file and tensor") {
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    CHECK_THAT(spoilt(strategy, [](const auto& folder) { std::filesystem::remove(folder.path("s1")); }).message,
               Catch::StartsWith("rank 0: ") && Catch::Contains("s1: can not open"));
    CHECK_THAT(
        spoilt(strategy, [](const auto& folder) { std::filesystem::resize_file(folder.path("s0"), 300); }).message,
        Catch::Contains("s0: tensor `bias`: bytes [0, 56) reach beyond the file"));
    CHECK_THAT(
        spoilt(strategy, [](const auto& folder) { std::filesystem::resize_file(folder.path("s0"), 100); }).message,
        Catch::Contains("s0: its header claims 248 bytes, the file has 100"));
    CHECK_THAT(spoilt(strategy, [](const auto& folder) { folder.write("s0", length_bytes(uint64_t{1} << 62) + "{}"); })
                   .message,
               Catch::Contains("s0: its header claims"));
    CHECK_THAT(spoilt(strategy, [](const auto& folder) { folder.write("s1", safetensors_file("{}", "")); }).message,
               Catch::Contains("s1: tensor `columns`: is not in the file"));
    CHECK_THAT(spoilt(strategy,
                      [](const auto& folder) {
                        folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"../s0"}})");
                      })
                   .message,
               Catch::Contains("tensor `a`: its file `../s0` is not a plain file name"));
  }
}

TEST_CASE("a checkpoint that is not the model's is one error on every rank") {
  using Change = std::function<void(int, std::vector<Wanted>&, LoadOptions&)>;
  const Change other_type = [](int, auto& wanted, auto&) { wanted[1].dtype = DType::BF16; };
  const Change other_shape = [](int, auto& wanted, auto&) { wanted[1] = {.name = "columns", .shape = {10, 6}}; };
  const Change huge = [](int, auto& wanted, auto&) {
    wanted[1] = {.name = "columns", .shape = {int64_t{1} << 60}, .part = Box{{0}, {1}}};
  };
  const Change one_more = [](int, auto& wanted, auto&) { wanted.push_back({.name = "more", .shape = {1}}); };
  const Change one_less = [](int, auto& wanted, auto&) { wanted.pop_back(); };
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    CHECK_THAT(spoilt(strategy, {}, other_type).message,
               Catch::Contains("s1: tensor `columns`: is F32[6, 10] in the file, BF16[6, 10] in the model"));
    CHECK_THAT(spoilt(strategy, {}, other_shape).message,
               Catch::Contains("s1: tensor `columns`: is F32[6, 10] in the file, F32[10, 6] in the model"));
    CHECK_THAT(
        spoilt(strategy, {}, huge).message,
        Catch::Contains("s1: tensor `columns`: is F32[6, 10] in the file, F32[1152921504606846976] in the model"));
    CHECK_THAT(spoilt(strategy, {}, one_more).message, Catch::Contains("tensor `more`: is not in the checkpoint"));
    CHECK_THAT(spoilt(strategy, {}, one_less).message, Catch::Contains("s0: tensor `cube`: is not in the model"));
  }
}

TEST_CASE("a rank that asks for something else, or for nonsense, is named on every rank") {
  using Change = std::function<void(int, std::vector<Wanted>&, LoadOptions&)>;
  const Change fewer = [](int rank, auto& wanted, auto& options) {
    options.refuse_unexpected = false;
    if (rank == 2) wanted.pop_back();
  };
  const Change outside = [](int rank, auto& wanted, auto&) {
    if (rank == 1) wanted[1].part = Box{{0, 8}, {6, 5}};
  };
  const Change unlike = [](int rank, auto& wanted, auto&) {
    if (rank == 1) wanted[1].part = Box{{}, {6, 5}};
  };
  const Change twice = [](int rank, auto& wanted, auto&) {
    if (rank == 1) wanted[1].name = wanted[0].name;
  };
  const Change memory = [](int rank, auto& wanted, auto&) {
    if (rank == 1) wanted[1].into = Tensor::zeros({1});
  };
  const Change device = [](int rank, auto& wanted, auto&) {
    if (rank == 1) wanted[1].into = Tensor::zeros(wanted[1].part->sizes, DType::F32, Device::Accelerator);
  };
  const Change buffer = [](int rank, auto&, auto& options) { options.buffer_bytes = rank == 2 ? 128 : 64; };
  const Change type = [](int rank, auto& wanted, auto&) {
    if (rank == 2) wanted[1].dtype = DType::I32;
  };
  const Change shape = [](int rank, auto& wanted, auto&) {
    if (rank == 2) wanted[1] = {.name = "columns", .shape = {10, 6}};
  };
  for (const Change& change : {type, shape})  // of a rank that does not look into the file
    CHECK(spoilt(LoadStrategy::RankZeroReads, {}, change).message ==
          "rank 2 and rank 0 do not have the same list of tensors to load");
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    CHECK(spoilt(strategy, {}, fewer).message == "rank 2 and rank 0 do not have the same list of tensors to load");
    CHECK(spoilt(strategy, {}, buffer).message == "rank 2 and rank 0 do not have the same list of tensors to load");
    CHECK_THAT(
        spoilt(strategy, {}, outside).message,
        Catch::StartsWith("rank 1: ") && Catch::Contains("tensor `columns`: part [0:6, 8:13] is no part of [6, 10]"));
    CHECK_THAT(spoilt(strategy, {}, unlike).message,
               Catch::StartsWith("rank 1: ") &&
                   Catch::Contains("tensor `columns`: part of offsets [] and sizes [6, 5] is no part"));
    CHECK_THAT(spoilt(strategy, {}, twice).message,
               Catch::StartsWith("rank 1: ") && Catch::Contains("tensor `bias`: is wanted twice"));
    CHECK_THAT(spoilt(strategy, {}, memory).message,
               Catch::StartsWith("rank 1: ") && Catch::Contains("tensor `columns`: its memory is float32[1]"));
    CHECK_THAT(spoilt(strategy, {}, device).message,
               Catch::StartsWith("rank 1: ") &&
                   Catch::Contains("tensor `columns`: its memory is accelerator memory, the load is for the host"));
  }
}

TEST_CASE("a disk that fails on one rank in the middle of the data is one error on every rank") {
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    const int broken = strategy == LoadStrategy::RankZeroReads ? 0 : 2;
    const Error error = spoilt(strategy, {}, [&](int rank, auto&, LoadOptions& options) {
      options.open.read.mode = ReadMode::Pread;
      if (rank != broken) return;
      options.open.read.pread = [reads = 0](int fd, void* out, size_t size, off_t offset) mutable -> ssize_t {
        if (++reads > 3)  // of this file; two are for its header
          return errno = EIO, -1;
        return ::pread(fd, out, size, offset);
      };
    });
    CHECK(error.kind == ErrorKind::Io);
    CHECK_THAT(error.message, Catch::StartsWith("rank " + std::to_string(broken) + ": ") &&
                                  Catch::Contains(": tensor `") && Catch::Contains("can not read at byte"));
  }
}

TEST_CASE("a file that is cut short while it is read is one error on every rank") {
  for (const LoadStrategy strategy : kStrategies) {
    INFO(name_of(strategy));
    const TemporaryFolder folder;
    REQUIRE(write_safetensors(folder.path("m"), std::vector{named_bytes("w", Tensor::arange(4000))}));
    const auto results = on_ranks<Loaded>(2, [&](RankContext& context) {
      LoadOptions options{.open = {.read = {.mode = ReadMode::Pread}}, .buffer_bytes = 1000};
      if (context.rank() == 0)
        options.open.read.pread = [&folder](int fd, void* out, size_t size, off_t offset) -> ssize_t {
          if (offset > 8000 && ::truncate(folder.path("m").c_str(), 5000) != 0) return -1;
          return ::pread(fd, out, std::min<size_t>(size, 500), offset);
        };
      const std::vector<Wanted> wanted = {{.name = "w", .shape = {4000}}};
      return load(context.world(), folder.path("m"), wanted, strategy, options);
    });
    CHECK_THAT(common_error(results).message, Catch::Contains("m: tensor `w`: "));
  }
}

TEST_CASE("ranks that see different files do not mix them") {
  const TemporaryFolder here, there;
  const std::vector<Stored> stored = model();
  write_model(here, stored);
  write_model(there, stored);
  REQUIRE(write_safetensors(
      there.path("s1"),
      std::vector{named_bytes("columns", Tensor::zeros({6, 10})), named_bytes("norm", Tensor::zeros({9}, DType::F16)),
                  named_bytes("step", Tensor::zeros({}, DType::I64))},
      {{"format", "other"}}));
  for (const LoadStrategy strategy : {LoadStrategy::EveryRankReads, LoadStrategy::EachReadsItsShard}) {
    const auto results = on_ranks<Loaded>(3, [&](RankContext& context) {
      return load(context.world(), context.rank() == 1 ? there.path() : here.path(),
                  wanted_by(context.rank(), 3, stored), strategy);
    });
    CHECK(common_error(results).message == "rank 1 and rank 0 do not have the same files to read");
  }
}

TEST_CASE("groups load side by side, each for itself") {
  const TemporaryFolder good, bad;
  const std::vector<Stored> stored = model();
  write_model(good, stored);
  write_model(bad, stored);
  std::filesystem::remove(bad.path("s0"));
  const auto results = on_ranks<Loaded>(4, [&](RankContext& context) {
    ProcessGroup even = context.new_group({0, 2}, "even"), odd = context.new_group({1, 3}, "odd");
    ProcessGroup& mine = context.rank() % 2 == 0 ? even : odd;
    return load(mine, context.rank() % 2 == 0 ? good.path() : bad.path(), wanted_by(mine.rank(), 2, stored),
                LoadStrategy::RankZeroReads);
  });
  check_parts({results[0], results[2]}, stored);
  CHECK_THAT(common_error<Loaded>({results[1], results[3]}).message,
             Catch::StartsWith("rank 1: ") && Catch::Contains("s0: can not open"));
}

}  // namespace ranklint::runtime::test
