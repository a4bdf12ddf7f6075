// What can go wrong at the runtime's boundaries, as a value.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace ranklint::runtime {

enum class ErrorKind : uint8_t {
  InvalidArgument,  // a call that no world could carry out: a shape, a rank, a split that does not fit
  Mismatch,         // ranks of one group disagree about a call
  Deadlock,         // a wait that can not end
  PeerFailed,       // another rank threw or left
  Timeout,          // a deadline passed (over MPI, or where a caller asked for one)
  Io,               // the operating system said no: open, read, map, rename, memory
  Format,           // bytes that are not what they claim to be
  Missing,          // a tensor or a file that an index names and that is not there
  Unsupported,      // a combination that this runtime refuses, with the reason
  Body,             // the code of a rank threw something of its own
};

struct Error {
  ErrorKind kind = ErrorKind::InvalidArgument;
  std::string message;  // lower case, no full stop; names file, tensor, rank, group, operation
};

// Member names are those of std::expected, so that C++23 can replace it.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return has_value(); }
  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

// How an operation of a rank ends when it can not be completed. A rank's body runs inside `run_world` (group/world.h),
// which is the boundary: it catches this and returns it as a value, so that code between two collectives need not.
class RankError : public std::runtime_error {
 public:
  explicit RankError(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

[[noreturn]] inline void fail(ErrorKind kind, std::string message) {
  throw RankError(Error{.kind = kind, .message = std::move(message)});
}

}  // namespace ranklint::runtime
