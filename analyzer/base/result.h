// The value of a function that can fail at a boundary: a value or an error, never an exception.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "analyzer/base/check.h"

namespace ranklint {

// What went wrong, where, and how out of it, in one or two sentences for the person who ran the tool.
struct Error {
  std::string message;
  std::string path;   // the file it is about, empty when it is about none
  uint32_t line = 0;  // 1-based, 0 when the error has no place in the file
  uint32_t column = 0;
};

// Member names are those of std::expected, so that C++23 can replace it.
template <typename T>
class Result {
 public:
  Result(T held) : state_(std::move(held)) {}        // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return has_value(); }
  T& value() & { return checked(); }
  T&& value() && { return std::move(checked()); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T& operator*() & { return checked(); }
  T* operator->() { return &checked(); }
  const Error& error() const { return std::get<Error>(state_); }

 private:
  T& checked() {
    RANKLINT_CHECK(has_value(), "value of a failed Result");
    return std::get<T>(state_);
  }
  std::variant<T, Error> state_;
};

}  // namespace ranklint
