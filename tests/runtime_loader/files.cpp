#include "tests/runtime_loader/files.h"

#include <catch2/catch.hpp>

#include <stdlib.h>

#include <fstream>
#include <iterator>

namespace ranklint::runtime::test {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "ranklint_loader_XXXXXX").string();
  REQUIRE(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
  std::ofstream(path_ / name, std::ios::binary) << bytes;
  return path(name);
}

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string length_bytes(uint64_t length) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(length >> shift);
  return bytes;
}

std::string safetensors_file(std::string_view header, std::string_view data) {
  return length_bytes(header.size()) + std::string(header) + std::string(data);
}

}  // namespace ranklint::runtime::test
