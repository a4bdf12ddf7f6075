#include "analyzer/execution/sizes.h"

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/tensors.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr int kDeepestSize = 10;

struct Sum {
  std::map<ValueId, int64_t> terms;  // factors, none of them 0
  int64_t constant = 0;

  bool add(const Sum& other, int64_t factor) {
    int64_t part;
    if (__builtin_mul_overflow(other.constant, factor, &part) || __builtin_add_overflow(constant, part, &constant))
      return false;
    for (const auto& [term, count] : other.terms) {
      int64_t& mine = terms[term];
      if (__builtin_mul_overflow(count, factor, &part) || __builtin_add_overflow(mine, part, &mine)) return false;
      if (mine == 0) terms.erase(term);
    }
    return true;
  }
};

struct Shape {
  ValueId dtype;                          // invalid: not known
  std::vector<std::optional<Sum>> sizes;  // of the leading dimensions
  bool open = false;                      // further dimensions are not known
};

class Sizes {
 public:
  explicit Sizes(const Query& query) : in_(query), values_(query.values()) {}

  std::optional<SizeDifference> compare(ValueId a, ValueId b) {
    const std::optional<Shape> first = shape_of(a), second = shape_of(b);
    if (!first || !second) return std::nullopt;
    if (std::optional<SizeDifference> found = compare_types(first->dtype, second->dtype)) return found;
    if (first->open != second->open || first->sizes.size() != second->sizes.size()) return std::nullopt;
    std::optional<SizeDifference> found;
    for (size_t d = 0; d < first->sizes.size(); ++d) {
      if (!first->sizes[d] || !second->sizes[d]) return std::nullopt;
      std::optional<SizeDifference> here = compare_sums(*first->sizes[d], *second->sizes[d]);
      if (here && found) return std::nullopt;  // 2 by 3 against 3 by 2: as many elements
      if (here)
        found = std::move(here);
      else if (!(equal(*first->sizes[d], *second->sizes[d])))
        return std::nullopt;
    }
    return found;
  }

  std::optional<SizeDifference> compare_counts(ValueId a, ValueId b) {
    const std::optional<Sum> first = sum_of(a, 0), second = sum_of(b, 0);
    return first && second ? compare_sums(*first, *second) : std::nullopt;
  }

 private:
  std::optional<SizeDifference> compare_types(ValueId a, ValueId b) {
    const std::string_view first = type_name(a), second = type_name(b);
    if (first.empty() || second.empty() || first == second) return std::nullopt;
    // The default may be set to any floating type.
    if ((is_default(a) && !is_whole(b)) || (is_default(b) && !is_whole(a))) return std::nullopt;
    return SizeDifference{std::string(first), std::string(second), Confidence::Certain};
  }

  std::string_view external_name(ValueId v) const { return in_.index().names().text(Symbol{values_[v].a}); }
  bool is_default(ValueId type) const { return external_name(type) == type_in_tensors(in_.roles(), Builtin::Float); }
  bool is_whole(ValueId type) const { return in_.roles().play(external_name(type), Role::WholeNumberType); }

  // "float32"; empty for what is no type for sure.
  std::string_view type_name(ValueId v) {
    if (!v.valid() || values_[v].kind != ValueKind::External) return {};
    const std::string_view name = external_name(v);
    const RoleEntry* entry = in_.roles().find(name, Role::NumberType);
    return entry ? last_part(entry->note.empty() ? name : entry->note) : std::string_view();
  }

  static bool equal(const Sum& a, const Sum& b) { return a.constant == b.constant && a.terms == b.terms; }

  std::optional<SizeDifference> compare_sums(const Sum& a, const Sum& b) {
    Sum difference = a;
    if (!difference.add(b, -1) || difference.terms.size() > 1) return std::nullopt;
    if (difference.terms.empty() == (difference.constant == 0)) return std::nullopt;
    return SizeDifference{text(a), text(b), difference.terms.empty() ? Confidence::High : Confidence::Likely};
  }

  std::string text(const Sum& sum) {
    std::string out;
    for (const auto& [term, factor] : sum.terms) {
      std::string name = in_.source_text(term);
      if (name.empty()) name = "...";
      const int64_t count = factor < 0 ? -factor : factor;
      out += out.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
      out += count == 1 ? name : std::to_string(count) + " * " + name;
    }
    if (out.empty()) return std::to_string(sum.constant);
    if (sum.constant)
      out += (sum.constant < 0 ? " - " : " + ") + std::to_string(sum.constant < 0 ? -sum.constant : sum.constant);
    return out;
  }

  std::optional<Shape> shape_of(ValueId v) {
    if (values_[v].kind == ValueKind::Tensor) {
      Shape shape;
      shape.dtype = values_.child(v, 0);
      for (ValueId size : values_.children(v).subspan(1)) shape.sizes.push_back(sum_of(size, 0));
      shape.open = shape.sizes.empty();
      return shape;
    }
    if (values_[v].kind == ValueKind::Subscript) return shape_of_part(values_.child(v, 0), values_.child(v, 1));
    if (values_[v].kind == ValueKind::Pure && values_[v].child_count > 0) return shape_of_cast(v);
    return std::nullopt;
  }

