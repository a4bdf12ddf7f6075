#include "analyzer/questions/brackets.h"

#include <algorithm>
#include <set>

#include "analyzer/ir/equal.h"

namespace ranklint {

namespace {

constexpr uint8_t kMostOpen = 3;

std::string_view name_of(const ir::Module& module, const ir::Function& f, ir::ExprId e) {
  if (!e.valid()) return {};
  const ir::Expr& expr = f.exprs[e];
  // `%3[0]` is the result of a call that also writes through pointers.
  if (expr.kind == ir::ExprKind::Subscript) return name_of(module, f, ir::children(f, e)[0]);
  return expr.kind == ir::ExprKind::Name ? module.text(expr.symbol) : std::string_view();
}

// Names that hold what a call has returned.
std::set<std::string_view> results(const ir::Module& module, const ir::Function& f) {
  std::set<std::string_view> names;
  for (bool again = true; again;) {
    again = false;
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) {
        const std::string_view target = name_of(module, f, i.target), value = name_of(module, f, i.value);
        if (target.empty()) continue;
        const bool holds = i.kind == ir::InstructionKind::Call
                               ? !value.empty()
                               : i.kind == ir::InstructionKind::Assign && names.contains(value);
        if (holds) again |= names.insert(target).second;
      }
  }
  return names;
}

bool is_zero(const ir::Module& module, const ir::Function& f, ir::ExprId e) {
  return f.exprs[e].kind == ir::ExprKind::Integer && module.text(f.exprs[e].symbol) == "0";
}

}  // namespace

ir::BlockId success_of(const ir::Module& module, const ir::Function& f, const ir::Terminator& end) {
  if (end.kind != ir::TerminatorKind::Branch || !end.value.valid()) return {};
  const ir::Expr& condition = f.exprs[end.value];
  const std::set<std::string_view> held = results(module, f);
  const bool compares = condition.kind == ir::ExprKind::Binary &&
                        (condition.op == ir::Operator::Equal || condition.op == ir::Operator::NotEqual);
  if (!compares) return held.contains(name_of(module, f, end.value)) ? end.successors[1] : ir::BlockId{};
  const auto parts = ir::children(f, end.value);
  const bool of_result = (held.contains(name_of(module, f, parts[0])) && is_zero(module, f, parts[1])) ||
                         (held.contains(name_of(module, f, parts[1])) && is_zero(module, f, parts[0]));
  if (!of_result) return {};
  return end.successors[condition.op == ir::Operator::Equal ? 0 : 1];
}

Brackets::Brackets(const ProjectIndex& index, FunctionKey function, std::string_view open, std::string_view close)
    : module_(index.modules()[index.functions()[function].module]),
      function_(index.function(function)),
      open_(open),
      close_(close),
      entry_(function_.blocks.size(), 0) {
  for (const ir::Block& block : function_.blocks)
    for (const ir::Instruction& i : block.instructions) {
      if (is_call_of(i, open_)) opening_.push_back(i.range);
      closes_ |= is_call_of(i, close_);
    }
  if (opening_.empty() && !closes_) return;
  if (opened_and_closed_under_one_guard()) return;
  solve();
  collect();
}

// The conditions under which the block runs, those of checked calls left out.
std::vector<std::pair<ir::ExprId, bool>> Brackets::guards_of(const FlowGraph& graph, ir::BlockId block) const {
  std::vector<std::pair<ir::ExprId, bool>> guards;
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const ir::Terminator& end = function_.blocks[above].terminator;
    if (end.kind != ir::TerminatorKind::Branch || success_of(module_, function_, end).valid()) continue;
    for (const size_t side : {size_t{0}, size_t{1}})
      if (graph.predecessors(end.successors[side]).size() == 1 && graph.dominates(end.successors[side], block))
        guards.emplace_back(end.value, side == 0);
  }
  return guards;
}

// `if (many) open(); ...; if (many) close();` goes together.
bool Brackets::opened_and_closed_under_one_guard() {
  const FlowGraph graph(function_);
  std::vector<std::pair<ir::ExprId, bool>> opened, closed;
  for (const ir::BlockId block : graph.order())
    for (const ir::Instruction& i : function_.blocks[block].instructions) {
      auto* guards = is_call_of(i, open_) ? &opened : is_call_of(i, close_) ? &closed : nullptr;
      if (!guards) continue;
      const auto own = guards_of(graph, block);
      guards->insert(guards->end(), own.begin(), own.end());
    }
  correlated_ = std::any_of(opened.begin(), opened.end(), [&](const auto& a) {
    return std::any_of(closed.begin(), closed.end(), [&](const auto& b) {
      return a.second == b.second && ir::same_tree(function_, a.first, b.first);
    });
  });
  return correlated_;
}

bool Brackets::is_call_of(const ir::Instruction& i, std::string_view name) const {
  return i.kind == ir::InstructionKind::Call && name_of(module_, function_, i.value) == name;
}

Brackets::Depths Brackets::after(Depths before, const ir::Instruction& i) const {
  if (is_call_of(i, open_))
    return static_cast<Depths>(((before << 1) | (before & (1U << kMostOpen))) & ((2U << kMostOpen) - 1));
  if (is_call_of(i, close_)) return static_cast<Depths>((before >> 1) | (before & 1U));
  return before;
}

void Brackets::solve() {
  if (function_.blocks.empty()) return;
  entry_[0] = 1;
  std::vector<ir::BlockId> work{ir::BlockId{0}};
  while (!work.empty()) {
    const ir::BlockId id = work.back();
    work.pop_back();
    const ir::Block& block = function_.blocks[id];
    Depths depths = entry_[id.index];
    for (const ir::Instruction& i : block.instructions) depths = after(depths, i);
    std::vector<ir::BlockId> next = FlowGraph::successors(block);
    if (const ir::BlockId success = success_of(module_, function_, block.terminator); success.valid()) next = {success};
    for (const ir::BlockId to : next) {
      const auto joined = static_cast<Depths>(entry_[to.index] | depths);
      if (joined == entry_[to.index]) continue;
      entry_[to.index] = joined;
      work.push_back(to);
    }
  }
}

void Brackets::collect() {
  for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
    const ir::Block& block = function_.blocks[ir::BlockId{b}];
    Depths depths = entry_[b];
    if (!depths) continue;
    for (const ir::Instruction& i : block.instructions) {
      if (is_call_of(i, close_) && (depths & 1U) && !opening_.empty()) closed_too_often_.push_back({i.range, {}});
      depths = after(depths, i);
    }
    if (block.terminator.kind == ir::TerminatorKind::Return && (depths & ~1U) && closes_)
      left_open_.push_back({opening_.empty() ? block.terminator.range : opening_.back(), block.terminator.range});
  }
}

bool Brackets::surely_outside(ir::BlockId block, uint32_t instruction) const {
  Depths depths = entry_[block.index];
  if (opening_.empty() && !closes_) return true;
  if (correlated_) return false;
  for (uint32_t i = 0; i < instruction; ++i) depths = after(depths, function_.blocks[block].instructions[i]);
  return !(depths & ~1U);
}

}  // namespace ranklint
