// Following a handle through what holds it.
#include <algorithm>

#include "analyzer/ir/equal.h"
#include "analyzer/questions/callee.h"
#include "rules/collectives/unwaited-work.h"

namespace ranklint::unwaited_work {

// Collections that nest deeper count as waited for.
static constexpr size_t kDeepestPath = 4;

static ElementPath within(int position, const ElementPath& path) {
  ElementPath out{position};
  out.insert(out.end(), path.begin(), path.end());
  return out;
}

// Where it lies in what a collection gives out. What one call gave may be a list, and gives handles out.
static ElementPath element_of(const ElementPath& path) {
  return path.empty() ? path : ElementPath(path.begin() + 1, path.end());
}

HandleUses::Scope HandleUses::scope_of(FunctionKey f) const {
  const ModuleKey module = in_.index().functions()[f].module;
  return {f, module, in_.index().modules()[module], in_.index().function(f)};
}

void HandleUses::begin() {
  asked_.clear();
  added_.clear();
  taken_out_.clear();
  return_counts_ = true;
}

bool HandleUses::may_wait(FunctionKey f, ProgramPoint at, ir::ExprId target, const ElementPath& path) {
  begin();
  return put_in(scope_of(f), target, path, at);
}

bool HandleUses::may_wait_before_return(FunctionKey f, ProgramPoint at, ir::ExprId target) {
  begin();
  return_counts_ = false;
  return put_in(scope_of(f), target, {}, at);
}

bool HandleUses::may_wait_in(FunctionKey f, const std::string& attribute) {
  begin();
  return used_in(scope_of(f), {{}, {}, attribute, {}, {}});
}

bool HandleUses::put_in(const Scope& in, ir::ExprId target, const ElementPath& path, ProgramPoint at) {
  if (!target.valid()) return true;
  const ir::Expr& expr = in.ir.exprs[target];
  switch (expr.kind) {
    case ir::ExprKind::Name: return followed({in.key, {}, std::string(in.text.text(expr.symbol)), path, at});
    // Of another object than its own a function knows nothing.
    case ir::ExprKind::Attribute: {
      const ir::Expr& object = in.ir.exprs[ir::children(in.ir, target)[0]];
      const ClassKey owner =
          object.kind == ir::ExprKind::Name ? in_.index().class_of_self(in.key, object.symbol) : ClassKey{};
      return !owner.valid() || followed({{}, owner, std::string(in.text.text(expr.symbol)), path, {}});
    }
    case ir::ExprKind::Subscript: return added_to(in, ir::children(in.ir, target)[0], within(kAnyElement, path), at);
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List: return put_in_parts(in, target, path, at);
    default: return true;
  }
}

bool HandleUses::put_in_parts(const Scope& in, ir::ExprId pattern, const ElementPath& path, ProgramPoint at) {
  const auto parts = ir::children(in.ir, pattern);
  const auto is_rest = [&](ir::ExprId e) { return in.ir.exprs[e].kind == ir::ExprKind::Starred; };
  const bool has_rest = std::ranges::any_of(parts, is_rest);
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_here = path.empty() || path.front() == kAnyElement || has_rest || path.front() == static_cast<int>(i);
    if (!is_here) continue;
    const bool may_wait = is_rest(parts[i]) ? put_in(in, ir::children(in.ir, parts[i])[0], path, at)
                                            : put_in(in, parts[i], element_of(path), at);
    if (may_wait) return true;
  }
  return false;
}

// Whether code that has the collection may wait: it may be known by other names.
bool HandleUses::added_to(const Scope& in, ir::ExprId collection, const ElementPath& path, ProgramPoint at) {
  const ir::Expr& expr = in.ir.exprs[collection];
  switch (expr.kind) {
    case ir::ExprKind::Name: return added_to_variable(in, expr.symbol, path, at);
    case ir::ExprKind::Subscript:
      return added_to(in, ir::children(in.ir, collection)[0], within(kAnyElement, path), at);
    case ir::ExprKind::Attribute: return put_in(in, collection, path, at);
    default: return true;
  }
}

