// A vector that a place outside of it stops (analyzer/base/check.h), in every build, instead of reading on.
#pragma once

#include <vector>

#include "analyzer/base/check.h"

namespace ranklint {

template <typename T>
class CheckedVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;

  T& operator[](size_t i) {
    RANKLINT_CHECK(i < this->size(), "a place outside of its vector");
    return std::vector<T>::operator[](i);
  }
  const T& operator[](size_t i) const {
    RANKLINT_CHECK(i < this->size(), "a place outside of its vector");
    return std::vector<T>::operator[](i);
  }
};

}  // namespace ranklint
