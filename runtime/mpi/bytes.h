// Values as bytes and back, between processes of one program on machines of one kind: no byte order, no versions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ranklint::runtime {

using Bytes = std::vector<std::byte>;

class ByteWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    append(text.data(), text.size());
  }
  template <typename T>
  void put_list(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  void put_bytes(const std::byte* data, size_t size_bytes) { append(data, size_bytes); }

  Bytes take() { return std::move(bytes_); }

 private:
  void append(const void* data, size_t size_bytes) {
    const auto* const from = static_cast<const std::byte*>(data);
    if (size_bytes != 0) bytes_.insert(bytes_.end(), from, from + size_bytes);
  }

  Bytes bytes_;
};

// Past the end everything reads as zero and empty.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T value{};
    const std::span<const std::byte> from = take(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  std::string get_text() {
    const std::span<const std::byte> text = take(get<size_t>());
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  template <typename T>
  std::vector<T> get_list() {
    std::vector<T> values;
    for (auto left = get<size_t>(); left > 0 && !rest_.empty(); --left) values.push_back(get<T>());
    return values;
  }
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> take(size_t size_bytes) {
    if (size_bytes > rest_.size()) rest_ = {};
    const std::span<const std::byte> taken = rest_.first(std::min(size_bytes, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  std::span<const std::byte> rest_;
};

}  // namespace ranklint::runtime
