// A vector of the size of one pointer, for the members of what there are very many of. Its length stands in front of
// its elements, so that it allocates once; empty, it allocates nothing. It holds at most 2^32 - 1 elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "analyzer/base/check.h"

namespace ranklint {

template <typename T>
class CompactVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  CompactVector() = default;
  CompactVector(std::initializer_list<T> all) : CompactVector(std::span<const T>(all.begin(), all.size())) {}
  explicit CompactVector(std::span<const T> all) { append(all); }
  CompactVector(const std::vector<T>& all)
      : CompactVector(std::span<const T>(all)) {}  // NOLINT(*-explicit-*): the same
  CompactVector(const CompactVector& other) : CompactVector(std::span<const T>(other)) {}
  CompactVector(CompactVector&& other) noexcept : head_(std::exchange(other.head_, nullptr)) {}
  CompactVector& operator=(CompactVector other) noexcept {
    std::swap(head_, other.head_);
    return *this;
  }
  ~CompactVector() { clear(); }

  bool empty() const { return size() == 0; }
  size_t size() const { return head_ ? head_->size : 0; }
  const T* data() const { return head_ ? elements(head_) : nullptr; }
  T* data() { return head_ ? elements(head_) : nullptr; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  auto rbegin() const { return std::make_reverse_iterator(end()); }
  auto rend() const { return std::make_reverse_iterator(begin()); }

  const T& operator[](size_t i) const {
    RANKLINT_CHECK(i < size(), "a place outside of its vector");
    return data()[i];
  }
  T& operator[](size_t i) {
    RANKLINT_CHECK(i < size(), "a place outside of its vector");
    return data()[i];
  }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size() - 1]; }
  T& back() { return (*this)[size() - 1]; }

  void push_back(T value) { emplace_back(std::move(value)); }
  template <typename... Parts>
  T& emplace_back(Parts&&... parts) {
    T made{std::forward<Parts>(parts)...};  // which may be made of an element
    if (size() == capacity()) move_to(grown());
    return *std::construct_at(elements(head_) + head_->size++, std::move(made));
  }
  void insert(const T* place, T value) {
    const auto at = place - begin();
    push_back(std::move(value));
    std::rotate(begin() + at, end() - 1, end());
  }
  void append(std::span<const T> more) {
    if (more.empty()) return;
    const size_t count = size() + more.size();
    Head* const head = count <= capacity() ? head_ : allocate(count);
    std::uninitialized_copy(more.begin(), more.end(), elements(head) + size());  // they may be its own
    if (head != head_) move_to(head);
    head_->size = static_cast<uint32_t>(count);
  }
  void reserve(size_t count) {
    if (count > 0 && (!head_ || head_->capacity < count)) move_to(count);
  }
  void resize(size_t count) {
    reserve(count);
    if (!head_) return;
    if (count < size()) std::destroy(begin() + count, end());
    if (count > size()) std::uninitialized_value_construct(end(), begin() + count);
    head_->size = static_cast<uint32_t>(count);
  }
  size_t capacity() const { return head_ ? head_->capacity : 0; }
  void shrink_to_fit() {
    if (empty()) clear();
    if (size() < capacity()) move_to(size());
  }
  void clear() {
    if (!head_) return;
    std::destroy(begin(), end());
    free(std::exchange(head_, nullptr));
  }

  template <typename Is>
  friend void erase_if(CompactVector& all, Is is) {
    T* const left = std::remove_if(all.begin(), all.end(), is);
    all.resize(static_cast<size_t>(left - all.begin()));
  }
  friend bool operator==(const CompactVector& a, const CompactVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Head {
    uint32_t size, capacity;
  };
  static constexpr size_t kAlignment = std::max(alignof(Head), alignof(T));
  static constexpr bool kIsUsual = kAlignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  static constexpr size_t kOffset = (sizeof(Head) + kAlignment - 1) / kAlignment * kAlignment;

  static T* elements(Head* head) {
    return std::launder(reinterpret_cast<T*>(reinterpret_cast<std::byte*>(head) + kOffset));
  }
  static Head* allocate(size_t capacity) {
    RANKLINT_CHECK(capacity <= UINT32_MAX, "a vector that grows too long");
    const size_t bytes = kOffset + capacity * sizeof(T);
    void* const memory = kIsUsual ? ::operator new(bytes) : ::operator new(bytes, std::align_val_t(kAlignment));
    return std::construct_at(static_cast<Head*>(memory), Head{0, static_cast<uint32_t>(capacity)});
  }
  static void free(Head* head) {
    if constexpr (kIsUsual)
      ::operator delete(head);
    else
      ::operator delete(head, std::align_val_t(kAlignment));
  }

  // Doubled, and by a quarter where half of it would be much memory that lies idle.
  size_t grown() const { return capacity() < 64 ? std::max<size_t>(1, 2 * capacity()) : capacity() + capacity() / 4; }
  void move_to(size_t capacity) { move_to(allocate(capacity)); }
  void move_to(Head* head) {
    static_assert(std::is_nothrow_move_constructible_v<T>);
    std::uninitialized_move(begin(), end(), elements(head));
    head->size = static_cast<uint32_t>(size());
    clear();
    head_ = head;
  }

  Head* head_ = nullptr;
};

}  // namespace ranklint
