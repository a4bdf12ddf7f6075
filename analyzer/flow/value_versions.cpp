#include "analyzer/flow/value_versions.h"

#include <algorithm>
#include <utility>

#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"

namespace ranklint {

bool gives_value(const ir::Function& function, ir::ExprId target, const Assignable& to, bool& direct) {
  if (!target.valid()) return false;
  const ir::Expr& expr = function.exprs[target];
  if (expr.kind == to.kind) return direct = true, expr.symbol == to.name;
  if (expr.kind != ir::ExprKind::Tuple && expr.kind != ir::ExprKind::List && expr.kind != ir::ExprKind::Starred)
    return false;
  for (const ir::ExprId child : ir::children(function, target))
    if (gives_value(function, child, to, direct)) return direct = false, true;
  return false;
}

std::optional<GivenBy> last_given(const ir::Function& function, const Assignable& what, ir::BlockId block,
                                  uint32_t before) {
  const ir::Block& b = function.blocks[block];
  const auto count = static_cast<uint32_t>(b.instructions.size());
  bool direct = false;
  charge_work();
  if (before > count && b.terminator.kind == ir::TerminatorKind::Iterate &&
      gives_value(function, b.terminator.target, what, direct))
    return GivenBy{count, false};
  for (uint32_t i = std::min(before, count); i-- > 0; charge_work())
    if (b.instructions[i].kind != ir::InstructionKind::Delete &&
        gives_value(function, b.instructions[i].target, what, direct))
      return GivenBy{i, direct};
  return std::nullopt;
}

static ValueVersion assigned(ir::BlockId block, const GivenBy& given) {
  return {ValueVersion::Kind::Assigned, block, given.instruction};
}

ValueVersion ValueVersions::at(const Assignable& what, ir::BlockId block, uint32_t instruction) {
  const std::optional<GivenBy> given = last_given(function_, what, block, instruction);
  return given ? assigned(block, *given) : resolved(what, at_begin(what, block));
}

ValueVersion ValueVersions::at_end(const Assignable& what, ir::BlockId block) {
  const std::optional<GivenBy> given = last_given(function_, what, block);
  return given ? assigned(block, *given) : at_begin(what, block);
}

// Blocks that one other leads to are passed in a loop, so that a long function takes no deep stack.
ValueVersion ValueVersions::at_begin(const Assignable& what, ir::BlockId block) {
  for (;;) {
    if (!graph_.reachable(block)) return {ValueVersion::Kind::Merged, block, 0};
    if (const auto known = begins_.find({what, block}); known != begins_.end()) return known->second;
    const auto& before = graph_.predecessors(block);
    if (block.index == 0 || before.size() != 1 || !graph_.handled_by(block).empty()) return merged(what, block);
    if (const std::optional<GivenBy> given = last_given(function_, what, before[0]))
      return begins_[{what, block}] = assigned(before[0], *given);
    block = before[0];
  }
}

ValueVersion ValueVersions::merged(const Assignable& what, ir::BlockId block) {
  require_stack_room();
  // What comes around a loop asks for it again.
  const ValueVersion own{ValueVersion::Kind::Merged, block, 0};
  begins_[{what, block}] = own;
  asking_.insert(block);
  bool is_open = false;
  const std::optional<ValueVersion> one = only_one(what, block, is_open);
  asking_.erase(block);
  if (one) begins_[{what, block}] = *one;
  if (!one && is_open) waiting_.push_back(block);
  if (asking_.empty()) settle(what);
  return resolved(what, begins_[{what, block}]);
}

// The one version that reaches the block, its own aside. Nothing: several do. `is_open`: the merge of one of them is
// not finished.
std::optional<ValueVersion> ValueVersions::only_one(const Assignable& what, ir::BlockId block, bool& is_open) {
  std::vector<ValueVersion> others = coming_in(what, block);
  for (ValueVersion& version : others) {
    version = resolved(what, version);
    is_open |= version.kind == ValueVersion::Kind::Merged && version.block != block &&
               (asking_.contains(version.block) || std::ranges::find(waiting_, version.block) != waiting_.end());
  }
  std::erase(others, ValueVersion{ValueVersion::Kind::Merged, block, 0});
  const bool is_one =
      !others.empty() && std::ranges::all_of(others, [&](const ValueVersion& v) { return v == others[0]; });
  return is_one ? std::optional(others[0]) : std::nullopt;
}

// Loops within loops wait for each other: what came in from the inner one may have turned out to be the outer one's.
void ValueVersions::settle(const Assignable& what) {
  std::vector<ir::BlockId> waiting = std::exchange(waiting_, {});
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const ir::BlockId block : waiting) {
      bool is_open = false;
      const std::optional<ValueVersion> one = only_one(what, block, is_open);
      ValueVersion& known = begins_[{what, block}];
      if (!one || known == *one) continue;
      known = *one;
      is_new = true;
    }
  }
}

std::vector<ValueVersion> ValueVersions::coming_in(const Assignable& what, ir::BlockId block) {
  std::vector<ValueVersion> all;
  if (block.index == 0) all.push_back({});
  for (const ir::BlockId before : graph_.predecessors(block)) all.push_back(at_end(what, before));
  for (const ir::BlockId failing : graph_.handled_by(block)) {
    all.push_back(at_begin(what, failing));
    for (std::optional<GivenBy> given = last_given(function_, what, failing); given;
         given = last_given(function_, what, failing, given->instruction))
      all.push_back(assigned(failing, *given));
  }
  return all;
}

// A version of which it turned out later that all that meet in it are one.
ValueVersion ValueVersions::resolved(const Assignable& what, ValueVersion version) const {
  while (version.kind == ValueVersion::Kind::Merged) {
    const auto known = begins_.find({what, version.block});
    if (known == begins_.end() || known->second == version) break;
    version = known->second;
  }
  return version;
}

}  // namespace ranklint
