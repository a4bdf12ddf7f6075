#include "rules/dtensor/cut.h"

namespace ranklint {
namespace {

std::optional<int64_t> number_of(const ValueStore& values, ValueId v) {
  int64_t number = 0;
  if (!v.valid() || !values.integer_of(v, number)) return std::nullopt;
  return number;
}

// The size of a tensor that is made in sight along a dimension, counted from the end where it is negative.
std::optional<int64_t> size_along(const ValueStore& values, ValueId tensor, int64_t dimension) {
  if (values[tensor].kind != ValueKind::Tensor) return std::nullopt;
  const auto sizes = values.children(tensor).subspan(1);  // after the dtype
  const auto count = static_cast<int64_t>(sizes.size());
  const int64_t at = dimension < 0 ? count + dimension : dimension;
  return at >= 0 && at < count ? number_of(values, sizes[static_cast<size_t>(at)]) : std::nullopt;
}

}  // namespace

Cut cut_of(const Query& in, ValueId whole, ValueId parts, ValueId dimension) {
  const ValueStore& values = in.values();
  Cut cut{.size = {}, .parts = number_of(values, parts)};
  if (!whole.valid()) return cut;
  const std::optional<int64_t> along = dimension.valid() ? number_of(values, dimension) : 0;
  if (along) cut.size = size_along(values, whole, *along);
  // Counted from the end, it is features.
  cut.is_of_data = (values[whole].of_batch || values[whole].local) && along.value_or(0) >= 0;
  return cut;
}

int64_t parts_that_exist(int64_t size, int64_t parts) {
  if (size <= 0 || parts <= 0) return 0;
  const int64_t each = (size + parts - 1) / parts;
  return (size + each - 1) / each;
}

}  // namespace ranklint
