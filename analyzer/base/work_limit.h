// An end to work that follows the input: terms that are made, parts of terms that are looked at, positions that are
// compared.
//
// Work is counted and never timed, so the same input ends at the same place on every machine. The code that does work
// charges it (charge_work); the code that starts a piece of work limits it (WorkLimit). By default there is no limit.
#pragma once

#include <cstdint>
#include <exception>

namespace ranklint {

// A piece of work met its limit. No bug: the code that set the limit reports that the work was not finished.
class WorkLimitReached : public std::exception {
 public:
  const char* what() const noexcept override { return "more work than its limit"; }
};

namespace work {

// What the innermost limit of the thread leaves.
inline thread_local uint64_t left = UINT64_MAX;

[[noreturn, gnu::cold, gnu::noinline]] void end();

}  // namespace work

// Throws WorkLimitReached where the innermost limit leaves less, and from then on for every charge to that limit.
inline void charge_work(uint64_t units = 1) {
  if (work::left < units) work::end();
  work::left -= units;
}

// Limits the work that its thread may charge while it lives. Limits nest: an inner limit does not count towards the
// outer one, because a function that is summarised during a comparison has its own limit.
class WorkLimit {
 public:
  explicit WorkLimit(uint64_t most) noexcept : most_(most), outer_(work::left) { work::left = most; }
  ~WorkLimit() { work::left = outer_; }
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  // What was charged to this one. Only while it is the innermost.
  uint64_t used() const { return most_ - work::left; }

 private:
  const uint64_t most_, outer_;
};

}  // namespace ranklint
