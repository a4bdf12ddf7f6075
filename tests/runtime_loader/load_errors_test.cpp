// What is wrong with a checkpoint, a wish or a disk is one error, the same on every rank.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "tests/runtime_loader/stored_model.h"

namespace ranklint::runtime::test {

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
