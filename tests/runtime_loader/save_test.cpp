// What ranks save in parts is a checkpoint for any other number of ranks; a save that fails leaves the one before it.
#include <sys/stat.h>

#include <filesystem>

#include "runtime/loader/load.h"
#include "runtime/loader/manifest.h"
#include "runtime/loader/save.h"
#include "runtime/loader/save_plan.h"
#include "tests/runtime_loader/files.h"
#include "tests/runtime_loader/ranks.h"

namespace ranklint::runtime::test {

namespace {

// Rank's rows of a [rows, 4] tensor, as torch.chunk cuts them.
Box rows_of(int64_t rows, int rank, int ranks) {
  const int64_t chunk = (rows + ranks - 1) / ranks, begin = std::min(rows, rank * chunk);
  return {{begin, 0}, {std::min(rows, begin + chunk) - begin, 4}};
}

Tensor matrix(int64_t rows) { return Tensor::arange(rows * 4).reshape({rows, 4}); }

std::vector<OwnPart> parts_of(int rank, int ranks, int64_t rows = 5) {
  const Box box = rows_of(rows, rank, ranks);
  return {{"w", {rows, 4}, box, matrix(rows).narrow(0, box.offsets[0], box.sizes[0])},
          {"norm", {3}, whole_of({3}), Tensor::full({3}, static_cast<double>(rows), DType::BF16)}};
}

std::vector<Result<SaveReport>> save(const std::string& folder, int ranks, int64_t rows = 5) {
  return on_ranks<SaveReport>(ranks, [&](RankContext& context) {
    return save_sharded(context.world(), folder, parts_of(context.rank(), ranks, rows));
  });
}

// Loads `w` by columns, so that every rank needs a bit of every chunk.
void check_loads(const std::string& folder, int ranks, int64_t rows) {
  for (const LoadStrategy strategy :
       {LoadStrategy::RankZeroReads, LoadStrategy::EveryRankReads, LoadStrategy::EachReadsItsShard}) {
    const auto results = on_ranks<Loaded>(ranks, [&](RankContext& context) {
      const int64_t chunk = (4 + ranks - 1) / ranks, begin = std::min<int64_t>(4, context.rank() * chunk);
      const std::vector<Wanted> wanted = {
          {.name = "w",
           .shape = {rows, 4},
           .part = Box{{0, begin}, {rows, std::min<int64_t>(4, begin + chunk) - begin}}},
          {.name = "norm", .shape = {3}, .dtype = DType::BF16}};
      return load(context.world(), folder, wanted, strategy, {.buffer_bytes = 24});
    });
    for (int rank = 0; rank < ranks; ++rank) {
      const Loaded& loaded = success(results[static_cast<size_t>(rank)]);
      const int64_t chunk = (4 + ranks - 1) / ranks, begin = std::min<int64_t>(4, rank * chunk);
      CHECK(
          loaded.tensors.at("w").bit_equal(matrix(rows).narrow(1, begin, std::min<int64_t>(4, begin + chunk) - begin)));
      CHECK(loaded.tensors.at("norm").bit_equal(Tensor::full({3}, static_cast<double>(rows), DType::BF16)));
    }
  }
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("what any number of ranks saves, any number of ranks loads in other parts") {
  for (const int saving : {1, 2, 3, 4})
    for (const int loading : {1, 2, 3}) {
      INFO(saving << " save, " << loading << " load");
      const TemporaryFolder folder;
      for (const auto& result : save(folder.path("checkpoint"), saving)) success(result);
      check_loads(folder.path("checkpoint"), loading, 5);
    }
}

TEST_CASE("a part that several ranks hold is written once, an empty part not at all") {
  const TemporaryFolder folder;
  const auto results = save(folder.path(), 4);  // 5 rows over 4 ranks: 2, 2, 1, 0
  CHECK(success(results[0]).written_bytes == 2 * 16 + 6);
  CHECK(success(results[1]).written_bytes == 2 * 16);
  CHECK(success(results[3]).written_bytes == 0);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"checkpoint.json", "part-1-0.safetensors",
                                                            "part-1-1.safetensors", "part-1-2.safetensors"});
}

TEST_CASE("a path that would be taken for another one is neither saved to nor loaded from") {
  const TemporaryFolder folder;
  success(save(folder.path("there"), 2).front());
  for (const std::string& path : {std::string(), folder.path("there") + std::string("\0more", 5)}) {
    for (const Result<SaveReport>& saved : save(path, 2)) CHECK(saved.error().kind == ErrorKind::InvalidArgument);
    CHECK(Checkpoint::open(path).error().kind == ErrorKind::InvalidArgument);
  }
  check_loads(folder.path("there"), 2, 5);
}

TEST_CASE("a second save replaces the first, and nothing else in the folder") {
  const TemporaryFolder folder;
  folder.write("part-of-me.safetensors", "mine");
  for (const auto& result : save(folder.path(), 3)) CHECK(success(result).generation == 1);
  for (const auto& result : save(folder.path(), 2, 6)) CHECK(success(result).generation == 2);
  check_loads(folder.path(), 2, 6);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"checkpoint.json", "part-2-0.safetensors",
                                                            "part-2-1.safetensors", "part-of-me.safetensors"});
}

