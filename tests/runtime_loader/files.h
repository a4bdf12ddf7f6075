// Files for the tests of the loader: a folder that goes away with the test, and safetensors files made by hand.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ranklint::runtime::test {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string path() const { return path_.string(); }
  std::string path(std::string_view name) const { return (path_ / name).string(); }
  // Writes the file and says where it lies.
  std::string write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

std::string read_all(const std::string& path);

// 8 bytes of length, little-endian.
std::string length_bytes(uint64_t length);

// A safetensors file of this header, exactly as given, and `data`.
std::string safetensors_file(std::string_view header, std::string_view data);

// The bytes of the numbers.
template <typename T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

}  // namespace ranklint::runtime::test
