// Which assignment a value comes from: the versions of static single assignment form, made where they are asked for.
//
// Two places where something has one version see the same value, each time the function gets from the one to the other
// without passing the version's own place. Where different versions meet, one more begins: at a join, at the head of a
// loop, and in the handler of an exception, which may have been raised after any of the assignments before. After M.
// Braun and others, "Simple and Efficient Construction of Static Single Assignment Form".
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/flow/graph.h"
#include "analyzer/ir/ir.h"

namespace ranklint {

// What is given values: a variable, an attribute of that name of whichever object, or without a name an element
// (Subscript) of whatever. What a call does to attributes and elements is not seen.
struct Assignable {
  ir::ExprKind kind = ir::ExprKind::Name;
  Symbol name = {};
  friend auto operator<=>(const Assignable&, const Assignable&) = default;
};

// Whether the target of an instruction gives it a value. `direct`: it is the target itself, and not a part of it.
bool gives_value(const ir::Function& function, ir::ExprId target, const Assignable& to, bool& direct);

// The last among the first `before` instructions of a block that gives it a value. A loop gives its target after all of
// them, which is the instruction of their number.
struct GivenBy {
  uint32_t instruction = 0;
  bool direct = false;  // as a whole, by an instruction
};
std::optional<GivenBy> last_given(const ir::Function& function, const Assignable& what, ir::BlockId block,
                                  uint32_t before = UINT32_MAX);

struct ValueVersion {
  enum class Kind : uint8_t {
    Entry,     // what it is when the function begins
    Assigned,  // by an instruction; by the loop, where it is the number of instructions
    Merged,    // where the block begins, of different ones
  };
  Kind kind = Kind::Entry;
  ir::BlockId block = {};
  uint32_t instruction = 0;
  friend auto operator<=>(const ValueVersion&, const ValueVersion&) = default;
};

// Of one function. Both must outlive it.
class ValueVersions {
 public:
  ValueVersions(const ir::Function& function, const FlowGraph& graph) : function_(function), graph_(graph) {}

  // Before the instruction; with their number, before the terminator.
  ValueVersion at(const Assignable& what, ir::BlockId block, uint32_t instruction);

 private:
  using Place = std::pair<Assignable, ir::BlockId>;

  ValueVersion at_begin(const Assignable& what, ir::BlockId block);
  ValueVersion at_end(const Assignable& what, ir::BlockId block);
  ValueVersion merged(const Assignable& what, ir::BlockId block);
  std::optional<ValueVersion> only_one(const Assignable& what, ir::BlockId block, bool& is_open);
  void settle(const Assignable& what);
  std::vector<ValueVersion> coming_in(const Assignable& what, ir::BlockId block);
  ValueVersion resolved(const Assignable& what, ValueVersion version) const;

  const ir::Function& function_;
  const FlowGraph& graph_;
  std::map<Place, ValueVersion> begins_;
  std::set<ir::BlockId> asking_;      // blocks whose merge is under way
  std::vector<ir::BlockId> waiting_;  // blocks that merged a version of an unfinished one
};

}  // namespace ranklint