TEST_CASE("a save that one rank can not finish is an error on every rank, and the older checkpoint stays") {
  const TemporaryFolder folder;
  for (const auto& result : save(folder.path(), 3)) success(result);
  REQUIRE(::mkdir(folder.path("part-2-1.safetensors").c_str(), 0700) == 0);  // rank 1 can not rename its file to this
  CHECK_THAT(common_error(save(folder.path(), 3, 6)).message,
             Catch::StartsWith("rank 1: ") && Catch::Contains("part-2-1.safetensors: can not rename to"));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"checkpoint.json", "part-1-0.safetensors",
                                                            "part-1-1.safetensors", "part-1-2.safetensors",
                                                            "part-2-1.safetensors"});
  check_loads(folder.path(), 2, 5);
}

TEST_CASE("a checkpoint that could not be read is not saved, and the older one stays") {
  const TemporaryFolder folder;
  for (const auto& result : save(folder.path(), 1)) success(result);
  const auto save_with = [&](const std::string& name) {
    return common_error(on_ranks<SaveReport>(1, [&](RankContext& context) {
      std::vector<OwnPart> parts = parts_of(0, 1);
      parts.push_back({name, {0}, whole_of({0}), Tensor::zeros({0})});  // no file holds it, only the manifest names it
      return save_sharded(context.world(), folder.path(), parts);
    }));
  };
  CHECK_THAT(save_with(std::string("e\0", 2)).message,
             Catch::Contains("saving: tensor `e\\x00`: its name holds a NUL byte"));
  CHECK_THAT(save_with("__metadata__").message,
             Catch::Contains("tensor `__metadata__`: the format keeps this name for itself"));
  const Error error = save_with(std::string(100'000'000, 'x'));
  CHECK(error.kind == ErrorKind::InvalidArgument);
  CHECK_THAT(error.message,
             Catch::Contains("checkpoint.json: has 10000") && Catch::EndsWith("bytes, more than 100000000"));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"checkpoint.json", "part-1-0.safetensors"});
  check_loads(folder.path(), 1, 5);
}

TEST_CASE("a save that ends before its mark is no checkpoint") {
  const TemporaryFolder folder;
  for (const auto& result : save(folder.path(), 2)) success(result);
  std::filesystem::remove(folder.path("checkpoint.json"));
  const auto results = on_ranks<Loaded>(2, [&](RankContext& context) {
    return load(context.world(), folder.path(), std::vector<Wanted>{{.name = "w", .shape = {5, 4}}},
                LoadStrategy::EachReadsItsShard);
  });
  CHECK_THAT(common_error(results).message, Catch::Contains("holds no checkpoint.json"));
}

TEST_CASE("a part that is not the one that was saved is refused") {
  const TemporaryFolder one, two;
  for (const auto& result : save(one.path(), 2)) success(result);
  for (const auto& result : save(two.path(), 2, 6)) success(result);
  std::filesystem::copy_file(two.path("part-1-1.safetensors"), one.path("part-1-1.safetensors"),
                             std::filesystem::copy_options::overwrite_existing);
  CHECK_THAT(Checkpoint::open(one.path()).error().message,
             Catch::Contains("part-1-1.safetensors: is not the file that"));
}

