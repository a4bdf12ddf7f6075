#include "analyzer/ir/expr_printer.h"

namespace ranklint::ir {

static constexpr std::string_view kInvalid = "<invalid>";

References::References(const Module& m)
    : module(m), function_ordinals(ir::function_ordinals(m)), class_ordinals(ir::class_ordinals(m)) {}

static std::string reference(std::string_view qualified_name, uint32_t ordinal) {
  return path_text(qualified_name) + (ordinal > 1 ? "#" + std::to_string(ordinal) : "");
}

std::string References::function(FunctionId id) const {
  if (!module.functions.contains(id)) return std::string(kInvalid);
  return reference(module.text(module.functions[id].qualified_name), function_ordinals[id.index]);
}

std::string References::class_(ClassId id) const {
  if (!module.classes.contains(id)) return std::string(kInvalid);
  return reference(module.text(module.classes[id].qualified_name), class_ordinals[id.index]);
}

std::string name_text(std::string_view name) {
  return is_plain_name(name) && !is_reserved(name) ? std::string(name) : ir::quoted(name, '`');
}

std::string member_text(std::string_view name) {
  return is_plain_name(name) ? std::string(name) : ir::quoted(name, '`');
}

std::string path_text(std::string_view path) { return is_plain_path(path) ? std::string(path) : ir::quoted(path, '`'); }

static std::string number_text(const Expr& expr, std::string_view text) {
  if (expr.kind == ExprKind::Integer) return is_integer_word(text) ? std::string(text) : "int" + ir::quoted(text, '"');
  return is_float_word(text) ? std::string(text) : "float" + ir::quoted(text, '"');
}

static int level_of(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Slice: return kSliceLevel;
    case ExprKind::Starred:
    case ExprKind::Unpack:
    case ExprKind::Keyword: return kStarredLevel;
    case ExprKind::Conditional: return kConditionalLevel;
    case ExprKind::Or: return kOrLevel;
    case ExprKind::And: return kAndLevel;
    case ExprKind::Unary: return expr.op == Operator::Not ? kNotLevel : kUnaryLevel;
    case ExprKind::Binary: {
      const OperatorWord* word = find_word(binary_operators(), expr.op);
      return word ? static_cast<int>(word->level) : kPrimaryLevel;
    }
    case ExprKind::Attribute:
    case ExprKind::Subscript:
    case ExprKind::Call: return kPostfixLevel;
    case ExprKind::Name:
    case ExprKind::Integer:
    case ExprKind::Float:
    case ExprKind::String:
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None:
    case ExprKind::Ellipsis:
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Set:
    case ExprKind::Dict:
    case ExprKind::Function:
    case ExprKind::Class:
    case ExprKind::Format:
    case ExprKind::Unknown: return kPrimaryLevel;
  }
  return kPrimaryLevel;
}

static bool children_in_bounds(const Function& f, const Expr& expr) {
  return expr.child_count == 0 || uint64_t{expr.first_child} + expr.child_count <= f.children.size();
}

// How many operands the printer takes by position; a broken expression with fewer prints as invalid.
static uint32_t fixed_children(ExprKind kind) {
  switch (kind) {
    case ExprKind::Attribute:
    case ExprKind::Unary:
    case ExprKind::Starred:
    case ExprKind::Call:
    case ExprKind::Keyword: return 1;
    case ExprKind::Subscript:
    case ExprKind::Binary: return 2;
    case ExprKind::Slice:
    case ExprKind::Conditional: return 3;
    default: return 0;
  }
}

std::string ExprPrinter::text(ExprId id, int level) const {
  if (!function_.exprs.contains(id) || depth_ > kMaxExpressionDepth) return std::string(kInvalid);
  const Expr& expr = function_.exprs[id];
  const bool complete = children_in_bounds(function_, expr) && expr.child_count >= fixed_children(expr.kind);
  if (!complete) return std::string(kInvalid);
  ++depth_;
  std::string out = body(expr);
  --depth_;
  return level_of(expr) < level ? "(" + out + ")" : out;
}

// After a number or a reference a dot would be read as part of it.
bool ExprPrinter::swallows_dot(ExprId id) const {
  if (!function_.exprs.contains(id)) return false;
  const ExprKind kind = function_.exprs[id].kind;
  return kind == ExprKind::Integer || kind == ExprKind::Float || kind == ExprKind::Function || kind == ExprKind::Class;
}

std::string ExprPrinter::joined(std::span<const ExprId> items, std::string_view separator, int level) const {
  std::string out;
  for (const ExprId item : items) {
    if (!out.empty()) out += separator;
    out += text(item, level);
  }
  return out;
}

std::string ExprPrinter::binary(const Expr& expr, ExprId left, ExprId right) const {
  const OperatorWord* word = find_word(binary_operators(), expr.op);
  if (!word) return std::string(kInvalid);
  int left_level = word->level;
  int right_level = word->level + 1;
  if (word->level == kCompareLevel) ++left_level;
  if (word->level == kPowerLevel) {
    left_level = kPostfixLevel;
    right_level = kUnaryLevel;
  }
  return text(left, left_level) + " " + std::string(word->text) + " " + text(right, right_level);
}

