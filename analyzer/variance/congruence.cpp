#include "analyzer/variance/congruence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/base/work_limit.h"
#include "analyzer/variance/difference_bounds.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

using ir::Operator;
using NodeId = uint32_t;

constexpr size_t kMostNodes = 400;
constexpr int kMostPasses = 24;  // each of which makes at least one class of two, or one truth known
constexpr size_t kMostNumbers = 48;

bool is_identity(Operator op) { return op == Operator::Is || op == Operator::IsNot; }
bool is_affirmative(Operator op) { return op == Operator::Equal || op == Operator::Is; }
bool is_symmetric(Operator op) {
  return is_equality(op) || is_identity(op) || op == Operator::Add || op == Operator::Multiply;
}

// Everything known of a class of equal terms.
struct Class {
  std::optional<bool> truth;
  ValueId constant;  // invalid: none is known
  bool not_none = false;
};

class Closure {
 public:
  explicit Closure(ValueStore& values) : values_(values) {}

  bool holds(std::span<const TermLiteral> atoms, std::span<const TermLiteral> asked) {
    for (const TermLiteral& atom : atoms) {
      const NodeId node = add(atom.term, atom.viewer);
      set_truth(node, atom.holds);
      note_computed(node);
    }
    for (const TermLiteral& literal : asked)
      if (nodes_.size() < kMostNodes / 2) add(literal.term, literal.viewer);
    for (int pass = 0; pass < kMostPasses && !contradicts_ && nodes_.size() <= kMostNodes; ++pass) {
      changed_ = false;
      evaluate();
      match_calls();
      apply_truths();
      compare_numbers();
      check_differing();
      if (!changed_) break;
    }
    return !contradicts_;
  }

  std::optional<bool> answer(const TermLiteral& literal) const {
    for (const uint8_t viewer : {literal.viewer, uint8_t{0}})
      if (const auto found = ids_.find({literal.term, viewer}); found != ids_.end())
        if (const std::optional<bool> truth = class_of(found->second).truth) return *truth == literal.holds;
    return std::nullopt;
  }

 private:
  struct Node {
    ValueId term;
    uint8_t viewer = 0;
    NodeId parent = 0;  // of the forest of classes; itself: it stands for its class
    std::vector<NodeId> children;
    Class known;             // where it stands for its class
    ValueId evaluated = {};  // to what it was folded last
    bool is_noted = false;   // see note_computed
  };

  NodeId find(NodeId n) const {
    while (nodes_[n].parent != n) n = nodes_[n].parent;
    return n;
  }
  const Class& class_of(NodeId n) const { return nodes_[find(n)].known; }
  const Value& value(NodeId n) const { return values_[nodes_[n].term]; }
  bool is_distinct(ValueId v) const {
    return (values_.is_constant(v) && values_[v].kind != ValueKind::Tuple) || values_[v].kind == ValueKind::Class;
  }

  bool is_own(ValueId term) const { return values_[term].local || values_[term].of_batch; }

  // `in_own`: a part of what is each rank's own although none of its parts is known to be. The length of a batch counts
  // as shared until it is compared with zero.
  NodeId add(ValueId term, uint8_t viewer, bool in_own = false) {
    const Value v = values_[term];
    const uint8_t seen_by = in_own || is_own(term) ? viewer : uint8_t{0};
    const auto [place, added] = ids_.try_emplace({term, seen_by}, static_cast<NodeId>(nodes_.size()));
    const NodeId id = place->second;
    if (!added) return id;
    charge_work();
    nodes_.push_back({.term = term, .viewer = seen_by, .parent = id, .children = {}, .known = {}});
    changed_ = true;
    if (nodes_.size() > kMostNodes) return id;
    std::vector<NodeId> children;
    const bool hides = in_own || (is_own(term) && std::ranges::none_of(values_.children(term),
                                                                       [&](ValueId part) { return is_own(part); }));
    for (uint32_t i = 0; i < v.child_count; ++i) children.push_back(add(values_.child(term, i), viewer, hides));
    nodes_[id].children = std::move(children);
    Class& known = nodes_[id].known;
    if (is_distinct(term)) known.constant = term;
    known.not_none = values_.surely_not_none(term);
    if (const auto truth = values_.truth(term); truth != ValueStore::Truth::Unknown)
      known.truth = truth == ValueStore::Truth::Yes;
    return id;
  }

