#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/loader/safetensors.h"
#include "tests/runtime_loader/files.h"

namespace ranklint::runtime::test {

namespace {

constexpr std::string_view kMatrix = R"({"w":{"dtype":"I32","shape":[3,4],"data_offsets":[0,48]}})";

std::string matrix_file() {
  return safetensors_file(kMatrix, bytes_of<int32_t>({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
}

std::string open_error(const std::string& path) {
  const Result<SafeTensors> file = SafeTensors::open(path);
  return file ? "" : file.error().message;
}

std::vector<int32_t> numbers(const Result<Tensor>& tensor) {
  INFO((tensor ? std::string() : tensor.error().message));
  REQUIRE(tensor);
  return {tensor->as<int32_t>().begin(), tensor->as<int32_t>().end()};
}

}  // namespace

TEST_CASE("a file is read as it was written by hand, mapped or not") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.safetensors", matrix_file());
  for (const ReadMode mode : {ReadMode::Mmap, ReadMode::Pread}) {
    const Result<SafeTensors> file = SafeTensors::open(path, {.read = {.mode = mode}});
    REQUIRE(file);
    CHECK(numbers(file->read("w")) == std::vector<int32_t>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
    CHECK(numbers(file->read("w", {{1, 0}, {2, 4}})) == std::vector<int32_t>{10, 11, 12, 13, 20, 21, 22, 23});
    CHECK(numbers(file->read("w", {{0, 1}, {3, 2}})) == std::vector<int32_t>{1, 2, 11, 12, 21, 22});
    CHECK(numbers(file->read("w", {{3, 0}, {0, 4}})).empty());
  }
}

TEST_CASE("data that begins at an odd byte is read all the same") {
  const TemporaryFolder folder;
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"I32","shape":[2],"data_offsets":[3,11]}})";
  const Result<SafeTensors> file =
      SafeTensors::open(folder.write("m", safetensors_file(header, "abc" + bytes_of<int32_t>({7, -8}))));
  REQUIRE(file);
  CHECK(numbers(file->read("b")) == std::vector<int32_t>{7, -8});
}

TEST_CASE("a type without arithmetic is read as bytes only") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("m", safetensors_file(R"({"q":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}})", "\x12\x34"));
  const Result<SafeTensors> file = SafeTensors::open(path);
  REQUIRE(file);
  const auto bytes = file->read_bytes("q");
  REQUIRE(bytes);
  CHECK(*bytes == std::vector<std::byte>{std::byte{0x12}, std::byte{0x34}});
  const Result<Tensor> tensor = file->read("q");
  REQUIRE_FALSE(tensor);
  CHECK(tensor.error().kind == ErrorKind::Unsupported);
  CHECK(tensor.error().message == path + ": tensor `q`: its type F4 can only be read as bytes");
}

TEST_CASE("a tensor that is not there, or a part that is none, is refused by name") {
  const TemporaryFolder folder;
  const Result<SafeTensors> file = SafeTensors::open(folder.write("m", matrix_file()));
  REQUIRE(file);
  CHECK(file->read("v").error().kind == ErrorKind::Missing);
  CHECK_THAT(file->read("w", {{2, 0}, {2, 4}}).error().message,
             Catch::Contains("tensor `w`: [2:4, 0:4] is no part of [3, 4]"));
}

TEST_CASE("a length that the file can not hold is refused before anything is allocated") {
  const TemporaryFolder folder;
  CHECK_THAT(open_error(folder.path("none")), Catch::Contains("can not open"));
  CHECK_THAT(open_error(folder.write("empty", "")), Catch::Contains("has 0 bytes"));
  CHECK_THAT(open_error(folder.write("seven", "1234567")), Catch::Contains("has 7 bytes"));
  CHECK_THAT(open_error(folder.write("huge", length_bytes(uint64_t{1} << 63) + "{}")),
             Catch::Contains("claims 9223372036854775808 bytes"));
  CHECK_THAT(open_error(folder.write("wrap", length_bytes(~uint64_t{0}) + "{}")),
             Catch::Contains("claims 18446744073709551615 bytes"));
  CHECK_THAT(open_error(folder.write("cap", length_bytes(100'000'001) + "{}")), Catch::Contains("more than 100000000"));
  CHECK_THAT(open_error(folder.write("short", length_bytes(3) + "{}")),
             Catch::Contains("claims 3 bytes, the file has 10"));
  CHECK(open_error(folder.write("least", length_bytes(2) + "{}")).empty());
}

TEST_CASE("every truncation of a file is refused") {
  const TemporaryFolder folder;
  const std::string whole = matrix_file();
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK_FALSE(open_error(folder.write("cut", whole.substr(0, size))).empty());
  }
  CHECK_THAT(open_error(folder.write("more", whole + "x")), Catch::Contains("the file at 49"));
}

TEST_CASE("what is no regular file is refused at once") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  CHECK_THAT(open_error(folder.path("fifo")), Catch::Contains("is not a regular file"));
  CHECK_THAT(open_error(folder.path()), Catch::Contains("is not a regular file"));
}

