// The ends as sums of products; a product that both have in equal number does not count. So (r + 1) * n - r * n is n.
#include "analyzer/summary/spans.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ranklint {
namespace {

constexpr int kDeepestSum = 8;
constexpr size_t kMostProducts = 24;

using Product = std::vector<ValueId>;  // its factors, sorted

class Polynomial {
 public:
  static Polynomial of(ValueId factor) { return Polynomial({{Product{factor}, 1}}); }
  static Polynomial of(int64_t number) { return Polynomial({{Product{}, number}}); }

  const std::map<Product, int64_t>& terms() const { return terms_; }

  bool add(const Polynomial& other, int64_t factor) {
    for (const auto& [product, count] : other.terms_)
      if (!add(product, count, factor)) return false;
    return true;
  }

  std::optional<Polynomial> times(const Polynomial& other) const {
    Polynomial result({});
    for (const auto& [left, count] : terms_)
      for (const auto& [right, factor] : other.terms_) {
        Product both = left;
        both.insert(both.end(), right.begin(), right.end());
        std::sort(both.begin(), both.end());
        if (!result.add(both, count, factor)) return std::nullopt;
      }
    return result;
  }

 private:
  explicit Polynomial(std::map<Product, int64_t> terms) : terms_(std::move(terms)) {}

  bool add(const Product& product, int64_t count, int64_t factor) {
    int64_t more;
    int64_t& mine = terms_[product];
    if (__builtin_mul_overflow(count, factor, &more) || __builtin_add_overflow(mine, more, &mine)) return false;
    if (mine == 0) terms_.erase(product);
    return terms_.size() <= kMostProducts;
  }

  std::map<Product, int64_t> terms_;
};

std::optional<Polynomial> polynomial(const ValueStore& values, ValueId v, int depth) {
  int64_t number;
  if (values.integer_of(v, number)) return Polynomial::of(number);
  const Value& value = values[v];
  if (value.kind != ValueKind::Binary || depth > kDeepestSum) return Polynomial::of(v);
  const bool sums = value.op == ir::Operator::Add || value.op == ir::Operator::Subtract;
  if (!sums && value.op != ir::Operator::Multiply) return Polynomial::of(v);
  std::optional<Polynomial> left = polynomial(values, values.child(v, 0), depth + 1);
  const std::optional<Polynomial> right = polynomial(values, values.child(v, 1), depth + 1);
  if (!left || !right) return std::nullopt;
  if (!sums) return left->times(*right);
  return left->add(*right, value.op == ir::Operator::Add ? 1 : -1) ? left : std::nullopt;
}

}  // namespace

// One thing alone, compared with a number, may be a code or a direction: only products are extents then.
ExtentOrder order_of_extents(const ValueStore& values, ValueId left, ValueId right) {
  int64_t number;
  const size_t fewest = values.integer_of(left, number) || values.integer_of(right, number) ? 2 : 1;
  std::optional<Polynomial> difference = polynomial(values, left, 0);
  const std::optional<Polynomial> other = polynomial(values, right, 0);
  if (!difference || !other || !difference->add(*other, -1)) return {};
  bool has_positive = false, has_negative = false;
  int64_t constant = 0;
  for (const auto& [product, count] : difference->terms()) {
    if (product.empty()) {
      constant = count;
      continue;
    }
    if (product.size() < fewest) return {};
    has_positive |= count > 0;
    has_negative |= count < 0;
  }
  return {.is_below = !has_positive && constant < 0,
          .is_at_most = !has_positive && constant <= 0,
          .is_at_least = !has_negative && constant >= 0,
          .is_above = !has_negative && constant > 0};
}

ValueId span_of(ValueStore& values, ValueId from, ValueId to, Symbol name) {
  if (!values.diverges(from) || !values.diverges(to)) return {};
  std::optional<Polynomial> span = polynomial(values, to, 0);
  const std::optional<Polynomial> start = polynomial(values, from, 0);
  if (!span || !start || !span->add(*start, -1)) return {};
  std::vector<ValueId> parts;
  for (const auto& [product, count] : span->terms()) {
    if (std::any_of(product.begin(), product.end(), [&](ValueId factor) { return values.diverges(factor); })) return {};
    parts.push_back(values.integer(count));
    parts.insert(parts.end(), product.begin(), product.end());
  }
  if (parts.size() == 2 && span->terms().begin()->second == 1) return parts[1];
  return values.node(ValueKind::Pure, parts, name.index);
}

}  // namespace ranklint