  void set_truth(NodeId n, bool truth) {
    Class& known = nodes_[find(n)].known;
    if (known.truth) {
      contradicts_ = contradicts_ || *known.truth != truth;
      return;
    }
    known.truth = truth;
    changed_ = true;
    if (truth) set_not_none(n);
  }

  void set_not_none(NodeId n) {
    Class& known = nodes_[find(n)].known;
    if (known.constant.valid() && values_[known.constant].kind == ValueKind::None) contradicts_ = true;
    changed_ = changed_ || !known.not_none;
    known.not_none = true;
  }

  bool are_different_constants(ValueId x, ValueId y) const {
    double a = 0, b = 0;
    return x != y && !(values_.number_of(x, a) && values_.number_of(y, b) && a == b);
  }

  void merge(NodeId a, NodeId b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);
    nodes_[b].parent = a;
    changed_ = true;
    const Class other = nodes_[b].known;
    Class& known = nodes_[a].known;
    if (known.constant.valid() && other.constant.valid() && are_different_constants(known.constant, other.constant))
      contradicts_ = true;
    if (!known.constant.valid()) known.constant = other.constant;
    if (other.truth) set_truth(a, *other.truth);
    if (other.not_none || known.not_none) set_not_none(a);
  }

  // What is asked for an attribute, computed with or ordered is not None: for None that raises.
  void note_computed(NodeId n) {
    if (std::exchange(nodes_[n].is_noted, true)) return;
    const Value& v = value(n);
    const bool computes = v.kind == ValueKind::Binary && !is_equality(v.op) && !is_identity(v.op) &&
                          v.op != Operator::In && v.op != Operator::NotIn;
    const bool asks = v.kind == ValueKind::Attribute || v.kind == ValueKind::Subscript;
    if (asks && !nodes_[n].children.empty()) set_not_none(nodes_[n].children[0]);
    if (computes)
      for (const NodeId side : nodes_[n].children) set_not_none(side);
    if (asks || v.kind == ValueKind::Binary || v.kind == ValueKind::Unary || v.kind == ValueKind::Pure)
      for (const NodeId part : std::vector(nodes_[n].children)) note_computed(part);
  }

  // A term whose parts are known is what it folds to.
  void evaluate() {
    for (NodeId n = 0; n < nodes_.size() && nodes_.size() <= kMostNodes; ++n) {
      if (value(n).kind == ValueKind::Conditional) choose_side(n);
      if (!is_computed(value(n).kind)) continue;
      std::vector<ValueId> parts;
      for (const NodeId child : nodes_[n].children) {
        const ValueId constant = class_of(child).constant;
        parts.push_back(constant.valid() ? constant : nodes_[child].term);
      }
      const ValueId made = with_parts(values_, nodes_[n].term, parts);
      if (made == nodes_[n].term || made == nodes_[n].evaluated) continue;
      nodes_[n].evaluated = made;
      merge(n, add(made, nodes_[n].viewer));
    }
  }

  static bool is_computed(ValueKind kind) {
    return kind == ValueKind::Unary || kind == ValueKind::Binary || kind == ValueKind::Pure ||
           kind == ValueKind::Subscript;
  }

  void choose_side(NodeId choice) {
    const std::vector<NodeId>& parts = nodes_[choice].children;
    if (parts.size() != 3) return;
    if (const std::optional<bool> truth = class_of(parts[0]).truth) merge(choice, parts[*truth ? 1 : 2]);
  }

  void match_calls() {
    std::map<std::vector<uint32_t>, NodeId> known;
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].children.empty()) continue;
      const Value& v = value(n);
      std::vector<uint32_t> arguments;
      for (const NodeId child : nodes_[n].children) arguments.push_back(find(child));
      if (v.kind == ValueKind::Binary && is_symmetric(v.op)) std::ranges::sort(arguments);
      arguments.insert(arguments.end(), {static_cast<uint32_t>(v.kind), static_cast<uint32_t>(v.op), v.a, v.b, v.c});
      const auto [place, added] = known.try_emplace(std::move(arguments), n);
      if (!added) merge(place->second, n);
    }
  }

  void apply_truths() {
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      const Value& v = value(n);
      const std::vector<NodeId>& parts = nodes_[n].children;
      if (v.kind == ValueKind::Binary && parts.size() == 2 && (is_equality(v.op) || is_identity(v.op)))
        apply_equality(n, v.op);
      else if (v.kind == ValueKind::Unary && v.op == Operator::Not && !parts.empty())
        apply_negation(n);
      else if (counts_elements(n))
        apply_length(n);
    }
  }

  bool counts_elements(NodeId n) const {
    return nodes_[n].children.size() == 1 && values_.is_result_of(nodes_[n].term, ValueStore::Trait::CountsElements);
  }

  void apply_equality(NodeId n, Operator op) {
    const NodeId left = nodes_[n].children[0], right = nodes_[n].children[1];
    if (left == right) return;  // `x != x`, which folding left open, asks whether a measured `x` is a number
    const bool affirms = is_affirmative(op);
    if (find(left) == find(right) && (is_equality(op) || class_of(left).constant.valid())) return set_truth(n, affirms);
    if (is_none(left) && class_of(right).not_none) return set_truth(n, !affirms);
    if (is_none(right) && class_of(left).not_none) return set_truth(n, !affirms);
    const std::optional<bool> truth = class_of(n).truth;
    if (truth && *truth == affirms) return merge(left, right);
    // Two things that are not one may be equal, but not where one of them is None, true or false.
    if (truth && (is_equality(op) || is_singleton(left) || is_singleton(right))) differing_.insert({left, right});
  }

  bool is_none(NodeId n) const {
    const ValueId constant = class_of(n).constant;
    return constant.valid() && values_[constant].kind == ValueKind::None;
  }
  bool is_singleton(NodeId n) const {
    const ValueId constant = class_of(n).constant;
    return is_none(n) || (constant.valid() && values_[constant].kind == ValueKind::Bool);
  }

  void apply_negation(NodeId n) {
    const NodeId inner = nodes_[n].children[0];
    if (const std::optional<bool> truth = class_of(n).truth) return set_truth(inner, !*truth);
    if (const std::optional<bool> truth = class_of(inner).truth) set_truth(n, !*truth);
  }

  // What has no elements is false, and what has some is true.
  void apply_length(NodeId n) {
    const NodeId of = nodes_[n].children[0];
    if (const std::optional<bool> truth = class_of(of).truth)
      return *truth ? set_truth(n, true) : merge(n, add(values_.integer(0), 0));
    if (const std::optional<bool> truth = class_of(n).truth) set_truth(of, *truth);
  }

  void check_differing() {
    for (const auto& [x, y] : differing_) contradicts_ = contradicts_ || find(x) == find(y);
  }

  // Orders, sums with a constant and lengths, as differences between classes of numbers.
  void compare_numbers();
  void add_differences(NodeId n, DifferenceBounds& bounds);
  void conclude_numbers(const DifferenceBounds& bounds);
  std::optional<size_t> number(NodeId n) const {
    const auto found = numbers_.find(find(n));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<double> constant_number(NodeId n) const {
    double out = 0;
    const ValueId constant = class_of(n).constant;
    return constant.valid() && values_.number_of(constant, out) ? std::optional(out) : std::nullopt;
  }
  bool is_number(NodeId n) const {
    const Value& v = value(n);
    return v.kind == ValueKind::Binary && (is_order(v.op) || v.op == Operator::Add || v.op == Operator::Subtract) &&
           nodes_[n].children.size() == 2;
  }

  ValueStore& values_;
  std::vector<Node> nodes_;
  std::map<std::pair<ValueId, uint8_t>, NodeId> ids_;
  std::set<std::pair<NodeId, NodeId>> differing_;
  std::map<NodeId, size_t> numbers_;  // of classes, their place among the numbers; place 0 is zero
  bool changed_ = false, contradicts_ = false;
};

