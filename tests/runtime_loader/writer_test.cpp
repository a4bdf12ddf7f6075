#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <filesystem>

#include "runtime/loader/safetensors.h"
#include "runtime/loader/writer.h"
#include "tests/runtime_loader/files.h"

namespace ranklint::runtime::test {

static NamedBytes bytes(std::string name, StoredType type, Shape shape, std::string_view data) {
  return {std::move(name), type, std::move(shape), std::as_bytes(std::span(data))};
}

TEST_CASE("a file is written byte for byte as the format's own writer does") {
  const TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  const std::vector<NamedBytes> tensors = {bytes("b", StoredType::U8, {3}, "abc"), bytes("a", StoredType::U8, {}, "z"),
                                           bytes("w", StoredType::F16, {1, 2}, "1234"),
                                           bytes("n", StoredType::I64, {0}, "")};
  REQUIRE(write_safetensors(path, tensors, {{"format", "pt"}, {"by", "a \"test\"\n"}}));
  const std::string header = R"({"__metadata__":{"by":"a \"test\"\n","format":"pt"},)"
                             R"("n":{"dtype":"I64","shape":[0],"data_offsets":[0,0]},)"
                             R"("w":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]},)"
                             R"("a":{"dtype":"U8","shape":[],"data_offsets":[4,5]},)"
                             R"("b":{"dtype":"U8","shape":[3],"data_offsets":[5,8]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  CHECK(read_all(path) == safetensors_file(padded, "1234zabc"));
}

TEST_CASE("what is written is read back, whatever the name") {
  const TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  const Tensor tensor = Tensor::from<float>({1.5f, -2.0f, 0.25f, 8.0f, 9.0f, 10.0f}, {2, 3});
  const std::string name = "größe/\x01\"\\ 層";
  REQUIRE(write_safetensors(
      path, std::vector{named_bytes(name, tensor), named_bytes("", Tensor::zeros({0, 4}, DType::BF16))}));
  const Result<SafeTensors> file = SafeTensors::open(path);
  REQUIRE(file);
  const Result<Tensor> back = file->read(name);
  REQUIRE(back);
  CHECK(back->bit_equal(tensor));
  CHECK(file->find("")->shape == Shape{0, 4});
}

TEST_CASE("what could not be read is not written") {
  const TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  const auto refused = [&](std::vector<NamedBytes> tensors) {
    const Status status = write_safetensors(path, tensors);
    return status ? "" : status.error().message;
  };
  CHECK_THAT(refused({bytes("a", StoredType::U8, {1}, "x"), bytes("a", StoredType::U8, {1}, "y")}),
             Catch::Contains("`a`: is in the header twice"));
  CHECK_THAT(refused({bytes("a", StoredType::U8, {2}, "x")}), Catch::Contains("U8[2] is 2 bytes, its offsets say 1"));
  CHECK_THAT(refused({bytes("__metadata__", StoredType::U8, {1}, "x")}), Catch::Contains("keeps this name"));
  CHECK_THAT(refused({bytes(std::string("a\0b", 3), StoredType::U8, {1}, "x")}), Catch::Contains("NUL"));
  CHECK_THAT(refused({bytes("\xff", StoredType::U8, {1}, "x")}), Catch::Contains("its name is not UTF-8"));
  CHECK_THAT(refused({bytes("a", StoredType::U8, {-1}, "")}), Catch::Contains("negative size"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("metadata that is not UTF-8 is refused by its key") {
  for (const Metadata& metadata : {Metadata{{"k", "\xff"}}, Metadata{{"k\xff", ""}}})
    CHECK_THAT(prologue_of({}, metadata, "m").error().message,
               Catch::StartsWith("m: `__metadata__`: the key or the value of `k"));
}

TEST_CASE("a header that is longer than the reader takes is not written") {
  const Result<Prologue> prologue = prologue_of({}, {{"notes", std::string(HeaderLimits().header_bytes, 'x')}}, "m");
  REQUIRE_FALSE(prologue);
  CHECK(prologue.error().kind == ErrorKind::InvalidArgument);
  CHECK_THAT(prologue.error().message,
             Catch::StartsWith("m: its header claims 1000000") && Catch::EndsWith("more than 100000000"));
}

TEST_CASE("a write that fails leaves what was there, and nothing beside it") {
  const TemporaryFolder folder;
  REQUIRE(::mkdir(folder.path("m.safetensors").c_str(), 0700) == 0);  // a folder can not be replaced by a file
  const Status status =
      write_safetensors(folder.path("m.safetensors"), std::vector{bytes("a", StoredType::U8, {1}, "x")});
  REQUIRE_FALSE(status);
  CHECK_THAT(status.error().message, Catch::Contains("m.safetensors: can not rename to"));
  CHECK_FALSE(std::filesystem::exists(folder.path("m.safetensors.partial")));
  CHECK_FALSE(write_safetensors(folder.path("none/m"), {}));
}

TEST_CASE("a leftover of a crash does not hinder the next write") {
  const TemporaryFolder folder;
  folder.write("m.partial", "half a file");
  REQUIRE(write_safetensors(folder.path("m"), {}));
  CHECK(read_all(folder.path("m")) == safetensors_file("{}      ", ""));
}

}  // namespace ranklint::runtime::test
