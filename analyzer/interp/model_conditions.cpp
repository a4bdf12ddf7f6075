// Under which arguments a call counts for its model.
#include <algorithm>

#include "analyzer/base/word.h"
#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/reals.h"

namespace ranklint {

namespace {

enum class Constant : uint8_t { None, True, False };

// As models write them.
constexpr std::array kConstants{Word<Constant>{"none", Constant::None},   Word<Constant>{"None", Constant::None},
                                Word<Constant>{"true", Constant::True},   Word<Constant>{"True", Constant::True},
                                Word<Constant>{"false", Constant::False}, Word<Constant>{"False", Constant::False}};

bool literal_is(const ValueStore& values, const SymbolTable& names, ValueId v, std::string_view literal) {
  const Value& value = values[v];
  if (const std::optional<Constant> constant = meaning_of(kConstants, literal)) {
    if (constant == Constant::None) return value.kind == ValueKind::None;
    return value.kind == ValueKind::Bool && (value.a != 0) == (constant == Constant::True);
  }
  int64_t i;
  if (values.integer_of(v, i)) return std::to_string(i) == literal;
  if (double number; values.number_of(v, number)) return read_real(literal) == number;
  if (value.kind == ValueKind::Text) {
    if (literal.size() >= 2 && (literal.front() == '\'' || literal.front() == '"'))
      literal = literal.substr(1, literal.size() - 2);
    return names.text(Symbol{value.a}) == literal;
  }
  return false;
}

// A literal as models write it; nothing: it is no literal.
std::optional<std::string> literal_text(const ir::Module& text, const ir::Expr& e) {
  switch (e.kind) {
    case ir::ExprKind::True: return "true";
    case ir::ExprKind::False: return "false";
    case ir::ExprKind::None: return "none";
    case ir::ExprKind::Integer: return std::string(text.text(e.symbol));
    default: return std::nullopt;
  }
}

bool is_same_literal(std::string_view a, std::string_view b) {
  const std::optional<Constant> constant = meaning_of(kConstants, a);
  return constant ? constant == meaning_of(kConstants, b) : a == b;
}

}  // namespace

// Whether one of the keywords that the object was made with is what the condition asks for; nothing: it is not known
// how it was made.
std::optional<bool> FunctionRun::was_made_so(const ArgumentCondition& condition, ValueId object) {
  const Site* site = object.valid() ? in_.made_at(object) : nullptr;
  const ir::Instruction* maker = site ? in_.call_at(*site) : nullptr;
  if (!maker) return std::nullopt;
  const ir::Function& f = index_.function(site->function);
  const ModuleKey module = index_.functions()[site->function].module;
  if (last_part(index_.dotted(module, f, maker->value)) != condition.maker) return std::nullopt;
  const ir::Module& text = index_.modules()[module];
  const auto given = ir::arguments(f, *maker);
  const auto is_keyword = [](const ir::Argument& a) { return a.kind == ir::ArgumentKind::Keyword; };
  if (!std::ranges::all_of(given, is_keyword)) return std::nullopt;  // it may be any of them
  bool is_known = true;
  for (const ArgumentCondition::Keyword& keyword : condition.made_with) {
    const auto it = std::ranges::find_if(given, [&](const auto& a) { return text.text(a.keyword) == keyword.name; });
    const std::optional<std::string> value =
        it == given.end() ? std::optional(keyword.default_value) : literal_text(text, f.exprs[it->value]);
    const Symbol attribute = index_.names().find(keyword.name);
    is_known &= value && !(attribute.valid() && in_.program().is_changed(attribute));
    if (value && is_same_literal(*value, condition.equals.empty() ? condition.not_equals : condition.equals) ==
                     !condition.equals.empty())
      return true;
  }
  return is_known ? std::optional(false) : std::nullopt;
}

bool FunctionRun::condition_holds(const ArgumentCondition& condition, const Call& call, bool& unknown) {
  const ValueId v = condition.argument.present() ? argument(call, condition.argument) : in_.receiver_of(call.callee);
  if (!condition.made_with.empty() && (v.valid() || !condition.argument.present())) {
    const std::optional<bool> holds = was_made_so(condition, v);
    unknown |= !holds;
    return holds.value_or(true);
  }
  const std::string& wanted = condition.equals.empty() ? condition.not_equals : condition.equals;
  bool equal;
  if (v.valid()) {
    if (!values_.is_constant(v)) {
      unknown = true;
      return true;
    }
    equal = literal_is(values_, index_.names(), v, wanted);
  } else {
    if (call.open_ended) unknown = true;
    equal = condition.default_value == wanted;
  }
  return equal == !condition.equals.empty();
}

}  // namespace ranklint
