// One file, an index with several, and what a saved checkpoint's manifest may say.
#include <catch2/catch.hpp>

#include "runtime/loader/checkpoint.h"
#include "runtime/loader/manifest.h"
#include "runtime/loader/shard_index.h"
#include "runtime/loader/writer.h"
#include "tests/runtime_loader/files.h"

namespace ranklint::runtime::test {

namespace {

void write_tensor(const std::string& path, const std::string& name, const Tensor& tensor) {
  REQUIRE(write_safetensors(path, std::vector{named_bytes(name, tensor)}));
}

struct TwoShards {
  TemporaryFolder folder;
  TwoShards() {
    write_tensor(folder.path("s1.safetensors"), "a", Tensor::arange(4));
    write_tensor(folder.path("s2.safetensors"), "b", Tensor::arange(2, DType::I64));
  }
  std::string index(std::string_view json) const { return folder.write("model.safetensors.index.json", json); }
  std::string error_of(std::string_view json) const {
    const Result<Checkpoint> checkpoint = Checkpoint::open(index(json));
    return checkpoint ? "" : checkpoint.error().message;
  }
};

constexpr std::string_view kIndex =
    R"({"metadata":{"total_size":32},"weight_map":{"a":"s1.safetensors","b":"s2.safetensors"}})";

}  // namespace

TEST_CASE("an index gives the tensors of all its files, opened by its own name or its folder's") {
  const TwoShards shards;
  for (const std::string& path : {shards.index(kIndex), shards.folder.path()}) {
    const Result<Checkpoint> checkpoint = Checkpoint::open(path);
    REQUIRE(checkpoint);
    CHECK(checkpoint->tensors().size() == 2);
    CHECK(checkpoint->file_of(*checkpoint->find("b")) == shards.folder.path("s2.safetensors"));
    CHECK(checkpoint->warnings().empty());
  }
}

TEST_CASE("a folder without an index has one file or is refused") {
  const TemporaryFolder folder;
  CHECK_THAT(Checkpoint::open(folder.path()).error().message,
             Catch::StartsWith(folder.path() + ": holds no checkpoint.json"));
  write_tensor(folder.path("model.safetensors"), "a", Tensor::arange(4));
  const Result<Checkpoint> checkpoint = Checkpoint::open(folder.path());
  REQUIRE(checkpoint);
  CHECK(checkpoint->find("a")->shape == Shape{4});
  CHECK(checkpoint->find("b") == nullptr);
}

TEST_CASE("an index that names no plain file is refused") {
  for (const char* name : {"../s1.safetensors", "/etc/passwd", "", ".", "..", "x/s1", "a\\\\b", "s1\\u0000"}) {
    INFO(name);
    const TwoShards shards;
    const std::string error = shards.error_of(R"({"weight_map":{"a":")" + std::string(name) + "\"}}");
    CHECK_THAT(error, Catch::Contains("tensor `a`: its file") && Catch::Contains("is not a plain file name"));
  }
}

TEST_CASE("an index of the wrong form is refused") {
  const TwoShards shards;
  CHECK_THAT(shards.error_of("[]"), Catch::Contains("has no object `weight_map`"));
  CHECK_THAT(shards.error_of(R"({"weight_map":[]})"), Catch::Contains("has no object `weight_map`"));
  CHECK_THAT(shards.error_of(R"({"weight_map":{"a":1}})"), Catch::Contains("tensor `a`: its file is not a string"));
  CHECK_THAT(shards.error_of(R"({"weight_map":{"a":"s1.safetensors","a":"s2.safetensors"}})"),
             Catch::Contains("the key `a` twice"));
  CHECK_THAT(shards.error_of("{\"weight_map\":{"), Catch::Contains("not valid UTF-8 JSON"));
  CHECK_THAT(shards.error_of(std::string("{\"weight_map\":{}}\0x", 19)), Catch::Contains("NUL"));
  CHECK_THAT(shards.error_of("{\"x\":" + std::string(5000, '[')), Catch::Contains("nested deeper than 8"));
}

