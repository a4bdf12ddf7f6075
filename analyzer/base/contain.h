// A bug of ours costs the piece of work in which it shows, and nothing else: a broken invariant, an exception (the end
// of memory included) or a stack without room.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace ranklint {

// What a broken invariant throws inside a containment: "file:line: message (condition)".
class InternalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While one lives on a thread, broken invariants of that thread throw.
class ContainmentScope {
 public:
  ContainmentScope() noexcept;
  ~ContainmentScope();
  ContainmentScope(const ContainmentScope&) = delete;
  ContainmentScope& operator=(const ContainmentScope&) = delete;
};

// What is known of the exception that is being handled, for a report to us.
std::string describe_current_exception();

// Runs the body. Returns what ended it early; nothing where it ran to its end. What the body had changed by then stays
// changed: the caller puts right what others rely on.
template <typename Body>
std::optional<std::string> contain(Body&& body) {
  const ContainmentScope scope;
  try {
    body();
    return std::nullopt;
  } catch (...) {
    return describe_current_exception();
  }
}

}  // namespace ranklint