bool HandleUses::added_to_variable(const Scope& in, Symbol variable, const ElementPath& path, ProgramPoint at) {
  const std::string name(in.text.text(variable));
  const Summary* s = in_.summary(in.key);
  if (!s || is_captured(in, name) || path.size() > kDeepestPath) return true;
  if (!added_.insert({in.key, {}, name, path, at}).second) return false;  // `x = y[x]` in a loop
  const FunctionCode code(in_.index(), *s);
  const Reaching reaching = code.reaching(variable, at);
  if (reaching.definitions.empty()) return true;
  return std::ranges::any_of(reaching.definitions, [&](const Definition& d) {
    return !d.instruction || !d.direct || is_shared(code, *d.instruction, path, d.place) ||
           followed({in.key, {}, name, path, d.place});
  });
}

// Whether code that has what the instruction gives may wait: the same object, by another name.
bool HandleUses::is_shared(const FunctionCode& code, const ir::Instruction& i, const ElementPath& path,
                           ProgramPoint at) {
  const ir::Expr& source = code.ir.exprs[i.value];
  if (i.kind == ir::InstructionKind::Call)
    return source.kind == ir::ExprKind::Attribute &&
           !names_library(in_.index(), code, ir::children(code.ir, i.value)[0]);
  if (i.kind != ir::InstructionKind::Assign || source.kind == ir::ExprKind::Conditional) return true;
  const bool is_place = source.kind == ir::ExprKind::Name || source.kind == ir::ExprKind::Attribute ||
                        source.kind == ir::ExprKind::Subscript;
  return is_place && added_to(scope_of(code.key), i.value, path, at);
}

bool HandleUses::followed(const Holder& holder) {
  if (holder.path.size() > kDeepestPath) return true;
  if (!asked_.insert(holder).second) return false;
  if (holder.function.valid()) return followed_on(holder);
  for (FunctionKey f{0}; f.index < in_.index().functions().size(); ++f.index)
    if (used_in(scope_of(f), holder)) return true;
  return false;
}

// Whether the variable is used before it is given something else.
bool HandleUses::followed_on(const Holder& holder) {
  const Scope in = scope_of(holder.function);
  if (is_captured(in, holder.name) || !in_.summary(holder.function)) return true;
  const FunctionCode code(in_.index(), *in_.summary(holder.function));
  const auto is_it = [&](Symbol name) { return in.text.text(name) == holder.name; };
  const auto is_given = [&](ir::ExprId target) {
    return target.valid() && in.ir.exprs[target].kind == ir::ExprKind::Name && is_it(in.ir.exprs[target].symbol);
  };
  std::set<ir::BlockId> seen;
  std::vector<ProgramPoint> work{{holder.from.block, holder.from.instruction + 1}};
  const auto go_on = [&](ir::BlockId next) {
    if (next.valid() && seen.insert(next).second) work.push_back({next, 0});
  };
  while (!work.empty()) {
    const ProgramPoint at = work.back();
    work.pop_back();
    const ir::Block& block = in.ir.blocks[at.block];
    const auto count = static_cast<uint32_t>(block.instructions.size());
    go_on(block.handler);
    bool is_over = false;
    for (uint32_t n = at.instruction; n < count && !is_over; ++n) {
      if (used_by(in, block.instructions[n], {at.block, n}, holder)) return true;
      is_over = is_given(block.instructions[n].target);
    }
    if (is_over) continue;
    const bool is_past_end = at.instruction > count;
    if (!is_past_end && used_by(in, block.terminator, {at.block, count}, holder)) return true;
    if (!is_past_end && is_given(block.terminator.target)) continue;
    for (const ir::BlockId next : FlowGraph::successors(block)) go_on(next);
  }
  return false;
}

bool HandleUses::used_in(const Scope& in, const Holder& holder) {
  for (uint32_t e = 0;; ++e) {
    if (e == in.ir.exprs.size()) return false;
    if (is(in, ir::ExprId{e}, holder)) break;
  }
  for (ir::BlockId b{0}; b.index < in.ir.blocks.size(); ++b.index) {
    const ir::Block& block = in.ir.blocks[b];
    const auto count = static_cast<uint32_t>(block.instructions.size());
    for (uint32_t n = 0; n < count; ++n)
      if (used_by(in, block.instructions[n], {b, n}, holder)) return true;
    if (used_by(in, block.terminator, {b, count}, holder)) return true;
  }
  return false;
}

bool HandleUses::used_by(const Scope& in, const ir::Instruction& i, ProgramPoint at, const Holder& holder) {
  switch (i.kind) {
    case ir::InstructionKind::Assert: return used_in_test(in, i.value, holder);
    case ir::InstructionKind::Delete: return false;
    case ir::InstructionKind::Assign: return handed_on(in, i.value, i.target, at, holder);
    case ir::InstructionKind::Call: return used_by_call(in, i, at, holder);
    default: return mentions(in, i.value, holder);
  }
}

