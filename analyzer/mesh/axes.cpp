#include "analyzer/mesh/axes.h"

#include <algorithm>

namespace ranklint {

AxisKind kind_of_axis(std::string_view name) {
  return name == "local" ? AxisKind::Local : name == "node" ? AxisKind::Node : AxisKind::Mesh;
}

bool AxisSet::has(AxisKind kind) const {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.kind == kind; });
}

void AxisSet::add(const Axis& axis) {
  if (world) return;
  auto place = std::lower_bound(axes.begin(), axes.end(), axis);
  if (place == axes.end() || *place != axis) axes.insert(place, axis);
}

void AxisSet::add(const AxisSet& other) {
  if (other.world) {
    world = true;
    axes.clear();
  }
  for (const Axis& axis : other.axes) add(axis);
}

bool overlap(const AxisSet& a, const AxisSet& b) {
  if (a.empty() || b.empty()) return false;
  if (a.world || b.world) return true;
  return std::any_of(a.axes.begin(), a.axes.end(),
                     [&](const Axis& axis) { return std::binary_search(b.axes.begin(), b.axes.end(), axis); });
}

// A copy of the world goes by the name of its axis, along which no ranks differ.
std::string describe(const AxisSet& set, const SymbolTable& names) {
  if (set.is_world()) return "world";
  std::string text;
  for (const Axis& axis : set.axes) {
    if (!text.empty()) text += '-';
    text += axis.name.valid() ? names.text(axis.name) : "a group";
  }
  return text;
}

}  // namespace ranklint
