#include "analyzer/mesh/axes.h"

#include <algorithm>

namespace ranklint {

void AxisSet::add(Symbol axis) {
  if (world) return;
  auto place = std::lower_bound(axes.begin(), axes.end(), axis);
  if (place == axes.end() || *place != axis) axes.insert(place, axis);
}

void AxisSet::add(const AxisSet& other) {
  if (other.world) {
    world = true;
    axes.clear();
  }
  for (Symbol axis : other.axes) add(axis);
}

bool overlap(const AxisSet& a, const AxisSet& b) {
  if (a.empty() || b.empty()) return false;
  if (a.world || b.world) return true;
  return std::any_of(a.axes.begin(), a.axes.end(),
                     [&](Symbol axis) { return std::binary_search(b.axes.begin(), b.axes.end(), axis); });
}

// A copy of the world goes by the name of its axis, along which no ranks differ.
std::string describe(const AxisSet& set, const SymbolTable& names) {
  if (set.world && set.axes.empty()) return "world";
  std::string text;
  for (Symbol axis : set.axes) {
    if (!text.empty()) text += '-';
    const std::string_view name = names.text(axis);
    text += name.substr(0, name.find(kHidden));
  }
  return text;
}

}  // namespace ranklint
