#include "analyzer/summary/tensors.h"

namespace ranklint {
namespace {

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
    if (roles_.play(name, Role::MakesTensor)) return tensor(dtype(), sizes(call_.positional));
    if (roles_.play(name, Role::FillsTensor) && given == 2)
      return tensor(dtype(), sizes(std::span(call_.positional).first(1)));
    if (roles_.play(name, Role::CountsIntoTensor) && given == 1) return tensor(dtype(), {call_.positional[0]});
    // Of a list that is a share of this rank's: as long as that is.
    if (roles_.play(name, Role::MakesOfData) && given > 0 && values_.is_uneven_share(call_.positional[0]))
      return tensor(dtype(), {values_.node(ValueKind::Pure, {{call_.positional[0]}}, index_.intern("len").index)});
    if (roles_.play(name, Role::MakesTensorLike) && given > 0) return again(call_.positional[0], dtype());
    return {};
  }

  ValueId by_method(std::string_view name, ValueId base) {
    if (roles_.play(name, Role::MakesTensorBeside)) {
      const ValueId given = dtype();
      return tensor(given.valid() ? given : dtype_of(base), sizes(call_.positional));
    }
    if (roles_.play(name, Role::KeepsTensor)) return again(base, {});
    if (const RoleEntry* casts = roles_.find(name, Role::CastsTensor); casts && !casts->note.empty())
      return again(base, external(casts->note));
    if (name == "to") return again(base, dtype().valid() ? dtype() : converted());
    return {};
  }

  // `x.to("cuda")` keeps the type, `x.to(torch.float16)` changes it, `x.to(y)` does as y says.
  ValueId converted() {
    for (ValueId v : call_.positional)
      if (is_dtype(v)) return v;
    const bool device = call_.positional.empty() || values_[call_.positional[0]].kind == ValueKind::Text;
    return device ? ValueId{} : values_.none();
  }

  bool is_dtype(ValueId v) {
    return values_[v].kind == ValueKind::External && roles_.play(names_.text(Symbol{values_[v].a}), Role::NumberType);
  }

  ValueId external(std::string_view name) { return values_.leaf(ValueKind::External, index_.intern(name).index); }

  ValueId dtype() {
    for (const auto& [keyword, v] : call_.keywords)
      if (names_.text(keyword) == "dtype") return v;
    return {};
  }

  ValueId dtype_of(ValueId base) {
    return values_[base].kind == ValueKind::Tensor ? values_.child(base, 0) : ValueId{};
  }

  std::vector<ValueId> sizes(std::span<const ValueId> of_call) {
    std::vector<ValueId> given(of_call.begin(), of_call.end());
    for (const auto& [keyword, v] : call_.keywords)
      if (names_.text(keyword) == "size" && given.empty()) given = {v};
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

bool keeps_ranks(const Roles& roles, std::string_view method) {
  if (method == "to" || roles.play(method, Role::KeepsTensor)) return true;
  const RoleEntry* casts = roles.find(method, Role::CastsTensor);
  return casts && !casts->note.empty();  // `x.type()` may ask for the type, as `type(x)` does
}

ValueId make_tensor(ValueStore& values, const ProjectIndex& index, const Roles& roles, const Call& call,
                    const std::function<SiteId()>& site) {
  return Maker(values, index, roles, call, site).run();
}

}  // namespace ranklint