TEST_CASE("an index that does not fit its files is refused by file and tensor") {
  const TwoShards shards;
  CHECK_THAT(shards.error_of(R"({"weight_map":{"a":"none.safetensors"}})"),
             Catch::Contains("none.safetensors: can not open") &&
                 Catch::EndsWith("model.safetensors.index.json names it for tensor `a`)"));
  CHECK_THAT(shards.error_of(R"({"weight_map":{"a":"s2.safetensors"}})"),
             Catch::Contains("s2.safetensors: tensor `a`: is not in the file"));
  write_tensor(shards.folder.path("s2.safetensors"), "a", Tensor::arange(4));
  CHECK_THAT(shards.error_of(R"({"weight_map":{"a":"s1.safetensors","b":"s2.safetensors"}})"),
             Catch::Contains("tensor `b`"));
  REQUIRE(write_safetensors(shards.folder.path("s2.safetensors"),
                            std::vector{named_bytes("a", Tensor::arange(4)), named_bytes("b", Tensor::arange(2))}));
  CHECK_THAT(shards.error_of(kIndex),
             Catch::Contains("s2.safetensors: tensor `a`: is also in") && Catch::Contains("s1.safetensors"));
}

TEST_CASE("what files in the wild get wrong without harm is a warning") {
  const TwoShards shards;
  const Result<Checkpoint> checkpoint =
      Checkpoint::open(shards.index(R"({"metadata":{"total_size":7},"weight_map":{"a":"s1.safetensors"}})"));
  REQUIRE(checkpoint);
  REQUIRE(checkpoint->warnings().size() == 1);
  CHECK_THAT(checkpoint->warnings()[0], Catch::Contains("total_size is 7, the files hold 16 bytes"));
}

TEST_CASE("the fingerprint changes with any header and any size") {
  const TwoShards shards;
  const uint64_t before = Checkpoint::open(shards.index(kIndex))->fingerprint();
  CHECK(Checkpoint::open(shards.index(kIndex))->fingerprint() == before);
  write_tensor(shards.folder.path("s2.safetensors"), "b", Tensor::arange(3, DType::I64));
  CHECK(Checkpoint::open(shards.index(kIndex))->fingerprint() != before);
}

TEST_CASE("chunks must be disjoint and cover the tensor") {
  CHECK(flaw_of_cover({4, 4}, {{{0, 0}, {2, 4}}, {{2, 0}, {2, 1}}, {{2, 1}, {2, 3}}, {{4, 0}, {0, 4}}}).empty());
  CHECK(flaw_of_cover({4, 4}, {{{0, 0}, {4, 4}}, {{2, 0}, {0, 4}}}).empty());
  CHECK(flaw_of_cover({}, {{{}, {}}}).empty());
  CHECK(flaw_of_cover({0, 3}, {}).empty());
  CHECK_THAT(flaw_of_cover({}, {{{}, {}}, {{}, {}}}), Catch::Contains("overlap"));
  CHECK_THAT(flaw_of_cover({4, 4}, {{{0, 0}, {3, 4}}, {{2, 0}, {2, 4}}}),
             Catch::Contains("chunks [0:3, 0:4] and [2:4, 0:4] overlap"));
  CHECK_THAT(flaw_of_cover({4, 4}, {{{0, 0}, {2, 4}}, {{2, 0}, {2, 3}}}), Catch::Contains("14 of the 16 elements"));
  CHECK_THAT(flaw_of_cover({4}, {{{2}, {3}}}), Catch::Contains("[2:5] is no part of [4]"));
  CHECK_THAT(flaw_of_cover({4, 2}, {{{}, {4, 2}}}),
             Catch::Contains("chunk of offsets [] and sizes [4, 2] is no part of [4, 2]"));
}

namespace {

// A [side, side, ...] tensor, an element a chunk.
std::vector<Box> grid(int64_t side, size_t dimensions) {
  std::vector<Box> boxes = {{{}, {}}};
  for (size_t d = 0; d < dimensions; ++d) {
    std::vector<Box> longer;
    for (const Box& box : boxes)
      for (int64_t i = 0; i < side; ++i) {
        longer.push_back(box);
        longer.back().offsets.push_back(i);
        longer.back().sizes.push_back(1);
      }
    boxes = std::move(longer);
  }
  return boxes;
}

}  // namespace

