// Which of several files of one name is meant: the one whose folder is nearest.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ranklint {

// How many folders two paths begin with in common: 2 for "a/b/x.c" and "a/b/c/y.c".
constexpr size_t common_folders(std::string_view a, std::string_view b) {
  size_t folders = 0;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) folders += a[i] == '/';
  return folders;
}

// The candidate that is nearer than all others, by a function that gives the nearness of each. Null: there is none, or
// several are equally near.
template <typename T, typename Nearness>
const T* only_nearest(const std::vector<T>& candidates, const Nearness& nearness) {
  const T* nearest = nullptr;
  size_t most = 0;
  bool is_ambiguous = false;
  for (const T& candidate : candidates) {
    const size_t near = nearness(candidate);
    if (nearest && near < most) continue;
    is_ambiguous = nearest && near == most;
    nearest = &candidate;
    most = near;
  }
  return is_ambiguous ? nullptr : nearest;
}

}  // namespace ranklint
