// Values in the words of the source, for assumptions and messages.
#include <algorithm>
#include <unordered_map>

#include "analyzer/ir/words.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "analyzer/summary/tensors.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kLongest = 70;
constexpr int kDeepestSpelled = 6;

bool multiplies(ir::Operator op) {
  return op == ir::Operator::Multiply || op == ir::Operator::Divide || op == ir::Operator::FloorDivide ||
         op == ir::Operator::Modulo;
}

bool adds(ir::Operator op) { return op == ir::Operator::Add || op == ir::Operator::Subtract; }

// The variable that a loop gives its element, or a part of it, to; empty: none. What `zip` and `enumerate` are made of
// has its place in the target through them.
std::string loop_variable(const Query& in, ValueId v) {
  const ValueStore& values = in.values();
  int64_t part = -1;
  if (values[v].kind == ValueKind::Subscript) {
    if (!values.integer_of(values.child(v, 1), part) || part < 0) return {};
    v = values.child(v, 0);
  }
  const Site* site = in.made_at(v);
  if (!site || values[v].kind != ValueKind::Element) return {};
  const ir::Function& f = in.index().function(site->function);
  const ir::Module& module = in.index().modules()[in.index().functions()[site->function].module];
  const ir::Terminator& loop = f.blocks[site->block].terminator;
  if (loop.kind != ir::TerminatorKind::Iterate || !loop.target.valid()) return {};
  const bool called = SymbolTable::is_unnamed(module.text(f.exprs[loop.value].symbol));
  const Value& over = values[values.child(v, 0)];
  const bool counted = is_call_of(values, in.index(), values.child(v, 0), Builtin::Enumerate);
  if (called && over.kind != ValueKind::Pure && over.kind != ValueKind::Opaque) return {};
  ir::ExprId target = loop.target;
  if (part >= 0) {
    const auto parts = ir::children(f, target);
    if (f.exprs[target].kind != ir::ExprKind::Tuple || static_cast<size_t>(part) >= parts.size() ||
        (called && !counted))
      return {};
    target = parts[static_cast<size_t>(part)];
  }
  return f.exprs[target].kind == ir::ExprKind::Name ? std::string(module.text(f.exprs[target].symbol)) : std::string();
}

bool is_temporary(std::string_view name) { return name.empty() || SymbolTable::is_unnamed(name); }

// The variable that a call fills through an argument: `sum` of `%0 = call MPI_Allreduce(part, sum, ...); sum = %0[2]`.
// Empty: it fills none.
std::string filled_variable(const Query& in, ValueId v) {
  const ValueStore& values = in.values();
  const ValueId filled = values.child(v, 0), place = values.child(v, 1);
  int64_t part = 0;
  const Site* site = in.made_at(filled);
  if (!site || values[filled].kind != ValueKind::Opaque || !values.integer_of(place, part)) return {};
  const ir::Function& f = in.index().function(site->function);
  const ir::Module& module = in.index().modules()[in.index().functions()[site->function].module];
  const auto& instructions = f.blocks[site->block].instructions;
  if (site->why != Site::Why::Instruction || site->instruction >= instructions.size()) return {};
  const ir::ExprId call = instructions[site->instruction].target;
  for (size_t i = site->instruction + 1; call.valid() && i < instructions.size(); ++i) {
    const ir::ExprId target = instructions[i].target, value = instructions[i].value;
    if (!target.valid() || !value.valid() || f.exprs[value].kind != ir::ExprKind::Subscript) return {};
    const auto parts = ir::children(f, value);
    const bool is_it =
        f.exprs[parts[0]].symbol == f.exprs[call].symbol && f.exprs[parts[1]].kind == ir::ExprKind::Integer;
    if (is_it && module.text(f.exprs[parts[1]].symbol) == std::to_string(part))
      return f.exprs[target].kind == ir::ExprKind::Name ? std::string(module.text(f.exprs[target].symbol))
                                                        : std::string();
  }
  return {};
}

// The variable that holds `base[key]`, a loop's or one that a call filled. Empty: none does.
std::string variable_of_part(const Query& in, ValueId v) {
  std::string name = loop_variable(in, v);
  return name.empty() ? filled_variable(in, v) : name;
}