// Whether putting the value there leads to code that may wait for what the holder holds.
bool HandleUses::handed_on(const Scope& in, ir::ExprId value, ir::ExprId target, ProgramPoint at,
                           const Holder& holder) {
  if (!mentions(in, value, holder)) return false;
  const std::vector<ElementPath> paths = carried(in, value, holder);
  if (paths.empty()) return used_in_test(in, value, holder);
  // `works += [work]`: code that has the list has the handle, too.
  const ir::Expr& made = in.ir.exprs[value];
  const bool grows = made.kind == ir::ExprKind::Binary && target.valid() &&
                     ir::same_tree(in.ir, target, ir::children(in.ir, value)[0]);
  return std::ranges::any_of(paths, [&](const ElementPath& path) {
    return put_in(in, target, path, at) || (grows && added_to(in, target, path, at));
  });
}

bool HandleUses::used_by_call(const Scope& in, const ir::Instruction& call, ProgramPoint at, const Holder& holder) {
  if (mentions(in, call.value, holder) && used_by_method(in, call, at, holder)) return true;
  return std::ranges::any_of(ir::arguments(in.ir, call), [&](const ir::Argument& a) {
    return mentions(in, a.value, holder) && used_by_argument(in, call, a.value, at, holder);
  });
}

void HandleUses::note_taken_out(const TakenOut& place) {
  if (std::ranges::find(taken_out_, place) == taken_out_.end()) taken_out_.push_back(place);
}

bool HandleUses::used_by_method(const Scope& in, const ir::Instruction& call, ProgramPoint at, const Holder& holder) {
  if (in.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return true;
  const Part part = part_in(in, ir::children(in.ir, call.value)[0], holder);
  if (!part.has_handle()) return true;
  const std::string name = foreign_name(in_.index(), in.module, in.ir, call.value);
  const auto plays = [&](Role role) { return in_.roles().play(name, role); };
  if (plays(Role::AddsElement) || plays(Role::Empties)) return false;
  if (part.path.empty() || (!plays(Role::TakesElement) && !plays(Role::ViewsEntries))) return true;
  if (!plays(Role::TakesElement)) return put_in(in, call.target, part.path, at);
  note_taken_out({in.key, call.range});
  return put_in(in, call.target, element_of(part.path), at);
}

bool HandleUses::used_by_argument(const Scope& in, const ir::Instruction& call, ir::ExprId argument, ProgramPoint at,
                                  const Holder& holder) {
  const bool is_method = in.ir.exprs[call.value].kind == ir::ExprKind::Attribute;
  const std::string name = foreign_name(in_.index(), in.module, in.ir, call.value);
  const auto plays = [&](Role role) { return in_.roles().play(name, role); };
  const bool adds = is_method && plays(Role::AddsElement);
  if (!adds && !plays(Role::HandsOnElements) && !plays(Role::KeepsElements)) return !plays(Role::NeverRaises);
  const std::vector<ElementPath> paths = carried(in, argument, holder);
  if (paths.empty()) return used_in_test(in, argument, holder);
  return std::ranges::any_of(paths, [&](const ElementPath& path) {
    if (adds) return added_to(in, ir::children(in.ir, call.value)[0], within(kAnyElement, path), at);
    return put_in(in, call.target, plays(Role::KeepsElements) ? path : within(kAnyElement, path), at);
  });
}

bool HandleUses::used_by(const Scope& in, const ir::Terminator& t, ProgramPoint at, const Holder& holder) {
  if (t.kind == ir::TerminatorKind::Branch) return used_in_test(in, t.value, holder);
  if (!mentions(in, t.value, holder)) return false;
  const std::vector<ElementPath> paths = carried(in, t.value, holder);
  if (t.kind == ir::TerminatorKind::Return && !return_counts_) return paths.empty();
  if (t.kind != ir::TerminatorKind::Iterate) return true;
  if (paths.empty()) return used_in_test(in, t.value, holder);
  note_taken_out({in.key, t.range});
  return std::ranges::any_of(paths,
                             [&](const ElementPath& path) { return put_in(in, t.target, element_of(path), at); });
}

}  // namespace ranklint::unwaited_work
