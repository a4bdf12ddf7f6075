#include "analyzer/mpi_check/shared_values.h"

#include <algorithm>
#include <utility>

#include "analyzer/machine/value.h"

namespace ranklint::mpi_check {

namespace {

// As machine::binary() writes an operation, and machine::Value an operand (arithmetic.cpp).
constexpr uint64_t kEqual = static_cast<uint64_t>(machine::Arithmetic::Equal) | 0x100,
                   kLess = static_cast<uint64_t>(machine::Arithmetic::Less) | 0x100;
constexpr uint64_t kAdd = static_cast<uint64_t>(machine::Arithmetic::Add) | 0x100,
                   kSubtract = static_cast<uint64_t>(machine::Arithmetic::Subtract) | 0x100;
constexpr int kKindAt = 56;

constexpr int kSymbolAt = 24;

uint64_t operand_of(uint32_t symbol) {
  return static_cast<uint64_t>(machine::Value::Kind::Unknown) << kKindAt ^ static_cast<uint64_t>(symbol) << kSymbolAt;
}

// An operand that is a small number: others are mixed with their kind.
std::optional<int64_t> number_of(uint64_t operand) {
  const uint64_t number = operand ^ static_cast<uint64_t>(machine::Value::Kind::Int) << kKindAt;
  return number < (uint64_t{1} << 31) ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

}  // namespace

uint32_t SharedValues::symbol(uint64_t operation, uint64_t a, uint64_t b) {
  const auto [it, is_new] = symbols_.try_emplace({operation, a, b}, static_cast<uint32_t>(symbols_.size() + 1));
  if (!is_new) return it->second;
  if (operation == kAdd || operation == kSubtract) keep_sum(it->second, operation, a, b);
  if (operation == kEqual || operation == kLess) keep_comparison(it->second, operation, a, b);
  return it->second;
}

SharedValues::Sum SharedValues::sum_of(uint64_t operand) const {
  const auto found = sums_.find(operand);
  return found == sums_.end() ? Sum{.value = operand} : found->second;
}

// `n - 3` is asked about as `n` is.
void SharedValues::keep_sum(uint32_t symbol, uint64_t operation, uint64_t a, uint64_t b) {
  auto more = number_of(b);
  if (!more && operation == kAdd) {
    std::swap(a, b);
    more = number_of(b);
  }
  if (!more) return;
  const Sum sum = sum_of(a);
  sums_[operand_of(symbol)] = {.value = sum.value, .more = sum.more + (operation == kAdd ? *more : -*more)};
}

void SharedValues::keep_comparison(uint32_t symbol, uint64_t operation, uint64_t a, uint64_t b) {
  if (const auto limit = number_of(b)) {
    const Sum sum = sum_of(a);
    comparisons_[symbol] = {.kind = operation == kEqual ? Comparison::Kind::Equal : Comparison::Kind::Less,
                            .value = sum.value,
                            .limit = *limit - sum.more};
  } else if (const auto least = number_of(a); least && operation == kLess) {
    const Sum sum = sum_of(b);
    comparisons_[symbol] = {.kind = Comparison::Kind::Greater, .value = sum.value, .limit = *least - sum.more};
  }
}

std::optional<bool> SharedValues::side_of(uint32_t symbol) const {
  if (const auto known = decided_.find(symbol); known != decided_.end()) return known->second;
  const auto comparison = comparisons_.find(symbol);
  if (comparison == comparisons_.end()) return std::nullopt;
  const auto& [kind, value, limit] = comparison->second;
  const auto found = ranges_.find(value);
  if (found == ranges_.end()) return std::nullopt;
  const Range& range = found->second;
  switch (kind) {
    case Comparison::Kind::Equal:
      if (limit < range.least || limit > range.most || range.excluded.contains(limit)) return false;
      return range.least == range.most ? std::optional(true) : std::nullopt;
    case Comparison::Kind::Less:
      if (range.most < limit) return true;
      return range.least >= limit ? std::optional(false) : std::nullopt;
    case Comparison::Kind::Greater:
      if (range.least > limit) return true;
      return range.most <= limit ? std::optional(false) : std::nullopt;
  }
  return std::nullopt;
}

bool SharedValues::is_likely(uint32_t symbol) const {
  const auto comparison = comparisons_.find(symbol);
  return comparison != comparisons_.end() && comparison->second.kind == Comparison::Kind::Equal &&
         comparison->second.limit == 0;
}

void SharedValues::decide(uint32_t symbol, bool side) {
  decided_[symbol] = side;
  const auto comparison = comparisons_.find(symbol);
  if (comparison == comparisons_.end()) return;
  const auto& [kind, value, limit] = comparison->second;
  Range& range = ranges_[value];
  switch (kind) {
    case Comparison::Kind::Equal:
      if (side)
        range.least = range.most = limit;
      else
        range.excluded.insert(limit);
      break;
    case Comparison::Kind::Less:
      if (side)
        range.most = std::min(range.most, limit - 1);
      else
        range.least = std::max(range.least, limit);
      break;
    case Comparison::Kind::Greater:
      if (side)
        range.least = std::max(range.least, limit + 1);
      else
        range.most = std::min(range.most, limit);
      break;
  }
  // What is excluded at an end is none.
  while (range.least < range.most && range.excluded.contains(range.least)) ++range.least;
  while (range.least < range.most && range.excluded.contains(range.most)) --range.most;
}

}  // namespace ranklint::mpi_check