TEST_CASE("as many chunks as there may be are checked at once where they lie in a grid") {
  for (const auto& [side, dimensions] :
       {std::pair<int64_t, size_t>{10'000, 1}, {100, 2}, {21, 3}, {10, 4}, {6, 5}, {2, 13}}) {
    std::vector<Box> boxes = grid(side, dimensions);
    const Shape shape(dimensions, side);
    CHECK(flaw_of_cover(shape, boxes).empty());
    boxes.back() = boxes[boxes.size() / 2];
    CHECK_THAT(flaw_of_cover(shape, boxes), Catch::Contains("overlap"));
  }
  std::vector<Box> columns;  // of 7 rows: all meet along dimension 0
  for (int64_t i = 0; i < 10'000; ++i) columns.push_back({{0, i}, {7, 1}});
  CHECK(flaw_of_cover({7, 10'000}, columns).empty());
}

TEST_CASE("chunks that lie without any order are refused where they are too many to compare") {
  // Slices along each of three dimensions: whatever the dimension, two thirds of the chunks meet along it.
  std::vector<Box> boxes;
  for (int64_t i = 0; i < 3000; ++i) {
    boxes.push_back({{i, 0, 0}, {1, 3000, 3000}});
    boxes.push_back({{0, i, 0}, {3000, 1, 3000}});
    boxes.push_back({{0, 0, i}, {3000, 3000, 1}});
  }
  CHECK_THAT(flaw_of_cover({3000, 3000, 3000}, boxes), Catch::Contains("its 9000 chunks lie too irregularly"));
  std::vector<Box> fewer;
  for (int64_t i = 0; i < 300; ++i) {
    fewer.push_back({{i, 0, 0}, {1, 300, 1}});
    fewer.push_back({{0, i, 1}, {300, 1, 1}});
  }
  CHECK(flaw_of_cover({300, 300, 2}, fewer).empty());
}

namespace {

Manifest two_chunks() {
  Manifest manifest;
  manifest.generation = 3;
  manifest.files["part-3-0.safetensors"] = {100, 0x91c0ffee};
  manifest.tensors["w"] = {StoredType::F32,
                           {4, 2},
                           {{"part-3-0.safetensors", {{0, 0}, {4, 1}}}, {"part-3-0.safetensors", {{0, 1}, {4, 1}}}}};
  return manifest;
}

std::string manifest_error(const std::string& json) {
  const TemporaryFolder folder;
  const Result<Manifest> manifest = read_manifest(folder.write("checkpoint.json", json));
  return manifest ? "" : manifest.error().message;
}

// The manifest with one piece of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string json = to_json(two_chunks());
  const size_t at = json.find(from);
  REQUIRE(at != json.npos);
  return json.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a manifest reads back as it was written") {
  const TemporaryFolder folder;
  const std::string json = to_json(two_chunks());
  const Result<Manifest> back = read_manifest(folder.write("checkpoint.json", json));
  REQUIRE(back);
  CHECK(to_json(*back) == json);
  CHECK(back->files.at("part-3-0.safetensors").fingerprint == 0x91c0ffee);
}

TEST_CASE("a manifest that lies is refused") {
  CHECK_THAT(manifest_error("{}"), Catch::Contains("lacks a field"));
  CHECK_THAT(manifest_error("7"), Catch::Contains("lacks a field"));
  CHECK_THAT(manifest_error(changed("ranklint-checkpoint", "pickle")), Catch::Contains("is not a ranklint-checkpoint"));
  CHECK_THAT(manifest_error(changed("\"version\": 1", "\"version\": 2")), Catch::Contains("does not know"));
  CHECK_THAT(manifest_error(changed("\"generation\": 3", "\"generation\": -3")), Catch::Contains("non-negative"));
  CHECK_THAT(manifest_error(changed("part-3-0", "../part")), Catch::Contains("not a plain file name"));
  CHECK_THAT(manifest_error(changed("0000000091c0ffee", "zz")), Catch::Contains("has no fingerprint"));
  CHECK_THAT(manifest_error(changed("F32", "F33")), Catch::Contains("tensor `w`: unknown dtype `F33`"));
  const std::string offsets = "\"offsets\": [\n      0,\n      1\n     ]";
  CHECK_THAT(manifest_error(changed(offsets, "\"offsets\": []")),
             Catch::Contains("tensor `w`: chunk of offsets [] and sizes [4, 1] is no part of [4, 2]"));
  CHECK_THAT(manifest_error(changed(offsets, "\"offsets\": [1]")),
             Catch::Contains("tensor `w`: chunk of offsets [1] and"));
  CHECK_THAT(manifest_error(changed(offsets, "\"offsets\": [0, 9223372036854775807]")),
             Catch::Contains("tensor `w`: chunk of offsets [0, 9223372036854775807] and"));
  CHECK_THAT(manifest_error(changed(R"("shape": [
    4,
    2
   ])",
                                    R"("shape": [0, 9223372036854775808])")),
             Catch::Contains("holds a size beyond 2^63 - 1"));
  CHECK_THAT(manifest_error(changed("\"file\": \"part-3-0", "\"file\": \"part-3-1")),
             Catch::Contains("is not in the list of files"));
}

}  // namespace ranklint::runtime::test