// A tuple of several indices goes without its parentheses: `x[:, 0]`.
std::string ExprPrinter::subscript(ExprId base, ExprId index) const {
  std::string inner;
  const bool bare = function_.exprs.contains(index) && function_.exprs[index].kind == ExprKind::Tuple &&
                    function_.exprs[index].child_count >= 2 && children_in_bounds(function_, function_.exprs[index]);
  if (bare) {
    ++depth_;
    inner = joined(children(function_, index), ", ", kSliceLevel);
    --depth_;
  } else {
    inner = text(index, kSliceLevel);
  }
  return text(base, kPostfixLevel) + "[" + inner + "]";
}

std::string ExprPrinter::dict(std::span<const ExprId> items) const {
  std::string out;
  for (size_t i = 0; i + 1 < items.size(); i += 2) {
    if (i > 0) out += ", ";
    const bool unpacked = function_.exprs.contains(items[i]) && function_.exprs[items[i]].kind == ExprKind::Unpack;
    out += unpacked ? "**" : text(items[i]) + ": ";
    out += text(items[i + 1]);
  }
  return "{" + out + "}";
}

std::string ExprPrinter::slice(std::span<const ExprId> parts) const {
  const auto part = [&](size_t i) {
    const bool none = function_.exprs.contains(parts[i]) && function_.exprs[parts[i]].kind == ExprKind::None;
    return none ? std::string() : text(parts[i]);
  };
  const std::string step = part(2);
  return part(0) + ":" + part(1) + (step.empty() ? "" : ":" + step);
}

std::string ExprPrinter::body(const Expr& expr) const {
  const std::span<const ExprId> kids = children(function_, expr);
  const std::string_view symbol =
      expr.symbol.valid() && !module_.symbols.contains(expr.symbol) ? kInvalid : module_.text(expr.symbol);
  switch (expr.kind) {
    case ExprKind::Name: return name_text(symbol);
    case ExprKind::Attribute:
      return text(kids[0], swallows_dot(kids[0]) ? kPrimaryLevel + 1 : kPostfixLevel) + "." + member_text(symbol);
    case ExprKind::Subscript: return subscript(kids[0], kids[1]);
    case ExprKind::Slice: return slice(kids);
    case ExprKind::Integer:
    case ExprKind::Float: return number_text(expr, symbol);
    case ExprKind::String: return ir::quoted(symbol, '"');
    case ExprKind::True: return "True";
    case ExprKind::False: return "False";
    case ExprKind::None: return "None";
    case ExprKind::Ellipsis: return "...";
    case ExprKind::Unary: {
      const OperatorWord* word = find_word(unary_operators(), expr.op);
      return word ? std::string(word->text) + text(kids[0], word->level) : std::string(kInvalid);
    }
    case ExprKind::Binary: return binary(expr, kids[0], kids[1]);
    case ExprKind::And: return joined(kids, " and ", kAndLevel + 1);
    case ExprKind::Or: return joined(kids, " or ", kOrLevel + 1);
    case ExprKind::Conditional:
      return text(kids[1], kOrLevel) + " if " + text(kids[0], kOrLevel) + " else " + text(kids[2], kOrLevel);
    case ExprKind::Tuple: return "(" + joined(kids, ", ", kSliceLevel) + (kids.size() == 1 ? ",)" : ")");
    case ExprKind::List: return "[" + joined(kids, ", ", kSliceLevel) + "]";
    case ExprKind::Set: return kids.empty() ? "{,}" : "{" + joined(kids, ", ", kStarredLevel) + "}";
    case ExprKind::Dict: return dict(kids);
    case ExprKind::Starred: return "*" + text(kids[0]);
    case ExprKind::Unpack: return "**";
    case ExprKind::Function: return "&" + references_.function(expr.function());
    case ExprKind::Class: return "class " + references_.class_(expr.class_());
    case ExprKind::Call: return text(kids[0], kPostfixLevel) + "(" + joined(kids.subspan(1), ", ", kStarredLevel) + ")";
    case ExprKind::Keyword: return (symbol.empty() ? "**" : member_text(symbol) + "=") + text(kids[0]);
    case ExprKind::Format: {
      const std::string format = expr.symbol.valid() ? ir::quoted(symbol, '"') : std::string();
      return "fstring" + format + "(" + joined(kids, ", ", kConditionalLevel) + ")";
    }
    case ExprKind::Unknown: return "unknown(" + ir::quoted(symbol, '"') + ")";
  }
  return std::string(kInvalid);
}

std::string ExprPrinter::argument(const Argument& argument) const {
  std::string value = text(argument.value);
  switch (argument.kind) {
    case ArgumentKind::Positional: return value;
    case ArgumentKind::Keyword: return member_text(module_.text(argument.keyword)) + "=" + value;
    case ArgumentKind::Star: return "*" + value;
    case ArgumentKind::DoubleStar: return "**" + value;
  }
  return std::string(kInvalid);
}

}  // namespace ranklint::ir