TEST_CASE("a file that shrinks or is rewritten after its header was read is an error, not a signal") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m", matrix_file());
  for (const ReadMode mode : {ReadMode::Mmap, ReadMode::Pread}) {
    folder.write("m", matrix_file());
    const Result<SafeTensors> file = SafeTensors::open(path, {.read = {.mode = mode}});
    REQUIRE(file);
    REQUIRE(::truncate(path.c_str(), 0) == 0);
    const Result<Tensor> tensor = file->read("w");
    REQUIRE_FALSE(tensor);
    CHECK_THAT(tensor.error().message, Catch::StartsWith(path + ": tensor `w`: "));
  }
}

TEST_CASE("a file that is replaced by another keeps giving what was opened") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m", matrix_file());
  const Result<SafeTensors> file = SafeTensors::open(path);
  REQUIRE(file);
  folder.write("other", "something else");
  REQUIRE(::rename(folder.path("other").c_str(), path.c_str()) == 0);
  CHECK(numbers(file->read("w", {{0, 0}, {1, 4}})) == std::vector<int32_t>{0, 1, 2, 3});
}

TEST_CASE("a disk that fails, stutters or is interrupted: an error, or all the bytes") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m", matrix_file());
  int calls = 0;
  const auto stutter = [&](int fd, void* out, size_t size, off_t offset) -> ssize_t {
    if (++calls % 2 == 0) return errno = EINTR, -1;
    return ::pread(fd, out, std::min<size_t>(size, 5), offset);
  };
  const Result<SafeTensors> slow = SafeTensors::open(path, {.read = {.mode = ReadMode::Pread, .pread = stutter}});
  REQUIRE(slow);
  CHECK(numbers(slow->read("w")).back() == 23);

  const auto broken = [&](int fd, void* out, size_t size, off_t offset) -> ssize_t {
    if (static_cast<uint64_t>(offset) >= 8 + kMatrix.size() + 16) return errno = EIO, -1;
    return ::pread(fd, out, std::min<size_t>(size, 16), offset);
  };
  const Result<SafeTensors> bad = SafeTensors::open(path, {.read = {.mode = ReadMode::Pread, .pread = broken}});
  REQUIRE(bad);
  const Result<Tensor> tensor = bad->read("w");
  REQUIRE_FALSE(tensor);
  CHECK(tensor.error().kind == ErrorKind::Io);
  CHECK_THAT(tensor.error().message, Catch::StartsWith(path + ": tensor `w`: can not read at byte"));
}

namespace {

// A matrix of 16-bit numbers in a file, and how often a part of it is read by pread.
struct Matrix {
  int64_t rows, columns;
  std::string path;

  static Matrix in(const TemporaryFolder& folder, int64_t rows, int64_t columns) {
    std::string data;
    for (int64_t i = 0; i < rows * columns; ++i) data += bytes_of<int16_t>({static_cast<int16_t>(i * 31)});
    const std::string header = R"({"w":{"dtype":"F16","shape":[)" + std::to_string(rows) + "," +
                               std::to_string(columns) + R"(],"data_offsets":[0,)" + std::to_string(data.size()) +
                               "]}}";
    return {rows, columns, folder.write("m", safetensors_file(header, data))};
  }
  int16_t at(int64_t row, int64_t column) const { return static_cast<int16_t>((row * columns + column) * 31); }

  int reads_of(const Box& part) const {
    int reads = 0;
    const auto counted = [&reads](int fd, void* out, size_t size, off_t offset) {
      ++reads;
      return ::pread(fd, out, size, offset);
    };
    const Result<SafeTensors> file = SafeTensors::open(path, {.read = {.mode = ReadMode::Pread, .pread = counted}});
    REQUIRE(file);
    reads = 0;  // those of the header
    REQUIRE(file->read("w", part));
    return reads;
  }
};

}  // namespace

TEST_CASE("columns are the same by every mode, in blocks or a row at a time") {
  const TemporaryFolder folder;
  for (const int64_t columns : {4000, 6000}) {
    const Matrix matrix = Matrix::in(folder, 300, columns);
    const Box part{{5, 700}, {290, 33}};
    const Result<SafeTensors> mapped = SafeTensors::open(matrix.path);
    const Result<SafeTensors> plain = SafeTensors::open(matrix.path, {.read = {.mode = ReadMode::Pread}});
    REQUIRE((mapped && plain));
    const Result<Tensor> a = mapped->read("w", part), b = plain->read("w", part);
    REQUIRE((a && b));
    CHECK(a->bit_equal(*b));
    int16_t value = 0;
    std::memcpy(&value, a->data() + (7 * 33 + 4) * 2, 2);
    CHECK(value == matrix.at(12, 704));
  }
}

TEST_CASE("what lies between columns is read with them where that takes less than a call") {
  const TemporaryFolder folder;
  CHECK(Matrix::in(folder, 300, 4000).reads_of({{5, 700}, {290, 33}}) == 3);  // of 2.3 MB, in blocks of 1 MiB
  CHECK(Matrix::in(folder, 300, 6000).reads_of({{5, 700}, {290, 33}}) == 290);
}

}  // namespace ranklint::runtime::test
