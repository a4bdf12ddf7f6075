#include "analyzer/summary/tensors.h"

#include <algorithm>

namespace ranklint {
namespace {

ValueId keyword_dtype(const SymbolTable& names, const Roles& roles, const Call& call) {
  for (const auto& [keyword, v] : call.keywords)
    if (roles.play(names.text(keyword), Role::SaysNumberType)) return v;
  return {};
}

class Maker {
 public:
  Maker(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
        const std::function<SiteId()>& site)
      : values_(values), index_(index), roles_(roles), names_(index.names()), call_(call), site_(site) {}

  ValueId run() {
    const Value& callee = values_[call_.callee];
    if (call_.open_ended) return {};
    if (callee.kind == ValueKind::External) return by_function(names_.text(Symbol{callee.a}));
    if (callee.kind == ValueKind::Attribute)
      return by_method(names_.text(Symbol{callee.a}), values_.child(call_.callee, 0));
    return {};
  }

 private:
  ValueId by_function(std::string_view name) {
    const size_t given = call_.positional.size();
    // torch.zeros(2, 3) and torch.zeros((2, 3))
    if (const RoleEntry* makes = roles_.find(name, Role::MakesTensor))
      return tensor(dtype_or(external(type_in_tensors(roles_, Builtin::Float))), sizes(call_.positional, *makes));
    if (const RoleEntry* fills = roles_.find(name, Role::FillsTensor); fills && given == 2)
      return tensor(dtype_or(type_of_number(call_.positional[1])), sizes(std::span(call_.positional).first(1), *fills));
    if (roles_.play(name, Role::CountsIntoTensor) && given == 1) return tensor(dtype(), {call_.positional[0]});
    if (roles_.play(name, Role::TypedByData) && given == 1)
      if (const ValueId made = of_numbers(call_.positional[0]); made.valid()) return made;
    // Of a list that is a share of this rank's: as long as that is.
    if (roles_.play(name, Role::MakesOfData) && given > 0 && values_.is_uneven_share(call_.positional[0]))
      return tensor(dtype(), {values_.node(ValueKind::Pure, {{call_.positional[0]}}, index_.intern("len").index)});
    if (roles_.play(name, Role::MakesTensorLike) && given > 0) return again(call_.positional[0], dtype());
    return {};
  }

  // `torch.tensor(3)`, `torch.tensor([1, 2, 3])`: numbers that are written out.
  ValueId of_numbers(ValueId data) {
    if (values_[data].kind != ValueKind::Tuple) {
      const ValueId type = type_of_number(data);
      return type.valid() ? tensor(dtype_or(type), {}) : ValueId{};
    }
    ValueId type;
    for (ValueId number : values_.children(data)) {
      const ValueId one = type_of_number(number);
      if (!one.valid() || (type.valid() && one != type)) return {};
      type = one;
    }
    return type.valid() ? tensor(dtype_or(type), {values_.integer(values_[data].child_count)}) : ValueId{};
  }

  ValueId type_of_number(ValueId v) {
    switch (values_[v].kind) {
      case ValueKind::Integer: return external(type_in_tensors(roles_, Builtin::Int));
      case ValueKind::Real: return external(type_in_tensors(roles_, Builtin::Float));
      case ValueKind::Bool: return external(type_in_tensors(roles_, Builtin::Bool));
      default: return {};
    }
  }

  ValueId by_method(std::string_view name, ValueId base) {
    if (const RoleEntry* makes = roles_.find(name, Role::MakesTensorBeside)) {
      const ValueId given = dtype();
      return tensor(given.valid() ? given : dtype_of(base), sizes(call_.positional, *makes));
    }
    if (roles_.play(name, Role::KeepsTensor)) return again(base, {});
    if (const RoleEntry* casts = roles_.find(name, Role::CastsTensor); casts && !casts->note.empty())
      return again(base, external(casts->note));
    if (roles_.play(name, Role::MovesOrCasts)) return again(base, converted());
    return {};
  }

