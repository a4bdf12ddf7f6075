#include "analyzer/summary/tensors.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"

namespace ranklint {
namespace {

// torch.zeros(2, 3) and torch.zeros((2, 3)); x.new_zeros likewise.
constexpr std::array<std::string_view, 5> kFromSizes{"zeros", "ones", "empty", "rand", "randn"};
constexpr std::array<std::string_view, 6> kLike{"zeros_like", "ones_like",  "empty_like",
                                                "rand_like",  "randn_like", "full_like"};
constexpr std::array<std::string_view, 6> kSameAgain{"clone", "contiguous", "detach", "cuda", "cpu", "requires_grad_"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCasts{{
    {"float", "torch.float32"},
    {"half", "torch.float16"},
    {"bfloat16", "torch.bfloat16"},
    {"double", "torch.float64"},
    {"long", "torch.int64"},
    {"int", "torch.int32"},
}};

class Maker {
 public:
  Maker(ValueStore& values, const ProjectIndex& index, const Call& call, const std::function<SiteId()>& site)
      : values_(values), index_(index), names_(index.names()), call_(call), site_(site) {}

  ValueId run() {
    const Value& callee = values_[call_.callee];
    if (call_.open_ended) return {};
    if (callee.kind == ValueKind::External) {
      const std::string_view name = names_.text(Symbol{callee.a});
      return name.starts_with("torch.") ? by_function(name.substr(6)) : ValueId{};
    }
    if (callee.kind == ValueKind::Attribute)
      return by_method(names_.text(Symbol{callee.a}), values_.child(call_.callee, 0));
    return {};
  }

 private:
  ValueId by_function(std::string_view name) {
    if (among(name, kFromSizes)) return tensor(dtype(), sizes(call_.positional));
    if (name == "full" && call_.positional.size() == 2) return tensor(dtype(), sizes({call_.positional[0]}));
    if (name == "arange" && call_.positional.size() == 1) return tensor(dtype(), {call_.positional[0]});
    if (among(name, kLike) && !call_.positional.empty()) return again(call_.positional[0], dtype());
    return {};
  }

  ValueId by_method(std::string_view name, ValueId base) {
    if (name.starts_with("new_") && among(name.substr(4), kFromSizes)) {
      const ValueId given = dtype();
      return tensor(given.valid() ? given : dtype_of(base), sizes(call_.positional));
    }
    if (among(name, kSameAgain)) return again(base, {});
    for (const auto& [method, to] : kCasts)
      if (name == method) return again(base, external(to));
    if (name == "to") return again(base, dtype().valid() ? dtype() : converted());
    return {};
  }

  // `x.to("cuda")` keeps the type, `x.to(torch.float16)` changes it, `x.to(y)` does whatever y says.
  ValueId converted() {
    for (ValueId v : call_.positional)
      if (is_dtype(v)) return v;
    const bool device = call_.positional.empty() || values_[call_.positional[0]].kind == ValueKind::Text;
    return device ? ValueId{} : values_.none();
  }

  bool is_dtype(ValueId v) {
    return values_[v].kind == ValueKind::External && names_.text(Symbol{values_[v].a}).starts_with("torch.");
  }

  ValueId external(std::string_view name) { return values_.leaf(ValueKind::External, index_.spell(name).index); }

  ValueId dtype() {
    for (const auto& [keyword, v] : call_.keywords)
      if (names_.text(keyword) == "dtype") return v;
    return {};
  }

  ValueId dtype_of(ValueId base) {
    return values_[base].kind == ValueKind::Tensor ? values_.child(base, 0) : ValueId{};
  }

  std::vector<ValueId> sizes(std::vector<ValueId> given) {
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
  const SymbolTable& names_;
  const Call& call_;
  const std::function<SiteId()>& site_;
};

}  // namespace

bool keeps_ranks(std::string_view method) {
  return method == "to" || among(method, kSameAgain) ||
         std::any_of(kCasts.begin(), kCasts.end(), [&](const auto& cast) { return cast.first == method; });
}

ValueId make_tensor(ValueStore& values, const ProjectIndex& index, const Call& call,
                    const std::function<SiteId()>& site) {
  return Maker(values, index, call, site).run();
}

}  // namespace ranklint