void Closure::compare_numbers() {
  numbers_.clear();
  std::vector<NodeId> relations;
  const auto count = [&](NodeId n) { numbers_.try_emplace(find(n), numbers_.size() + 1); };
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    if (!is_number(n)) continue;
    relations.push_back(n);
    for (const NodeId side : nodes_[n].children) count(side);
    if (!is_order(value(n).op)) count(n);
  }
  for (const auto& [x, y] : differing_)
    for (const NodeId side : {x, y})
      if (constant_number(side)) count(side);
  if (relations.empty() || numbers_.size() >= kMostNumbers) return;
  DifferenceBounds bounds(numbers_.size() + 1);
  for (const auto& [node, place] : numbers_)
    if (const std::optional<double> constant = constant_number(node)) {
      bounds.add(place, 0, *constant, false);
      bounds.add(0, place, -*constant, false);
    }
  for (const NodeId n : relations) add_differences(n, bounds);
  for (NodeId n = 0; n < nodes_.size(); ++n)
    if (const std::optional<size_t> place = number(n); place && counts_elements(n)) bounds.add(0, *place, 0, false);
  if (!bounds.close())
    contradicts_ = true;
  else
    conclude_numbers(bounds);
}

void Closure::add_differences(NodeId n, DifferenceBounds& bounds) {
  const Operator op = value(n).op;
  const NodeId left = nodes_[n].children[0], right = nodes_[n].children[1];
  if (!is_order(op)) {
    if (const std::optional<double> offset = constant_number(right)) {
      const double sum = op == Operator::Add ? *offset : -*offset;
      bounds.add(*number(n), *number(left), sum, false);
      bounds.add(*number(left), *number(n), -sum, false);
    }
    return;
  }
  const std::optional<bool> truth = class_of(n).truth;
  if (!truth) return;
  const bool less = op == Operator::Less || op == Operator::LessEqual;
  const bool strict = (op == Operator::Less || op == Operator::Greater) == *truth;
  // `not a < b` is `a >= b`.
  const bool left_is_lower = less == *truth;
  bounds.add(*number(left_is_lower ? left : right), *number(left_is_lower ? right : left), 0, strict);
}

void Closure::conclude_numbers(const DifferenceBounds& bounds) {
  for (const auto& [x, y] : differing_) {
    const auto a = number(x), b = number(y);
    if (a && b && bounds.is_at_most(*a, *b, 0) && bounds.is_at_most(*b, *a, 0)) contradicts_ = true;
  }
  const std::map<NodeId, size_t> numbers = numbers_;
  for (const auto& [node, place] : numbers) {
    const bool is_positive = bounds.is_less_than(0, place, 0), is_negative = bounds.is_less_than(place, 0, 0);
    if (is_positive || is_negative)
      set_truth(node, true);
    else if (bounds.is_at_most(place, 0, 0) && bounds.is_at_most(0, place, 0))
      set_truth(node, false);
    // A number that is false is zero.
    if (class_of(node).truth == false) merge(node, add(values_.integer(0), 0));
  }
}

}  // namespace

Congruence find_congruence(ValueStore& values, std::span<const TermLiteral> atoms, std::span<const TermLiteral> asked) {
  Closure closure(values);
  Congruence out{.holds = closure.holds(atoms, asked), .answers = {}};
  for (const TermLiteral& literal : asked) out.answers.push_back(closure.answer(literal));
  return out;
}

}  // namespace ranklint