// What names the values of a term's parts, each looked at once.
class Naming {
 public:
  using NamedBy = Query::NamedBy;
  explicit Naming(const Query& in) : in_(in), values_(in.values()) {}

  NamedBy of(ValueId v) {
    if (const auto known = known_.find(v.index); known != known_.end()) return known->second;
    const NamedBy named = find(v);
    known_.emplace(v.index, named);
    return named;
  }

 private:
  NamedBy named_if(bool is_named) const { return is_named ? NamedBy::Name : NamedBy::Nothing; }
  // `base.name`, `base[key]`: what is found under a name in something that has one, or that a call returned.
  NamedBy part_of(ValueId base) { return named_if(of(base) != NamedBy::Nothing); }

  NamedBy find(ValueId v) {
    const Value value = values_[v];
    switch (value.kind) {
      case ValueKind::Opaque: return in_.name_of_unknown(v).by;
      case ValueKind::Attribute: return part_of(values_.child(v, 0));
      case ValueKind::Subscript:
        if (!loop_variable(in_, v).empty()) return NamedBy::Name;
        return of(values_.child(v, 1)) == NamedBy::Nothing ? NamedBy::Nothing : part_of(values_.child(v, 0));
      case ValueKind::Element: return loop_variable(in_, v).empty() ? of(values_.child(v, 0)) : NamedBy::Name;
      case ValueKind::LoopPhi:
        return named_if(!is_temporary(in_.index().names().text(values_.place(PlaceId{value.c}).name)));
      case ValueKind::Believed:
      case ValueKind::Unary: return of(values_.child(v, 0));
      case ValueKind::And:
      case ValueKind::Or:
      case ValueKind::Binary: return of(values_.child(v, value.child_count - 1));
      case ValueKind::Pure:
        return keeps_ranks(in_.roles(), in_.index().names().text(Symbol{value.a})) ? of(values_.child(v, 0))
                                                                                   : NamedBy::Call;
      case ValueKind::Coordinate: return NamedBy::Call;
      case ValueKind::Integer:
      case ValueKind::Real:
      case ValueKind::Text:
      case ValueKind::Bool:
      case ValueKind::None:
      case ValueKind::Parameter:
      case ValueKind::Free:
      case ValueKind::Global:
      case ValueKind::External:
      case ValueKind::Instance:
      case ValueKind::Class: return NamedBy::Name;
      default: return NamedBy::Nothing;
    }
  }

  const Query& in_;
  const ValueStore& values_;
  std::unordered_map<uint32_t, NamedBy> known_;
};

}  // namespace

Query::UnknownName Query::name_of_unknown(ValueId v) const {
  const Site* made = made_at(v);
  if (!made || values_[v].kind != ValueKind::Opaque) return {};
  const Site& site = *made;
  const ir::Function& f = index_.function(site.function);
  const ModuleKey key = index_.functions()[site.function].module;
  const ir::Module& module = index_.modules()[key];
  if (site.why == Site::Why::Argument) return {NamedBy::Name, std::string(module.text(f.parameters[site.part].name))};
  const auto& instructions = f.blocks[site.block].instructions;
  if (site.why != Site::Why::Instruction || site.instruction >= instructions.size()) return {};
  const ir::Instruction& i = instructions[site.instruction];
  if (i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Name)
    if (const std::string_view name = module.text(f.exprs[i.target].symbol); !is_temporary(name))
      return {NamedBy::Name, std::string(name)};
  if (i.kind != ir::InstructionKind::Call) return {};
  const std::string callee = index_.dotted(key, f, i.value);
  return callee.empty() || callee.find('%') != callee.npos ? UnknownName{} : UnknownName{NamedBy::Call, callee};
}

std::string Query::variable_of(ValueId v) const {
  switch (values_[v].kind) {
    case ValueKind::Opaque: {
      const UnknownName known = name_of_unknown(v);
      return known.by == NamedBy::Name ? known.name : std::string();
    }
    case ValueKind::Subscript:
    case ValueKind::Element: return loop_variable(*this, v);
    case ValueKind::LoopPhi: {
      const std::string_view name = index_.names().text(values_.place(PlaceId{values_[v].c}).name);
      return is_temporary(name) ? std::string() : std::string(name);
    }
    default: return std::string(last_name(v));
  }
}

