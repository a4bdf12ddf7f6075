#include "analyzer/variance/values.h"

#include "analyzer/variance/reals.h"

namespace ranklint {
namespace {

constexpr int kDeepestText = 6;
constexpr size_t kLongestList = 400;

std::string number_text(const ValueStore& values, ValueId v) {
  int64_t integer = 0;
  if (values.integer_of(v, integer)) return std::to_string(integer);
  double number = 0;
  values.number_of(v, number);
  return write_real(number);
}

// What the project defines, by its name.
std::string definition(const ProjectIndex& index, const Value& value) {
  switch (value.kind) {
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index.function(f).parameters;
      return value.b < parameters.size()
                 ? std::string(index.modules()[index.functions()[f].module].text(parameters[value.b].name))
                 : "parameter";
    }
    case ValueKind::Instance:
      return "object of " + std::string(index.modules()[index.classes()[ClassKey{value.a}].module].text(
                                index.klass(ClassKey{value.a}).name));
    case ValueKind::Class:
      return "class " + std::string(index.modules()[index.classes()[ClassKey{value.a}].module].text(
                            index.klass(ClassKey{value.a}).name));
    case ValueKind::Function: return "function " + std::string(index.qualified_name(FunctionKey{value.a}));
    case ValueKind::Bound: return "method " + std::string(index.qualified_name(FunctionKey{value.a}));
    case ValueKind::Module: return "module " + index.modules()[ModuleKey{value.a}].name;
    default: return {};
  }
}

}  // namespace

std::string ValueStore::describe(ValueId v, int depth) const {
  // Terms share their parts: written out whole, one could fill the memory.
  if (depth > kDeepestText) return "...";
  const Value& value = values_[v];
  auto name = [&](uint32_t s) { return std::string(index_.names().text(Symbol{s})); };
  auto list = [&](std::string_view separator) {
    std::string text;
    for (ValueId c : children(v)) {
      if (text.size() > kLongestList) return text + "...";
      text += (text.empty() ? "" : std::string(separator)) + describe(c, depth + 1);
    }
    return text;
  };
  switch (value.kind) {
    case ValueKind::Opaque: return "?" + std::to_string(value.a) + "/" + std::to_string(value.b);
    case ValueKind::Integer:
    case ValueKind::Real: return number_text(*this, v);
    case ValueKind::Text: return "'" + name(value.a) + "'";
    case ValueKind::Bool: return value.a ? "True" : "False";
    case ValueKind::None: return "None";
    case ValueKind::Free: return name(value.b);
    case ValueKind::Coordinate: return "rank(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Size: return "size(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Group: return "group(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Believed: return "rank?(" + describe(child(v, 0), depth + 1) + ")";
    case ValueKind::Local: return "local(" + name(value.c) + ")";
    case ValueKind::Global: return name(value.b);
    case ValueKind::Attribute: return describe(child(v, 0), depth + 1) + "." + name(value.a);
    case ValueKind::Parameter:
    case ValueKind::Instance:
    case ValueKind::Class:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Module: return definition(index_, value);
    case ValueKind::External: return name(value.a);
    case ValueKind::Partial: return "partial(" + list(", ") + ")";
    case ValueKind::Unary: return "not(" + list("") + ")";
    case ValueKind::Binary: return "(" + list(" op" + std::to_string(static_cast<int>(value.op)) + " ") + ")";
    case ValueKind::And: return "(" + list(" and ") + ")";
    case ValueKind::Or: return "(" + list(" or ") + ")";
    case ValueKind::Conditional: return "if(" + list(", ") + ")";
    case ValueKind::Tuple: return "[" + list(", ") + "]";
    case ValueKind::Subscript: return describe(child(v, 0), depth + 1) + "[" + describe(child(v, 1), depth + 1) + "]";
    case ValueKind::Element: return "element(" + list("") + ")";
    case ValueKind::LoopPhi: {
      const PlaceKey& changed = place(PlaceId{value.c});
      const std::string object = changed.is_attribute() ? describe(changed.object, depth + 1) + "." : std::string();
      return "loop(" + object + name(changed.name.index) + ": " + list(", ") + ")";
    }
    case ValueKind::Pure: return name(value.a) + "(" + list(", ") + ")";
    case ValueKind::Caught: return "caught";
    case ValueKind::RankIn: return "rank(" + list("") + ")";
    case ValueKind::SizeIn: return "size(" + list("") + ")";
    case ValueKind::Super: return "super";
    case ValueKind::Guarded: return "guarded(" + list(", ") + ")";
    case ValueKind::Tensor: return "tensor(" + list(", ") + ")";
  }
  return {};
}

}  // namespace ranklint