TEST_CASE("a part whose tensor is not what the manifest says is refused") {
  const TemporaryFolder folder;
  for (const auto& result : save(folder.path(), 1)) success(result);
  const auto error_with = [&, manifest = read_all(folder.path("checkpoint.json"))](const std::string& from,
                                                                                   const std::string& to) {
    const size_t at = manifest.find(from);
    REQUIRE(at != manifest.npos);
    folder.write("checkpoint.json", std::string(manifest).replace(at, from.size(), to));
    return Checkpoint::open(folder.path()).error().message;
  };
  const std::string file = folder.path("part-1-0.safetensors");
  CHECK(error_with("F32", "I32") == file + ": tensor `w`: is F32[5, 4], the manifest says I32[5, 4]");
  CHECK(error_with("\"w\"", "\"v\"") == file + ": tensor `v`: is not in the file that the manifest names for it");
}

namespace {

Error save_error(const std::function<std::vector<OwnPart>(int)>& parts) {
  const TemporaryFolder folder;
  const Error error = common_error(on_ranks<SaveReport>(
      2, [&](RankContext& context) { return save_sharded(context.world(), folder.path("c"), parts(context.rank())); }));
  CHECK_FALSE(std::filesystem::exists(folder.path("c/checkpoint.json")));
  return error;
}

OwnPart part(Shape shape, Box box, DType dtype = DType::F32) {
  return {"w", std::move(shape), box, Tensor::zeros(box.sizes, dtype)};
}

}  // namespace

TEST_CASE("parts that do not make up their tensors are refused before anything is written") {
  CHECK_THAT(save_error([](int rank) { return std::vector{part({4}, {{rank}, {2}})}; }).message,
             Catch::Contains("tensor `w`: chunks [0:2] and [1:3] overlap"));
  CHECK_THAT(save_error([](int rank) { return std::vector{part({4}, {{rank}, {1}})}; }).message,
             Catch::Contains("2 of the 4 elements"));
  CHECK_THAT(save_error([](int rank) {
               return std::vector{part({4}, {{2 * rank}, {2}}, rank ? DType::F32 : DType::BF16)};
             }).message,
             Catch::Contains("tensor `w`: is F32[4] on member 1 of the group, BF16[4] before it"));
  CHECK_THAT(save_error([](int rank) { return std::vector{part({4}, {{2 * rank + 1}, {2}})}; }).message,
             Catch::Contains("rank 1: saving: tensor `w`: part [3:5]"));
  CHECK_THAT(save_error([](int) { return std::vector{part({2, 2}, {{}, {2, 2}})}; }).message,
             Catch::Contains("rank 0: saving: tensor `w`: part of offsets [] and sizes [2, 2] is no part of [2, 2]"));
  CHECK_THAT(save_error([](int rank) {
               std::vector parts = {part({4}, {{2 * rank}, {2}})};
               if (rank == 1) parts.push_back(parts[0]);
               return parts;
             }).message,
             Catch::Contains("rank 1: saving: tensor `w`: is given twice"));
  CHECK_THAT(save_error([](int rank) {
               std::vector parts = {part({4}, {{2 * rank}, {2}})};
               if (rank == 1) parts[0].name = "\xff";
               return parts;
             }).message,
             Catch::Contains("rank 1: saving: tensor `\xff`: its name is not UTF-8"));
}

TEST_CASE("only names of parts are taken for parts") {
  CHECK(is_part_file_name(part_file_name(12, 345)));
  CHECK(is_part_file_name("part-1-0.safetensors.partial"));
  CHECK_FALSE(is_part_file_name("part-1.safetensors"));
  CHECK_FALSE(is_part_file_name("part-1-.safetensors"));
  CHECK_FALSE(is_part_file_name("part-1-0.safetensors.bak"));
}

}  // namespace ranklint::runtime::test