Query::NamedBy Query::named_by(ValueId v) const { return Naming(*this).of(v); }

std::string Query::source_text(ValueId v, int depth) const {
  if (depth > kDeepestSpelled) return {};
  const Value value = values_[v];
  const SymbolTable& names = index_.names();
  auto part = [&](uint32_t i) { return source_text(values_.child(v, i), depth + 1); };
  auto joined = [&](std::string_view separator) -> std::string {
    std::string text;
    for (uint32_t i = 0; i < value.child_count; ++i) {
      const std::string p = part(i);
      if (p.empty() || text.size() > kLongest) return {};
      text += (i ? std::string(separator) : "") + p;
    }
    return text.size() > kLongest ? std::string() : text;
  };
  switch (value.kind) {
    case ValueKind::Opaque: {
      const UnknownName known = name_of_unknown(v);
      return known.by == NamedBy::Call ? known.name + "(...)" : known.name;
    }
    case ValueKind::Global: return std::string(without_file(names.text(Symbol{value.b})));
    case ValueKind::Free: return std::string(names.text(Symbol{value.b}));
    case ValueKind::Attribute: {
      const std::string base = part(0);
      return base.empty() ? base : base + "." + std::string(names.text(Symbol{value.a}));
    }
    case ValueKind::Instance:
    case ValueKind::Class: {
      const ClassKey c{value.a};
      return std::string(index_.modules()[index_.classes()[c].module].text(index_.klass(c).name));
    }
    case ValueKind::Believed: return part(0);
    case ValueKind::Unary: {
      const std::string inner = part(0);
      return inner.empty() ? inner : std::string(ir::operator_text(value.op)) + inner;
    }
    case ValueKind::Binary: {
      const auto side = [&](uint32_t i) {
        const std::string text = part(i);
        const Value& inner = values_[values_.child(v, i)];
        return !text.empty() && inner.kind == ValueKind::Binary && multiplies(value.op) && adds(inner.op)
                   ? "(" + text + ")"
                   : text;
      };
      const std::string left = side(0), right = side(1);
      if (left.empty() || right.empty()) return {};
      const std::string text = left + " " + std::string(ir::operator_text(value.op)) + " " + right;
      return text.size() > kLongest ? std::string() : text;
    }
    case ValueKind::And: return joined(" and ");
    case ValueKind::Or: return joined(" or ");
    case ValueKind::Subscript: {
      if (std::string name = variable_of_part(*this, v); !name.empty()) return name;
      const std::string base = part(0), key = part(1);
      return base.empty() || key.empty() ? std::string() : base + "[" + key + "]";
    }
    case ValueKind::Element: {
      if (std::string name = loop_variable(*this, v); !name.empty()) return name;
      const std::string inner = part(0);
      return inner.empty() ? inner : "an element of " + inner;
    }
    case ValueKind::LoopPhi: {
      const std::string name(names.text(values_.place(PlaceId{value.c}).name));
      return name.empty() || SymbolTable::is_unnamed(name) ? std::string() : name;
    }
    case ValueKind::Pure: {
      const std::string_view name = names.text(Symbol{value.a});
      if (derived_named(name) == Derived::MoreRounds) {
        const std::string inner = part(0);
        return inner.empty() ? inner : "another element in " + inner;
      }
      if (is_builtin(name, {Builtin::Dict, Builtin::Set, Builtin::Slice})) return {};
      if (keeps_ranks(roles(), name)) return part(0);  // the tensor, wherever it was moved
      const std::string inner = joined(", ");
      return inner.empty() && value.child_count ? std::string() : std::string(name) + "(" + inner + ")";
    }
    case ValueKind::Integer:
    case ValueKind::Real:
    case ValueKind::Text:
    case ValueKind::Bool:
    case ValueKind::None:
    case ValueKind::Parameter: return values_.describe(v);
    case ValueKind::External: return std::string(names.text(Symbol{value.a}));
    case ValueKind::Coordinate: return values_.describe(v);
    default: return {};
  }
}

}  // namespace ranklint
