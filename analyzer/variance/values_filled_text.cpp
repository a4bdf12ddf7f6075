// Texts into which values are put: `f"cuda:{rank}"`, and a number's digits.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/variance/terms.h"
#include "analyzer/variance/values.h"

namespace ranklint {

using ir::Operator;

ValueId ValueStore::without_digits(ValueId v) const {
  return derived_of(*this, index_, v) == Derived::Digits ? child(v, 0) : v;
}

// Whether something stands beside the braces; two of them stand for one.
static bool holds_fixed_text(std::string_view pattern) {
  size_t depth = 0;
  for (const char c : pattern) {
    if (c == '{')
      ++depth;
    else if (c == '}')
      depth -= depth > 0;
    else if (depth == 0)
      return true;
  }
  return pattern.find("{{") != pattern.npos;
}

bool ValueStore::is_never_empty(ValueId filled) const {
  const auto is_number = [&](ValueId part) {
    switch (values_[part].kind) {
      case ValueKind::Integer:
      case ValueKind::Coordinate:
      case ValueKind::RankIn:
      case ValueKind::Size:
      case ValueKind::SizeIn:
      case ValueKind::Believed: return true;
      default: return derived_of(*this, index_, part) == Derived::Digits;
    }
  };
  const Value& pattern = values_[child(filled, 0)];
  return std::ranges::any_of(children(filled).subspan(1), is_number) ||
         (pattern.kind == ValueKind::Text && holds_fixed_text(index_.names().text(Symbol{pattern.a})));
}

// The text, where all that is put in is known and stands as it is. Invalid: it is not.
ValueId ValueStore::written_out(Derived derived, std::span<const ValueId> parts) {
  const auto written = [&](ValueId v) -> std::optional<std::string> {
    int64_t whole = 0;
    if (values_[v].kind == ValueKind::Text) return std::string(index_.names().text(Symbol{values_[v].a}));
    return values_[v].kind == ValueKind::Integer && integer_of(v, whole) ? std::optional(std::to_string(whole))
                                                                         : std::nullopt;
  };
  if (derived == Derived::Digits) {
    const std::optional<std::string> digits = written(parts[0]);
    return digits ? text(index_.intern(*digits)) : ValueId{};
  }
  if (derived != Derived::FilledText || values_[parts[0]].kind != ValueKind::Text) return {};
  std::string left = *written(parts[0]), made;
  for (const ValueId part : parts.subspan(1)) {
    const std::optional<std::string> put = written(part);
    const size_t braces = left.find('{');
    if (!put || braces == left.npos || left.compare(braces, 2, "{}") != 0) return {};
    made += left.substr(0, braces) + *put;
    left.erase(0, braces + 2);
  }
  // A brace that is left may be one of two that stand for one.
  const bool is_whole = left.find_first_of("{}") == left.npos && made.find_first_of("{}") == made.npos;
  return is_whole ? text(index_.intern(made + left)) : ValueId{};
}

// The fixed text before the first brace and after the last one. Nothing: it is no filled text, or has doubled braces.
static std::optional<std::pair<std::string_view, std::string_view>> fixed_ends(const ValueStore& values,
                                                                               const ProjectIndex& index, ValueId v) {
  if (derived_of(values, index, v) != Derived::FilledText || values[values.child(v, 0)].kind != ValueKind::Text)
    return std::nullopt;
  const std::string_view pattern = index.names().text(Symbol{values[values.child(v, 0)].a});
  const size_t first = pattern.find('{'), last = pattern.rfind('}');
  const auto has = [&](std::string_view braces) { return pattern.find(braces) != pattern.npos; };
  if (first == pattern.npos || last == pattern.npos || has("{{") || has("}}")) return std::nullopt;
  return std::pair{pattern.substr(0, first), pattern.substr(last + 1)};
}

// `f"cuda:{rank}" == "cpu"` does not hold, `"cuda" in f"cuda:{rank}"` does; `os.environ["RANK"] == 0` compares a text
// with a number. Invalid: it is another comparison, or depends on what is put in.
ValueId ValueStore::fold_text_comparison(Operator op, ValueId left, ValueId right) {
  const bool equality = op == Operator::Equal || op == Operator::NotEqual;
  for (const auto& [filled, constant] : {std::pair{left, right}, std::pair{right, left}}) {
    if (equality && without_digits(filled) != filled && values_[constant].kind == ValueKind::Integer)
      return boolean(op == Operator::NotEqual);
    const auto ends = fixed_ends(*this, index_, filled);
    if (!ends || values_[constant].kind != ValueKind::Text) continue;
    const std::string_view text = index_.names().text(Symbol{values_[constant].a});
    if (equality && (!text.starts_with(ends->first) || !text.ends_with(ends->second)))
      return boolean(op == Operator::NotEqual);
    const bool is_held = ends->first.find(text) != text.npos || ends->second.find(text) != text.npos;
    if (ir::is_membership(op) && filled == right && is_held) return boolean(op == Operator::In);
  }
  return {};
}

}  // namespace ranklint
