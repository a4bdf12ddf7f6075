// Unknown values that all ranks share, as symbols, and what was decided about them so far.
//
// A symbol stands for an operation and its operands (the command line, `argc < 3`), so that ranks that compute the same
// have the same symbol. A condition on a symbol is decided once; and where earlier decisions leave only one answer, it
// is no choice: `argc > 3` excludes `argc == 1`, and `-x` as the first argument excludes `-y` there.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace ranklint::mpi_check {

class SharedValues {
 public:
  // Equal for equal arguments, never 0.
  uint32_t symbol(uint64_t operation, uint64_t a, uint64_t b);
  // What was decided of it, or follows from what was.
  std::optional<bool> side_of(uint32_t symbol) const;
  void decide(uint32_t symbol, bool side);
  // What is tried first: that there is nothing.
  bool is_likely(uint32_t symbol) const;

 private:
  struct Range {
    int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
    std::set<int64_t> excluded = {};
  };
  // `value == limit`, `value < limit`, `value > limit`
  struct Comparison {
    enum class Kind { Equal, Less, Greater };
    Kind kind = Kind::Equal;
    uint64_t value = 0;
    int64_t limit = 0;
  };

  // So much more than another value.
  struct Sum {
    uint64_t value = 0;
    int64_t more = 0;
  };

  void keep_sum(uint32_t symbol, uint64_t operation, uint64_t a, uint64_t b);
  void keep_comparison(uint32_t symbol, uint64_t operation, uint64_t a, uint64_t b);
  Sum sum_of(uint64_t operand) const;

  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, uint32_t> symbols_;
  std::map<uint64_t, Sum> sums_;                // by operand
  std::map<uint32_t, Comparison> comparisons_;  // by symbol
  std::map<uint32_t, bool> decided_;
  std::map<uint64_t, Range> ranges_;  // by value
};

}  // namespace ranklint::mpi_check
