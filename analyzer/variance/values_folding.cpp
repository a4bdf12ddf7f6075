// Terms that say the same are made the same: what is known in every world is computed, and operations go into the sides
// of a choice, so that `x is not None` after `x = f() if rank == 0 else None` is a condition on the rank.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "analyzer/base/whole_number.h"
#include "analyzer/mesh/world.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/computed.h"
#include "analyzer/variance/each_element.h"
#include "analyzer/variance/known.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/simplify_under.h"
#include "analyzer/variance/terms.h"
#include "analyzer/variance/values.h"

namespace ranklint {

using ir::Operator;

static constexpr int64_t kMostRanksOfJob = 1 << 16;  // no job has more

ValueId ValueStore::asked_by(ValueId v) {
  while (is_result_of(v, Trait::GivesTruth) && values_[v].child_count == 1) v = child(v, 0);
  const bool counts = (is_result_of(v, Trait::CountsElements) && values_[v].child_count > 0 &&
                       !is_result_of(child(v, 0), Trait::TellsForm)) ||
                      is_result_of(v, Trait::TellsSize);
  return counts ? binary(Operator::NotEqual, v, integer(0)) : v;
}

ValueId ValueStore::unary(Operator op, ValueId v) {
  if (op == Operator::Not) {
    v = asked_by(v);
    if (const Truth t = truth(v); t != Truth::Unknown) return boolean(t == Truth::No);
    const Value& value = values_[v];
    if (value.kind == ValueKind::Unary && value.op == Operator::Not) return child(v, 0);
    if (value.kind == ValueKind::Binary) {
      const ValueId left = child(v, 0), right = child(v, 1);
      switch (value.op) {
        case Operator::Equal: return binary(Operator::NotEqual, left, right);
        case Operator::NotEqual: return binary(Operator::Equal, left, right);
        case Operator::Is: return binary(Operator::IsNot, left, right);
        case Operator::IsNot: return binary(Operator::Is, left, right);
        case Operator::In: return binary(Operator::NotIn, left, right);
        case Operator::NotIn: return binary(Operator::In, left, right);
        case Operator::Less: return binary(Operator::GreaterEqual, left, right);
        case Operator::GreaterEqual: return binary(Operator::Less, left, right);
        case Operator::Greater: return binary(Operator::LessEqual, left, right);
        case Operator::LessEqual: return binary(Operator::Greater, left, right);
        default: break;
      }
    }
  }
  int64_t x;
  if (op == Operator::Negate && integer_of(v, x) && x != INT64_MIN) return integer(-x);
  if (op == Operator::Invert && integer_of(v, x)) return integer(~x);
  if (double number; op == Operator::Negate && values_[v].kind == ValueKind::Real && number_of(v, number))
    return real(-number);
  if (op == Operator::Plus) return v;
  return node(ValueKind::Unary, {{v}}, 0, 0, 0, op);
}

template <typename Operation>
ValueId ValueStore::distribute(ValueId choice, Operation operation) {
  const ValueId yes = operation(child(choice, 1)), no = operation(child(choice, 2));
  return conditional(child(choice, 0), yes, no);
}

// What stands for a rank where there is none, -1 mostly, compared with a rank: in a job each has one.
static std::optional<bool> compare_with_no_rank(Operator op, int64_t number) {
  if (number < 0 && (op == Operator::NotEqual || op == Operator::Greater || op == Operator::GreaterEqual)) return true;
  if (number < 0 && (op == Operator::Equal || op == Operator::Less || op == Operator::LessEqual)) return false;
  if (number == 0 && op == Operator::GreaterEqual) return true;
  if (number == 0 && op == Operator::Less) return false;
  return std::nullopt;
}

// `if evaluate == "train":` where `evaluate` is a function: what is written down equals none.
static bool is_definition(ValueKind kind) {
  return kind == ValueKind::Function || kind == ValueKind::Class || kind == ValueKind::Bound ||
         kind == ValueKind::Module;
}

// Whether no small world has a rank outside of the range, and the job may have some.
static bool may_miss_ranks_of_large_job(const NumberRange& range) {
  for (uint32_t rank = 0; rank < World::kMostRanks; ++rank)
    if (!range.contains(rank)) return false;
  return range.step != 1 || range.end < kMostRanksOfJob;
}

// Invalid: it is not known whether it is among them.
static ValueId fold_membership(ValueStore& values, const ProjectIndex& index, Operator op, ValueId item, ValueId list) {
  int64_t number = 0;
  if (const auto range = written_numbers(values, index, list);
      range && values.integer_of(item, number) && !may_miss_ranks_of_large_job(*range))
    return values.boolean(range->contains(number) == (op == Operator::In));
  const std::optional<std::span<const ValueId>> elements = written_elements(values, list);
  if (!elements) return {};
  const auto is_it = [&](ValueId other) {
    double a = 0, b = 0;
    return other == item || (values.number_of(other, a) && values.number_of(item, b) && a == b);
  };
  bool all_known = true;
  for (ValueId other : *elements) {
    if (is_it(other)) return values.boolean(op == Operator::In);
    all_known &= values.is_constant(other) && values.is_constant(item);
  }
  return all_known ? values.boolean(op == Operator::NotIn) : ValueId{};
}

ValueId ValueStore::fold_comparison(Operator op, ValueId left, ValueId right) {
  const Value &l = values_[left], &r = values_[right];
  int64_t x, y;
  // Along other axes than these a process may be no member, and then its number is -1.
  const auto has_one = [&](const Value& v) {
    if (v.kind != ValueKind::Coordinate) return false;
    const AxisSet& axes = axes_[AxesId{v.a}];
    return axes.world || (axes.axes.size() == 1 && axes.axes[0].kind == AxisKind::Local);
  };
  if (has_one(l) && integer_of(right, y))
    if (const auto known = compare_with_no_rank(op, y)) return boolean(*known);
  const bool integers = integer_of(left, x) && integer_of(right, y);
  double u = 0, w = 0;
  const bool numbers = integers || (number_of(left, u) && number_of(right, w));
  const auto order = integers ? std::partial_ordering(x <=> y) : u <=> w;
  const bool identity = op == Operator::Is || op == Operator::IsNot;
  switch (op) {
    case Operator::Equal:
    case Operator::NotEqual:
    case Operator::Is:
    case Operator::IsNot: {
      const bool yes = op == Operator::Equal || op == Operator::Is;
      if (numbers && !identity) return boolean((order == 0) == yes);
      if (left == right && l.kind != ValueKind::Local) return boolean(yes);
      const bool none_left = l.kind == ValueKind::None, none_right = r.kind == ValueKind::None;
      if ((none_left && surely_not_none(right)) || (none_right && surely_not_none(left))) return boolean(!yes);
      if (is_constant(left) && is_constant(right) && l.kind != ValueKind::Tuple && r.kind != ValueKind::Tuple &&
          !(identity && !(none_left || none_right)))
        return boolean(!yes);  // equal constants are one node
      if ((is_definition(l.kind) && is_constant(right)) || (is_definition(r.kind) && is_constant(left)))
        return boolean(!yes);
      break;
    }
    case Operator::Less:
      if (numbers) return boolean(order < 0);
      break;
    case Operator::LessEqual:
      if (numbers) return boolean(order <= 0);
      break;
    case Operator::Greater:
      if (numbers) return boolean(order > 0);
      break;
    case Operator::GreaterEqual:
      if (numbers) return boolean(order >= 0);
      break;
    case Operator::In:
    case Operator::NotIn: return fold_membership(*this, index_, op, left, right);
    default: break;
  }
  return {};
}

// An environment variable that holds a rank is text: `os.environ["RANK"] == "0"`.
ValueId ValueStore::as_number(ValueId text, ValueId beside) {
  text = without_digits(text);
  if (values_[text].kind != ValueKind::Text || values_[beside].kind != ValueKind::Coordinate) return text;
  const std::optional<int64_t> number = whole_number(index_.names().text(Symbol{values_[text].a}));
  return number ? integer(*number) : text;
}

// `os.environ["RANK"] in ("0", "1")`
ValueId ValueStore::as_numbers(ValueId texts, ValueId beside) {
  if (values_[texts].kind != ValueKind::Tuple || values_[beside].kind != ValueKind::Coordinate) return texts;
  std::vector<ValueId> parts;
  for (const ValueId part : children(texts)) parts.push_back(as_number(part, beside));
  return node(ValueKind::Tuple, parts, values_[texts].a);
}

// `node * processes_per_node + local_rank`: the number in the world. Invalid: it is another sum.
ValueId ValueStore::rank_by_node(ValueId offset, ValueId within) {
  const auto is_along = [&](ValueId v, AxisKind axis) {
    const ValueKind kind = values_[v].kind;
    if (kind != ValueKind::Coordinate && kind != ValueKind::Believed) return false;
    const AxisSet& axes = axes_[AxesId{values_[v].a}];
    return !axes.world && axes.axes.size() == 1 && axes.axes[0].kind == axis;
  };
  // What is multiplied is no rank of a process, whatever its name says.
  const auto is_open = [&](ValueId v) {
    return !is_constant(v) && (!diverges(v) || is_along(v, AxisKind::Node) || values_[v].kind == ValueKind::Believed);
  };
  const Value sum = values_[offset], number = values_[within];
  if (!is_along(within, AxisKind::Local) || sum.kind != ValueKind::Binary || sum.op != Operator::Multiply) return {};
  if (number.kind == ValueKind::Believed && number.b != static_cast<uint32_t>(BeliefKind::Coordinate)) return {};
  if (!is_open(child(offset, 0)) || !is_open(child(offset, 1))) return {};
  const AxisSet world{.world = true, .axes = {}};
  if (number.kind == ValueKind::Coordinate) return coordinate(world);
  return node(ValueKind::Believed, {{child(within, 0)}}, intern(world).index, number.b);
}

ValueId ValueStore::binary(Operator op, ValueId left, ValueId right) {
  if (const ValueId folded = fold_text_comparison(op, left, right); folded.valid()) return folded;
  left = without_digits(left);
  right = ir::is_membership(op) ? as_numbers(right, left) : as_number(right, left);
  left = as_number(left, right);
  if (op == Operator::Add)
    for (const bool at_left : {true, false})
      if (const ValueId rank = rank_by_node(at_left ? left : right, at_left ? right : left); rank.valid()) return rank;
  if (ir::is_order(op)) {
    const ValueId limit = limit_by_places(right, left);
    left = limit_by_places(left, right);
    right = limit;
  }
  if (ValueId folded = fold_comparison(op, left, right); folded.valid()) return folded;
  if (ValueId made = computed_of(*this, index_, op, left, right); made.valid()) return made;
  int64_t x, y;
  const bool are_whole = integer_of(left, x) && integer_of(right, y);
  if (are_whole)
    if (const std::optional<int64_t> made = computed(op, x, y)) return integer(*made);
  double u, w;
  if ((!are_whole || op == Operator::Divide) && number_of(left, u) && number_of(right, w))
    if (const std::optional<double> made = computed_real(op, u, w)) return real(*made);
  // A comparison of a choice with a constant is a choice of comparisons: `x is not None` after
  // `x = f() if rank == 0 else None` is exactly `rank == 0 and f() is not None`.
  for (const bool at_left : {true, false}) {
    const ValueId choice = at_left ? left : right, other = at_left ? right : left;
    if (!is_small_choice(choice) || !is_constant(other)) continue;
    return distribute(choice,
                      [&](ValueId side) { return at_left ? binary(op, side, other) : binary(op, other, side); });
  }
  const bool symmetric = op == Operator::Equal || op == Operator::NotEqual || op == Operator::Add ||
                         op == Operator::Multiply || op == Operator::Is || op == Operator::IsNot;
  if (symmetric && is_constant(left) && !is_constant(right)) std::swap(left, right);
  return node(ValueKind::Binary, {{left, right}}, 0, 0, 0, op);
}

// `(a if x else b) if p or x else b` is chosen by `x` alone, and so is `a if p and x else (a if x else b)`. Invalid: it
// is no such choice.
static ValueId chosen_by_part(const ValueStore& values, ValueId condition, ValueId yes, ValueId no) {
  const ValueKind kind = values[condition].kind;
  if (kind != ValueKind::Or && kind != ValueKind::And) return {};
  const bool is_or = kind == ValueKind::Or;
  const ValueId inner = is_or ? yes : no, outer = is_or ? no : yes;
  if (values[inner].kind != ValueKind::Conditional) return {};
  const auto parts = values.children(condition);
  const bool is_part = std::ranges::find(parts, values.child(inner, 0)) != parts.end();
  return is_part && values.child(inner, is_or ? 2 : 1) == outer ? inner : ValueId{};
}

ValueId ValueStore::conditional(ValueId condition, ValueId yes, ValueId no) {
  if (yes == no) return yes;
  switch (truth(condition)) {
    case Truth::Yes: return yes;
    case Truth::No: return no;
    case Truth::Unknown: break;
  }
  // What all ranks agreed on decides what a rank alone had in mind: the other way is not theirs.
  if (!diverges(condition)) {
    if (diverges(yes)) yes = SimplifyUnder(*this, condition, true).simplify(yes);
    if (diverges(no)) no = SimplifyUnder(*this, condition, false).simplify(no);
    if (yes == no) return yes;
  }
  if (const ValueId chosen = chosen_by_part(*this, condition, yes, no); chosen.valid()) return chosen;
  const Value &y = values_[yes], &n = values_[no];
  if (y.kind == ValueKind::Bool && n.kind == ValueKind::Bool) return y.a ? condition : negate(condition);
  if (n.kind == ValueKind::Bool && !n.a) return conjunction(true, std::vector<ValueId>{condition, yes});
  if (n.kind == ValueKind::Bool && n.a)
    return yes == condition ? no : conjunction(false, std::vector<ValueId>{negate(condition), yes});
  if (y.kind == ValueKind::Bool && y.a) return conjunction(false, std::vector<ValueId>{condition, no});
  if (y.kind == ValueKind::Bool && !y.a) return conjunction(true, std::vector<ValueId>{negate(condition), no});
  // `x = None` on one side: the class is that of the other.
  const ClassKey a = class_of(yes), b = class_of(no);
  const ClassKey c = !b.valid() || a == b ? a : !a.valid() ? b : ClassKey{};
  return node(ValueKind::Conditional, {{condition, yes, no}}, 0, 0, 0, Operator::None,
              c.valid() ? type_of_class(c) : 0);
}

ValueId ValueStore::conjunction(bool is_and, std::span<const ValueId> operands) {
  const ValueKind kind = is_and ? ValueKind::And : ValueKind::Or;
  const Truth absorbing = is_and ? Truth::No : Truth::Yes;
  std::vector<ValueId> kept;
  auto add = [&](ValueId v) {
    if (std::find(kept.begin(), kept.end(), v) == kept.end()) kept.push_back(v);
  };
  for (ValueId given : operands) {
    const ValueId operand = asked_by(given);
    const Truth t = truth(operand);
    if (t == absorbing) return boolean(!is_and);
    if (t != Truth::Unknown) continue;
    if (values_[operand].kind == kind) {
      const std::vector<ValueId> inner(children(operand).begin(), children(operand).end());
      for (ValueId v : inner) add(v);
    } else {
      add(operand);
    }
  }
  for (ValueId v : kept)
    if (values_[v].kind == ValueKind::Unary && values_[v].op == Operator::Not &&
        std::find(kept.begin(), kept.end(), child(v, 0)) != kept.end())
      return boolean(!is_and);
  // `(a or b) and a` is `a`.
  const std::vector<ValueId> all = kept;
  std::erase_if(kept, [&](ValueId v) {
    const auto parts = children(v);
    return values_[v].kind == (is_and ? ValueKind::Or : ValueKind::And) &&
           std::any_of(parts.begin(), parts.end(),
                       [&](ValueId part) { return std::find(all.begin(), all.end(), part) != all.end(); });
  });
  if (kept.empty()) return boolean(is_and);
  if (kept.size() == 1) return kept[0];
  return node(kind, kept);
}

// Whether a literal is an instance of one of Python's own types, or of a class of the project, which none is of.
static std::optional<bool> literal_is(const ValueStore& values, const ProjectIndex& index, ValueKind literal,
                                      const Value& type) {
  if (literal != ValueKind::Bool && literal != ValueKind::Integer && literal != ValueKind::Real &&
      literal != ValueKind::Text)
    return std::nullopt;
  if (type.kind == ValueKind::Class) return false;
  if (type.kind != ValueKind::External) return std::nullopt;
  const std::string_view name = index.names().text(Symbol{type.a});
  if (is_builtin(name, Builtin::Int)) return literal == ValueKind::Integer || literal == ValueKind::Bool;
  if (is_builtin(name, Builtin::Bool)) return literal == ValueKind::Bool;
  if (is_builtin(name, Builtin::Float)) return literal == ValueKind::Real;
  if (is_builtin(name, Builtin::Str)) return literal == ValueKind::Text;
  if (values.has_trait(Symbol{type.a}, ValueStore::Trait::HasNoLiteral)) return false;
  return std::nullopt;
}

// Of `counted() if rank == 0 else 0` too: what the other ranks have instead is of its kind. With None that is open.
// `known`: of the choices that were looked at, which others share.
static std::optional<bool> placeholder_is(const ValueStore& values, const ProjectIndex& index, ValueId object,
                                          const Value& type, std::map<ValueId, std::optional<bool>>& known) {
  const Value& v = values[object];
  if (v.kind == ValueKind::None) return std::nullopt;
  const Derived derived = derived_of(values, index, object);
  if (derived == Derived::FilledText || derived == Derived::Digits)
    return literal_is(values, index, ValueKind::Text, type);
  if (v.kind != ValueKind::Conditional) return literal_is(values, index, v.kind, type);
  const ValueId yes = values.child(object, 1), no = values.child(object, 2);
  if (values[yes].kind == ValueKind::None || values[no].kind == ValueKind::None) return std::nullopt;
  if (const auto before = known.find(object); before != known.end()) return before->second;
  const std::optional<bool> first = placeholder_is(values, index, yes, type, known),
                            second = placeholder_is(values, index, no, type, known);
  return known[object] = first && second && *first != *second ? std::nullopt : first ? first : second;
}

bool ValueStore::is_function_of_number(Symbol function) const {
  return has_trait(function, Trait::RoundsNumber) || has_trait(function, Trait::GivesMagnitude) ||
         has_trait(function, Trait::GivesTruth);
}

int64_t ValueStore::of_whole_number(Symbol function, int64_t number) const {
  if (has_trait(function, Trait::GivesTruth)) return number != 0;
  return has_trait(function, Trait::GivesMagnitude) ? std::abs(number) : number;
}

// `any(rank == r for r in (0, 4))`, `all(...)`, `next(...)`. Invalid: it is something else, or ranks agree on it.
ValueId ValueStore::asked_of_elements(Symbol function, std::span<const ValueId> arguments) {
  for (const Trait question : {Trait::HoldsForAny, Trait::HoldsForAll, Trait::GivesFirst})
    if (has_trait(function, question)) return asked_of_each(*this, index_, question, arguments);
  return {};
}

// `divmod(rank, 8)[place]`. Invalid: it is something else.
ValueId ValueStore::divided(ValueId base, int64_t place) {
  if (!is_result_of(base, Trait::GivesQuotient) || values_[base].child_count != 2 || place < 0 || place > 1) return {};
  return binary(place == 0 ? Operator::FloorDivide : Operator::Modulo, child(base, 0), child(base, 1));
}

ValueId ValueStore::pure(Symbol function, std::span<const ValueId> arguments) {
  int64_t whole = 0;
  if (const ValueId written = written_out(derived_named(index_.names().text(function)), arguments); written.valid())
    return written;
  if (arguments.size() == 1 && is_function_of_number(function) && integer_of(arguments[0], whole) && whole != INT64_MIN)
    return has_trait(function, Trait::GivesTruth) ? boolean(whole != 0) : integer(of_whole_number(function, whole));
  if (const ValueId bounded = bounded_by_places(function, arguments); bounded.valid()) return bounded;
  if (const ValueId asked = asked_of_elements(function, arguments); asked.valid()) return asked;
  if (const ValueId made = computed_of(*this, index_, function, arguments); made.valid()) return made;
  if (arguments.size() == 1 && derived_named(index_.names().text(function)) == Derived::MoreRounds) {
    const std::optional<NumberRange> range = range_of(*this, index_, arguments[0]);
    if (range && range->size() == 0) return boolean(false);
    if (const ValueId rounds = rounds_of_choice(function, arguments[0]); rounds.valid()) return rounds;
  }
  if (arguments.size() == 1 && has_trait(function, Trait::CountsElements)) {
    if (const std::optional<int64_t> length = length_of(*this, index_, arguments[0])) return integer(*length);
    // What is drawn differs between ranks, and not how much.
    if (const Value drawn = values_[arguments[0]]; is_drawn(drawn, index_.names()))
      return node(ValueKind::Pure, {{leaf(ValueKind::Opaque, drawn.a, drawn.b)}}, function.index);
  }
  if (!is_builtin(index_.names().text(function), Builtin::Isinstance) || arguments.size() != 2)
    return node(ValueKind::Pure, arguments, function.index);
  const ValueId object = arguments[0], type = arguments[1];
  const bool named = values_[type].kind == ValueKind::Class || values_[type].kind == ValueKind::External;
  if (values_[object].kind == ValueKind::None && named) return boolean(false);
  std::map<ValueId, std::optional<bool>> known;
  if (const auto is_one = placeholder_is(*this, index_, object, values_[type], known)) return boolean(*is_one);
  if (is_small_choice(object) && named)
    return distribute(object, [&](ValueId side) { return pure(function, std::array{side, type}); });
  return node(ValueKind::Pure, std::array{object, type}, function.index);
}

ValueId ValueStore::subscript(ValueId base, ValueId index) {
  int64_t i;
  if (values_[base].kind == ValueKind::Tuple && integer_of(index, i)) {
    const auto n = static_cast<int64_t>(values_[base].child_count);
    if (i < 0) i += n;
    if (i >= 0 && i < n) return child(base, static_cast<uint32_t>(i));
  }
  if (values_[base].kind == ValueKind::Tuple)
    if (const auto taken = places_taken(*this, index_, index, values_[base].child_count)) {
      std::vector<ValueId> parts;
      for (int64_t at = 0; at < taken->size(); ++at) parts.push_back(child(base, static_cast<uint32_t>((*taken)[at])));
      return node(ValueKind::Tuple, parts, values_[base].a);
    }
  if (integer_of(index, i))
    if (const ValueId part = divided(base, i); part.valid()) return part;
  if (const ValueId given = given_at(*this, index_, base, index); given.valid()) return given;
  // `numpy.array_split(items, size)[rank]` is as long as `items[rank::size]`.
  if (is_result_of(base, Trait::SplitsIntoParts) && diverges(index))
    return node(
        ValueKind::Subscript,
        {{child(base, 0), node(ValueKind::Pure, {{index, none(), child(base, 1)}}, index_.intern("slice").index)}});
  if (is_small_choice(base) && is_constant(index))
    return distribute(base, [&](ValueId side) { return subscript(side, index); });
  return node(ValueKind::Subscript, {{base, index}});
}

}  // namespace ranklint