  // `x.to("cuda")` keeps the type, `x.to(torch.float16)` changes it, `x.to(y)` does as y says.
  ValueId converted() {
    if (const ValueId named = named_cast(values_, index_, roles_, call_); named.valid()) return named;
    const bool device = call_.positional.empty() || values_[call_.positional[0]].kind == ValueKind::Text;
    return device ? ValueId{} : values_.none();
  }

  ValueId external(std::string_view name) { return values_.leaf(ValueKind::External, index_.intern(name).index); }

  ValueId dtype() { return keyword_dtype(names_, roles_, call_); }
  ValueId dtype_or(ValueId otherwise) { return dtype().valid() ? dtype() : otherwise; }

  ValueId dtype_of(ValueId base) {
    return values_[base].kind == ValueKind::Tensor ? values_.child(base, 0) : ValueId{};
  }

  std::vector<ValueId> sizes(std::span<const ValueId> of_call, const RoleEntry& maker) {
    std::vector<ValueId> given(of_call.begin(), of_call.end());
    for (const auto& [keyword, v] : call_.keywords)
      if (names_.text(keyword) == maker.argument.keyword && given.empty()) given = {v};
    if (given.size() != 1) return given;
    if (values_[given[0]].kind == ValueKind::Tuple)
      return {values_.children(given[0]).begin(), values_.children(given[0]).end()};
    // One name may be a whole shape; what is computed, or differs between ranks, is a number.
    return is_number(given[0]) ? given : std::vector<ValueId>{};
  }

  bool is_number(ValueId v) {
    switch (values_[v].kind) {
      case ValueKind::Integer:
      case ValueKind::Size:
      case ValueKind::SizeIn:
      case ValueKind::Binary: return true;
      default: return values_.diverges(v);
    }
  }

  // The same sizes; invalid where they are not known, as nothing is then to be said.
  ValueId again(ValueId base, ValueId dtype) {
    if (values_[base].kind != ValueKind::Tensor) return {};
    const std::vector<ValueId> old(values_.children(base).begin(), values_.children(base).end());
    return tensor(dtype.valid() ? dtype : old[0], {old.begin() + 1, old.end()});
  }

  ValueId tensor(ValueId dtype, std::vector<ValueId> sizes) {
    if (sizes.empty() && !dtype.valid()) return {};
    sizes.insert(sizes.begin(), dtype.valid() ? dtype : values_.none());
    return values_.node(ValueKind::Tensor, sizes, site_().index);
  }

  ValueStore& values_;
  const ProjectIndex& index_;
  const Roles& roles_;
  const SymbolTable& names_;
  const Call& call_;
  const std::function<SiteId()>& site_;
};

}  // namespace

ValueId named_cast(const ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call) {
  if (const ValueId named = keyword_dtype(index.names(), roles, call); named.valid()) return named;
  const auto named = std::ranges::find_if(call.positional, [&](ValueId v) {
    return values[v].kind == ValueKind::External &&
           roles.play(index.names().text(Symbol{values[v].a}), Role::NumberType);
  });
  return named == call.positional.end() ? ValueId{} : *named;
}

std::string_view type_in_tensors(const Roles& roles, Builtin type) {
  const RoleEntry* entry = roles.find(name_of(type), Role::TypeInTensors);
  return entry ? std::string_view(entry->note) : std::string_view();
}

ValueId moved_or_cast(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                      ValueId tensor) {
  const ValueId type = named_cast(values, index, roles, call);
  const uint32_t method = values[call.callee].a;
  return type.valid() ? values.node(ValueKind::Pure, {{tensor, type}}, method)
                      : values.node(ValueKind::Pure, {{tensor}}, method);
}

bool keeps_ranks(const Roles& roles, std::string_view method) {
  if (roles.play(method, Role::MovesOrCasts) || roles.play(method, Role::KeepsTensor)) return true;
  const RoleEntry* casts = roles.find(method, Role::CastsTensor);
  return casts && !casts->note.empty();  // `x.type()` may ask for the type, as `type(x)` does
}

ValueId make_tensor(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                    const std::function<SiteId()>& site) {
  return Maker(values, index, roles, call, site).run();
}

}  // namespace ranklint
