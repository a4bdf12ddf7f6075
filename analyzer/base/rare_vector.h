// A vector for members that are almost always empty: it has the size of one pointer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace ranklint {

template <typename T>
class RareVector {
 public:
  using value_type = T;

  RareVector() = default;
  explicit RareVector(std::vector<T> all)
      : all_(all.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(all))) {}
  RareVector(const RareVector& other) : all_(other.all_ ? std::make_unique<std::vector<T>>(*other.all_) : nullptr) {}
  RareVector(RareVector&&) noexcept = default;
  RareVector& operator=(RareVector other) noexcept {
    all_ = std::move(other.all_);
    return *this;
  }

  bool empty() const { return size() == 0; }
  size_t size() const { return all_ ? all_->size() : 0; }
  const T* data() const { return all_ ? all_->data() : nullptr; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T& back() { return all_->back(); }  // there is one
  // Backwards.
  auto rbegin() const { return std::make_reverse_iterator(end()); }
  auto rend() const { return std::make_reverse_iterator(begin()); }

  void push_back(T value) { made().push_back(std::move(value)); }
  template <typename... Parts>
  void emplace_back(Parts&&... parts) {
    made().emplace_back(std::forward<Parts>(parts)...);
  }
  void insert(const T* place, T value) {
    const auto at = place - begin();
    made().insert(made().begin() + at, std::move(value));
  }
  void clear() { all_.reset(); }

  friend bool operator==(const RareVector& a, const RareVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::vector<T>& made() {
    if (!all_) all_ = std::make_unique<std::vector<T>>();
    return *all_;
  }

  std::unique_ptr<std::vector<T>> all_;
};

}  // namespace ranklint
