// Plain values as bytes, and back. What the fields of a type are is said once, for both directions:
//
//   void fields(auto& archive, Is<SourceRange> auto& range) {
//     auto& [line, column, end_line, end_column] = range;
//     archive(line, column, end_line, end_column);
//   }
//
// A member that the function forgets does not compile. Bytes are not trusted: nothing is read
// beyond their end, nothing is allocated for more than they hold, and an enumerator is one of its type.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analyzer/base/compact_vector.h"
#include "analyzer/base/ids.h"

namespace ranklint::app {

template <typename T, typename Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

// The last enumerator of a type that is packed.
template <typename Enum>
inline constexpr Enum kLast = Enum{};

class Packer {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (add(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void add(const T& value) {
    if constexpr (std::is_enum_v<T>)
      add_number(static_cast<uint64_t>(value));
    else if constexpr (std::is_integral_v<T>)
      add_number(static_cast<uint64_t>(value));
    else
      fields(*this, value);
  }
  void add(const std::string& text) {
    add_number(text.size());
    bytes_ += text;
  }
  template <typename Tag>
  void add(Id<Tag> id) {
    add_number(uint32_t{id.index + 1});  // none is 0
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    add_each(std::span(values));
  }
  void add(const std::vector<bool>& values) {
    add_number(values.size());
    for (const bool value : values) add(value);
  }
  template <typename T>
  void add(const CompactVector<T>& values) {
    add_each(std::span(values.data(), values.size()));
  }
  template <typename IdType, typename T, typename Items>
  void add(const IdVector<IdType, T, Items>& values) {
    add(values.values());
  }
  template <typename T, size_t N>
  void add(const std::array<T, N>& values) {
    for (const T& value : values) add(value);
  }

  template <typename T>
  void add(const std::shared_ptr<T>& value) {
    add(value != nullptr);
    if (value) add(*value);
  }

  template <typename T>
  void add_each(std::span<const T> values) {
    add_number(values.size());
    for (const T& value : values) add(value);
  }

  // Seven bits a byte, the lowest first.
  void add_number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80U);
    bytes_ += static_cast<char>(number);
  }

  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  // Whether all values were there, and nothing else.
  bool is_whole() const { return is_good_ && bytes_.empty(); }

 private:
  static constexpr uint64_t kMostAtOnce = 1 << 16;  // values that room is made for before they are seen

  template <typename List>
  void read_each(List& values) {
    const uint64_t size = read_size();
    values.clear();
    values.reserve(std::min(size, kMostAtOnce));
    for (uint64_t i = 0; i < size && is_good_; ++i) read(values.emplace_back());
  }

  template <typename T>
  void read(T& value) {
    if constexpr (std::is_enum_v<T>) {
      const uint64_t number = read_number();
      is_good_ = is_good_ && number <= static_cast<uint64_t>(kLast<T>);
      value = is_good_ ? static_cast<T>(number) : T{};
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(read_number());
    } else {
      fields(*this, value);
    }
  }
  void read(std::string& text) {
    const uint64_t size = read_size();
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <typename Tag>
  void read(Id<Tag>& id) {
    id.index = static_cast<uint32_t>(read_number()) - 1;
  }
  template <typename T>
  void read(std::vector<T>& values) {
    read_each(values);
  }
  void read(std::vector<bool>& values) {
    const uint64_t size = read_size();
    for (uint64_t i = 0; i < size; ++i) values.push_back(read_number() != 0);
  }
  template <typename T>
  void read(CompactVector<T>& values) {
    read_each(values);
  }
  template <typename IdType, typename T, typename Items>
  void read(IdVector<IdType, T, Items>& values) {
    Items items;
    read(items);
    values = IdVector<IdType, T, Items>(std::move(items));
  }
  template <typename T, size_t N>
  void read(std::array<T, N>& values) {
    for (T& value : values) read(value);
  }

  template <typename T>
  void read(std::shared_ptr<T>& value) {
    bool is_there = false;
    read(is_there);
    if (!is_there) return;
    auto made = std::make_shared<std::remove_const_t<T>>();
    read(*made);
    value = std::move(made);
  }

  // How much follows: each value takes a byte at least.
  uint64_t read_size() {
    const uint64_t size = read_number();
    is_good_ = is_good_ && size <= bytes_.size();
    return is_good_ ? size : 0;
  }
  uint64_t read_number() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return number;
    }
    is_good_ = false;
    return 0;
  }

  std::string_view bytes_;
  bool is_good_ = true;
};

template <typename T>
std::string packed(const T& value) {
  Packer packer;
  packer(value);
  return packer.take();
}

// Nothing: the bytes are not those of one such value.
template <typename T>
std::optional<T> unpacked(std::string_view bytes) {
  T value;
  Unpacker unpacker(bytes);
  unpacker(value);
  if (!unpacker.is_whole()) return std::nullopt;
  return value;
}

}  // namespace ranklint::app
