// Axes of the mesh of ranks, and sets of them.
//
// A process group is the set of ranks that differ only in some axes, so a group is an AxisSet here. `world` is
// not an axis but the set that contains them all. A group of which nothing is known but the expression that
// names it has one axis of its own: two such groups are equal exactly when their expressions are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/ids.h"
#include "analyzer/base/symbols.h"

namespace ranklint {

// Sorted, without repetition. `world` stands for every axis there is and absorbs the others.
struct AxisSet {
  bool world = false;
  std::vector<Symbol> axes;

  bool empty() const { return !world && axes.empty(); }
  void add(Symbol axis);
  void add(const AxisSet& other);
  friend bool operator==(const AxisSet&, const AxisSet&) = default;
};

// Whether ranks that differ only in `a` can share a group over `b`: the sets have an axis in common.
bool overlap(const AxisSet& a, const AxisSet& b);

// "world", "sp", "dp-cp". An axis that stands for one unknown group is spelled with what tells it apart behind a
// kHidden; that is not shown.
constexpr char kHidden = '\x01';
std::string describe(const AxisSet& set, const SymbolTable& names);

}  // namespace ranklint
