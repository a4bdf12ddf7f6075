#include <algorithm>

#include "analyzer/ir/verifier.h"
#include "analyzer/ir/words.h"

namespace ranklint::ir {

// What one kind of expression is made of.
struct ExprShape {
  uint32_t min_children = 0;
  uint32_t max_children = 0;
  bool has_symbol = false;
};

static constexpr uint32_t kAny = UINT32_MAX;
static constexpr uint64_t kMaxTreeNodes = uint64_t{1} << 20;

static ExprShape shape_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::Name:
    case ExprKind::Integer:
    case ExprKind::Float:
    case ExprKind::String:
    case ExprKind::Unknown: return {.has_symbol = true};
    case ExprKind::Attribute: return {1, 1, true};
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None:
    case ExprKind::Ellipsis:
    case ExprKind::Unpack:
    case ExprKind::Function:
    case ExprKind::Class: return {};
    case ExprKind::Unary:
    case ExprKind::Starred:
    case ExprKind::Keyword: return {1, 1};
    case ExprKind::Subscript:
    case ExprKind::Binary: return {2, 2};
    case ExprKind::Slice:
    case ExprKind::Conditional: return {3, 3};
    case ExprKind::And:
    case ExprKind::Or: return {2, kAny};
    case ExprKind::Call: return {1, kAny};
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Set:
    case ExprKind::Dict:
    case ExprKind::Format: return {0, kAny};
  }
  return {};
}

static bool operator_fits(const Expr& expr) {
  if (expr.kind == ExprKind::Unary) return find_word(unary_operators(), expr.op) != nullptr;
  if (expr.kind == ExprKind::Binary) return find_word(binary_operators(), expr.op) != nullptr;
  return expr.op == Operator::None;
}

bool is_known_symbol(const Module& module, Symbol symbol) { return module.symbols.contains(symbol); }

bool is_absent_or_known(const Module& module, Symbol symbol) {
  return !symbol.valid() || is_known_symbol(module, symbol);
}

bool is_ordered(const SourceRange& r) {
  if (!r.known()) return r == SourceRange{};
  return r.line < r.end_line || (r.line == r.end_line && r.column <= r.end_column);
}

Trees::Trees(const Module& module, const Function& function, Complaints& complaints)
    : module_(module), function_(function) {
  const size_t before = complaints.size();
  for (uint32_t e = 0; e < function.exprs.size() && complaints.size() == before; ++e) node(ExprId{e}, complaints);
  sound_ = complaints.size() == before;
}

void Trees::node(ExprId id, Complaints& complaints) {
  const Expr& expr = function_.exprs[id];
  const ExprShape shape = shape_of(expr.kind);
  const auto require = [&](bool condition, const char* message) {
    if (!condition) complaints.add("expression " + std::to_string(id.index) + ": " + message);
    return condition;
  };
  require(expr.child_count >= shape.min_children && expr.child_count <= shape.max_children, "wrong number of children");
  require(operator_fits(expr), "its operator does not fit its kind");
  require(shape.has_symbol ? is_known_symbol(module_, expr.symbol) : is_absent_or_known(module_, expr.symbol),
          "it has no symbol, or one that is not in the table");
  require(expr.kind != ExprKind::Function || module_.functions.contains(expr.function()), "it refers to no function");
  require(expr.kind != ExprKind::Class || module_.classes.contains(expr.class_()), "it refers to no class");
  require(expr.kind != ExprKind::Dict || expr.child_count % 2 == 0, "a key has no value");
  depth_.push_back(1);
  size_.push_back(1);
  has_call_.push_back(expr.kind == ExprKind::Call);
  if (!require(expr.child_count == 0 || uint64_t{expr.first_child} + expr.child_count <= function_.children.size(),
               "its children are out of bounds"))
    return;
  const auto kids = children(function_, id);
  if (!require(std::ranges::all_of(kids, [&](ExprId child) { return child.index < id.index; }),
               "a child does not stand before it in the pool"))
    return;
  children_of(id, complaints);
  require(depth_.back() <= kMaxExpressionDepth, "its tree is too deep");
  require(size_.back() <= kMaxTreeNodes, "its tree is too large");
}

// Takes over what the children have, and checks the two kinds that stand in one place only.
void Trees::children_of(ExprId id, Complaints& complaints) {
  const ExprKind parent = kind(id);
  const auto kids = children(function_, id);
  for (size_t i = 0; i < kids.size(); ++i) {
    const ExprId child = kids[i];
    depth_.back() = std::max(depth_.back(), depth_[child.index] + 1);
    size_.back() += size_[child.index];
    if (has_call_[child.index]) has_call_.back() = true;
    if (kind(child) == ExprKind::Unpack && (parent != ExprKind::Dict || i % 2 == 1))
      complaints.add("expression " + std::to_string(id.index) + ": `**` is no key of a dict");
    if (kind(child) == ExprKind::Keyword && (parent != ExprKind::Call || i == 0))
      complaints.add("expression " + std::to_string(id.index) + ": a keyword argument is in no call");
  }
}

bool Trees::is_place(ExprId id) const {
  switch (kind(id)) {
    case ExprKind::Name:
    case ExprKind::Attribute:
    case ExprKind::Subscript:
    case ExprKind::Unknown: return true;
    case ExprKind::Starred:
    case ExprKind::Tuple:
    case ExprKind::List:
      return std::ranges::all_of(children(function_, id), [&](ExprId child) { return is_place(child); });
    default: return false;
  }
}

}  // namespace ranklint::ir
