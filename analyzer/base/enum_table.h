// Tables with a row for each enumerator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>

namespace ranklint {

// Whether the rows are those of the enumerators 0, 1, ..., each at its place. `key`: the enumerator of a row.
template <typename Table, typename Key>
constexpr bool is_in_order(const Table& table, Key key) {
  return std::ranges::equal(table, std::views::iota(size_t{0}, std::size(table)), {},
                            [&](const auto& row) { return static_cast<size_t>(std::invoke(key, row)); });
}

}  // namespace ranklint