  // `x.float()`, `x.to(torch.float16)`: the type is known though x may not be.
  std::optional<Shape> shape_of_cast(ValueId v) {
    const std::string_view method = in_.index().names().text(Symbol{values_[v].a});
    if (!keeps_ranks(in_.roles(), method)) return std::nullopt;
    Shape shape = shape_of(values_.child(v, 0)).value_or(Shape{.dtype = {}, .sizes = {}, .open = true});
    const RoleEntry* casts = in_.roles().find(method, Role::CastsTensor);
    if (values_[v].child_count > 1)
      shape.dtype = values_.child(v, 1);
    else if (casts && !casts->note.empty())
      shape.dtype = values_.leaf(ValueKind::External, in_.index().intern(casts->note).index);
    else if (!in_.roles().play(method, Role::KeepsTensor))
      shape.dtype = {};  // `x.to(y)` may be of y's type
    return shape;
  }

  // x[a:b], x[:, a:b]: the dimensions that slices are given for.
  std::optional<Shape> shape_of_part(ValueId base, ValueId key) {
    std::vector<ValueId> slices{key};
    if (values_[key].kind == ValueKind::Tuple)
      slices.assign(values_.children(key).begin(), values_.children(key).end());
    Shape shape;
    if (values_[base].kind == ValueKind::Tensor)
      shape = *shape_of(base);
    else
      shape.open = true;
    for (size_t d = 0; d < slices.size(); ++d) {
      if (!is_slice(slices[d])) return std::nullopt;
      if (shape.sizes.size() <= d && !shape.open) return std::nullopt;
      const Sum whole = whole_size(shape, base, d);
      if (shape.sizes.size() <= d) shape.sizes.resize(d + 1);
      shape.sizes[d] = size_of_slice(slices[d], whole);
    }
    return shape;
  }

  bool is_slice(ValueId v) const {
    return is_call_of(values_, in_.index(), v, Builtin::Slice) && values_[v].child_count == 3;
  }

  Sum whole_size(const Shape& shape, ValueId base, size_t dimension) {
    if (dimension < shape.sizes.size() && shape.sizes[dimension]) return *shape.sizes[dimension];
    const ValueId size =
        derive(values_, in_.index(), Derived::Dimension, {{base, values_.integer(static_cast<int64_t>(dimension))}});
    return Sum{{{size, 1}}, 0};
  }

  std::optional<Sum> size_of_slice(ValueId slice, const Sum& whole) {
    const auto ends = values_.children(slice);
    if (values_[ends[2]].kind != ValueKind::None) return std::nullopt;
    const std::optional<Sum> from = bound(ends[0], Sum{}, whole), to = bound(ends[1], whole, whole);
    if (!from || !to) return std::nullopt;
    Sum size = *to;
    if (!size.add(*from, -1)) return std::nullopt;
    return size;
  }

  // Where a slice begins or ends; a negative number counts from the end.
  std::optional<Sum> bound(ValueId v, const Sum& absent, const Sum& whole) {
    if (values_[v].kind == ValueKind::None) return absent;
    std::optional<Sum> sum = sum_of(v, 0);
    if (sum && sum->terms.empty() && sum->constant < 0 && !sum->add(whole, 1)) return std::nullopt;
    return sum;
  }

  std::optional<Sum> sum_of(ValueId v, int depth) {
    int64_t number;
    if (values_.integer_of(v, number)) return Sum{{}, number};
    const Value& value = values_[v];
    if (depth > kDeepestSize || value.kind == ValueKind::Conditional) return std::nullopt;
    if (value.kind == ValueKind::Binary) {
      const std::optional<Sum> left = sum_of(values_.child(v, 0), depth + 1),
                               right = sum_of(values_.child(v, 1), depth + 1);
      if (!left || !right) return std::nullopt;
      Sum sum;
      switch (value.op) {
        case ir::Operator::Add: return sum.add(*left, 1) && sum.add(*right, 1) ? std::optional(sum) : std::nullopt;
        case ir::Operator::Subtract:
          return sum.add(*left, 1) && sum.add(*right, -1) ? std::optional(sum) : std::nullopt;
        case ir::Operator::Multiply:
          if (left->terms.empty()) return sum.add(*right, left->constant) ? std::optional(sum) : std::nullopt;
          if (right->terms.empty()) return sum.add(*left, right->constant) ? std::optional(sum) : std::nullopt;
          break;
        default: break;
      }
    }
    return Sum{{{v, 1}}, 0};
  }

  const Query& in_;
  ValueStore& values_;
};

}  // namespace

std::optional<SizeDifference> size_difference(const Query& query, ValueId a, ValueId b) {
  return Sizes(query).compare(a, b);
}

std::optional<SizeDifference> count_difference(const Query& query, ValueId a, ValueId b) {
  return Sizes(query).compare_counts(a, b);
}

}  // namespace ranklint
