// Axes of the mesh of ranks, and sets of them.
//
// A process group is the set of ranks that differ only in some axes, so a group is an AxisSet here. `world` is
// not an axis but the set that contains them all. A group of which only the term is known has its own
// axis: two such groups are equal exactly when their terms are.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/ids.h"
#include "analyzer/base/symbols.h"

namespace ranklint {

enum class AxisKind : uint8_t {
  Mesh,           // a dimension of the mesh
  Local,          // the ranks of one node
  Node,           // the nodes
  UnknownGroup,   // the ranks of a group that is not known yet
  NamedGroup,     // one group: what a variable, an attribute or an entry of a table holds
  ReturnedGroup,  // one group: what a call returned, "groups.get(...)"
  NamelessGroup,  // one group that has no name in the source
};

// The kind of an axis that the source or a model names.
AxisKind kind_of_axis(std::string_view name);

struct Axis {
  AxisKind kind = AxisKind::Mesh;
  Symbol name;                 // as it is shown; of one group it may be invalid
  Id<struct ValueTag> origin;  // of one group: the term that it comes from, which alone distinguishes it from others

  bool is_one_group() const { return origin.valid(); }
  friend bool operator==(const Axis& x, const Axis& y) { return (x <=> y) == 0; }
  // Groups come last: an invalid id is the largest number, and one more is zero.
  friend std::strong_ordering operator<=>(const Axis& x, const Axis& y) {
    if (x.origin != y.origin) return x.origin.index + 1 <=> y.origin.index + 1;
    if (x.origin.valid()) return std::strong_ordering::equal;
    return x.name != y.name ? x.name <=> y.name : x.kind <=> y.kind;
  }
};

// Sorted, without repetition. `world` stands for every axis there is and absorbs the others.
struct AxisSet {
  bool world = false;
  std::vector<Axis> axes;

  bool empty() const { return !world && axes.empty(); }
  bool is_world() const { return world && axes.empty(); }  // itself, not a copy of it
  bool has(AxisKind kind) const;
  void add(const Axis& axis);
  void add(const AxisSet& other);
  friend bool operator==(const AxisSet&, const AxisSet&) = default;
};

// Whether ranks that differ only in `a` can share a group over `b`: the sets have an axis in common.
bool overlap(const AxisSet& a, const AxisSet& b);

// "world", "sp", "dp-cp"; "a group" for one without a name.
std::string describe(const AxisSet& set, const SymbolTable& names);

}  // namespace ranklint
