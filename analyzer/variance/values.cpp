#include "analyzer/variance/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include "analyzer/base/among.h"
#include "analyzer/variance/given.h"

namespace ranklint {

using ir::Operator;

namespace {

constexpr int kDeepestText = 6;
constexpr size_t kLongestList = 400;
// The site of opaque terms that stand for what was cut; c tells them apart.
constexpr uint32_t kCutSite = UINT32_MAX - 1;

// Questions that are answered by what kind of thing a value is, not by what it holds.
bool asks_for_type(std::string_view function) {
  return function == "isinstance" || function == "issubclass" || function == "hasattr" || function == "callable" || function == "type";
}

bool tells_of_form(std::string_view attribute) {
  return among(attribute, {"shape", "size", "ndim", "dim", "numel", "device", "dtype", "keys", "type", "is_cuda"});
}

bool is_order(Operator op) {
  return op == Operator::Less || op == Operator::LessEqual || op == Operator::Greater || op == Operator::GreaterEqual;
}

bool asks_for_identity(Operator op) {
  return op == Operator::In || op == Operator::NotIn || op == Operator::Is || op == Operator::IsNot;
}

// Functions whose result has as many elements as their arguments.
bool keeps_length(std::string_view function) {
  return function == "enumerate" || function == "zip" || function == "sorted" || function == "list" || function == "tuple" || function == "reversed";
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL;
}

bool arithmetic(Operator op, int64_t x, int64_t y, int64_t& out) {
  switch (op) {
    case Operator::Add: return !__builtin_add_overflow(x, y, &out);
    case Operator::Subtract: return !__builtin_sub_overflow(x, y, &out);
    case Operator::Multiply: return !__builtin_mul_overflow(x, y, &out);
    case Operator::FloorDivide:
    case Operator::Modulo: {
      if (y == 0 || y == -1) return false;
      int64_t quotient = x / y, rest = x % y;
      if (rest != 0 && (rest < 0) != (y < 0)) --quotient, rest += y;
      out = op == Operator::Modulo ? rest : quotient;
      return true;
    }
    case Operator::BitAnd: out = x & y; return true;
    case Operator::BitOr: out = x | y; return true;
    case Operator::BitXor: out = x ^ y; return true;
    default: return false;
  }
}

}  // namespace

ValueStore::ValueStore(const ProjectIndex& index) : index_(index), unknown_axis_(index.spell("?")) {
  intern(AxisSet{});
}

AxesId ValueStore::intern(const AxisSet& set) {
  const auto [place, added] = axes_ids_.try_emplace({set.world, set.axes});
  if (added) place->second = axes_.push_back(set);
  return place->second;
}

ValueId ValueStore::leaf(ValueKind kind, uint32_t a, uint32_t b, uint32_t c, uint32_t type) {
  return node(kind, {}, a, b, c, Operator::None, type);
}

ValueId ValueStore::integer(int64_t value) {
  return leaf(ValueKind::Integer, static_cast<uint32_t>(value), static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32));
}

ValueId ValueStore::local(std::string_view reason, uint32_t site, uint32_t path) {
  return leaf(ValueKind::Local, site, path, index_.spell(reason).index);
}

ValueId ValueStore::node(ValueKind kind, std::span<const ValueId> children, uint32_t a, uint32_t b, uint32_t c,
                         Operator op, uint32_t type) {
  Value value;
  value.kind = kind;
  value.op = op;
  value.a = a;
  value.b = b;
  value.c = c;
  value.type = type;
  return insert(value, children);
}

ValueId ValueStore::insert(Value value, std::span<const ValueId> children) {
  uint64_t hash = mix(static_cast<uint64_t>(value.kind), static_cast<uint64_t>(value.op));
  for (uint32_t part : {value.a, value.b, value.c, value.type}) hash = mix(hash, part);
  for (ValueId child : children) hash = mix(hash, child.index);
  const ValueId known = by_hash_.find(hash, [&](ValueId candidate) {
    const Value& other = values_[candidate];
    return other.kind == value.kind && other.op == value.op && other.a == value.a && other.b == value.b &&
           other.c == value.c && other.type == value.type && other.child_count == children.size() &&
           std::equal(children.begin(), children.end(), other.first_child);
  });
  if (known.valid()) return known;
  derive(value, children);
  const bool wide = (value.kind == ValueKind::And || value.kind == ValueKind::Or) && children.size() > kMostOperands;
  if (value.depth > kDeepestTerm || wide) {
    ++cut_;
    return leaf(ValueKind::Opaque, kCutSite, 0, static_cast<uint32_t>(hash >> 32), value.type);
  }
  const std::span<const ValueId> kept = lists_.keep(children);
  value.first_child = kept.data();
  value.child_count = static_cast<uint32_t>(kept.size());
  const ValueId id = values_.push_back(value);
  by_hash_.add(hash, id);
  return id;
}

// Whether how many elements an iterable has is what a rank alone sees: a listing, a range up to a measured number.
bool ValueStore::says_how_many(ValueId iterable) const {
  const Value& v = values_[iterable];
  if (!v.local) return false;
  if (v.kind == ValueKind::Local) return index_.names().text(Symbol{v.c}) != "random";
  if (v.kind != ValueKind::Pure) return false;
  const std::string_view name = index_.names().text(Symbol{v.a});
  if (name == "range") return true;
  return keeps_length(name) && std::any_of(children(iterable).begin(), children(iterable).end(), [&](ValueId c) { return says_how_many(c); });
}

bool ValueStore::is_list(ValueId v) const {
  while (true) {
    const Value& value = values_[v];
    if (value.kind == ValueKind::Tuple) return true;
    const bool of_first = value.kind == ValueKind::LoopPhi || (value.kind == ValueKind::Binary && value.op == Operator::Add);
    if (!of_first && value.kind != ValueKind::Conditional) return false;
    v = child(v, of_first ? 0 : 1);
  }
}

// Whether ranks may differ in how many elements it has: what the elements are does not count.
bool ValueStore::length_varies(ValueId iterable) const {
  const Value& v = values_[iterable];
  if (v.kind == ValueKind::Tuple) return false;
  const auto parts = children(iterable);
  const auto varies = [&](ValueId part) { return length_varies(part); };
  if ((v.kind == ValueKind::Binary && v.op == Operator::Add) || v.kind == ValueKind::LoopPhi) return std::ranges::any_of(parts, varies);
  if (v.kind == ValueKind::Pure && !parts.empty() && keeps_length(index_.names().text(Symbol{v.a})))
    return std::ranges::any_of(index_.names().text(Symbol{v.a}) == "enumerate" ? parts.first(1) : parts, varies);
  if (v.kind == ValueKind::Conditional) return diverges(parts[0]) || std::ranges::any_of(parts.subspan(1), varies);
  return diverges(iterable);
}

// The slice of `items[rank::world]` or `items[rank:]`: of how many elements follows from where it starts or ends. One
// that starts and ends by the rank is meant to be equally long everywhere.
ValueId ValueStore::uneven_slice(ValueId iterable) const {
  if (values_[iterable].kind != ValueKind::Subscript) return {};
  const ValueId slice = child(iterable, 1);
  const Value& v = values_[slice];
  if (v.kind != ValueKind::Pure || v.child_count < 2 || index_.names().text(Symbol{v.a}) != "slice") return {};
  const bool from = diverges(child(slice, 0)), to = diverges(child(slice, 1));
  return from != to ? slice : ValueId{};
}

bool ValueStore::looks_for_no_number(std::string_view function) { return among(function, {"isnan", "isinf", "isfinite"}); }

// Batches are alike in what they are: keys, types, sizes, whether there are any. Their numbers are each rank's own, so what
// compares those, or looks for numbers that are none, is what this rank alone sees.
void ValueStore::settle_batch(Value& value, std::span<const ValueId> children) const {
  const auto name = [&] { return index_.names().text(Symbol{value.a}); };
  bool keeps = false, compares = false;
  switch (value.kind) {
    case ValueKind::Local:
    case ValueKind::Conditional:
    case ValueKind::Tuple:
    case ValueKind::Subscript:
    case ValueKind::Element:
    case ValueKind::LoopPhi: keeps = true; break;
    case ValueKind::Attribute: keeps = !tells_of_form(name()); break;
    case ValueKind::Pure:
      compares = looks_for_no_number(name());
      keeps = among(name(), {"abs", "sum", "min", "max", "any", "all", "float", "int", "bool", "round"});
      break;
    case ValueKind::Binary: {
      const bool equality = value.op == Operator::Equal || value.op == Operator::NotEqual;
      const bool of_numbers = std::ranges::all_of(children, [&](ValueId c) { return values_[c].of_batch || values_[c].kind == ValueKind::Integer; });
      compares = is_order(value.op) || (equality && of_numbers);
      keeps = !equality && !compares && !asks_for_identity(value.op);
      break;
    }
    default: break;
  }
  value.local |= compares;
  value.of_batch = keeps;
}

void ValueStore::derive(Value& value, std::span<const ValueId> children) {
  AxisSet axes;
  value.exact = true;
  for (ValueId child : children) {
    const Value& v = values_[child];
    value.depth = std::max<uint16_t>(value.depth, static_cast<uint16_t>(v.depth + 1));
    value.closed &= v.closed;
    value.believed |= v.believed;
    value.local |= v.local;
    value.of_batch |= v.of_batch;
    axes.add(axes_[v.axes]);
    if (!axes_[v.axes].empty()) value.exact &= v.exact;
  }
  switch (value.kind) {
    case ValueKind::Opaque:
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Tensor: value.closed = false; break;
    case ValueKind::Local:
      value.closed = false;
      value.of_batch = index_.names().text(Symbol{value.c}) == kBatch;
      value.local = !value.of_batch;
      break;
    case ValueKind::Caught:
      value.closed = false;
      value.local = true;
      break;
    case ValueKind::Coordinate: axes.add(axes_[AxesId{value.a}]); break;
    case ValueKind::RankIn: axes.add(unknown_axis_); break;
    case ValueKind::Believed:
      axes.add(axes_[AxesId{value.a}]);
      value.believed = true;
      break;
    default: break;
  }
  // What an object holds does not make the object itself differ between ranks, nor does a rank-dependent
  // argument make every property of a result differ: those would be guesses.
  switch (value.kind) {
    case ValueKind::Attribute:
    case ValueKind::Instance:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Partial:
    case ValueKind::Group:
      axes = {};
      value.local = false;
      value.believed = false;
      break;
    case ValueKind::Tensor:  // see shape_diverges
      axes = {};
      value.local = false;
      break;
    // One more for some ranks, `1 if rank < rest else 0`, is as exact as its condition; two unknown things could be the same.
    case ValueKind::Conditional: value.exact &= is_constant(children[1]) && is_constant(children[2]); break;
    case ValueKind::Subscript:
    case ValueKind::Element: value.exact = false; break;
    default: break;
  }
  if (value.of_batch) settle_batch(value, children);
  if (value.kind == ValueKind::Pure) {
    const std::string_view name = index_.names().text(Symbol{value.a});
    // What a rank draws, reads or measures by itself is of one type everywhere; one such entry does not make a
    // whole dictionary its own.
    if (asks_for_type(name)) value.local = false, axes = {};
    // What the elements hold does not say how many there are.
    if (name == "<more>") {
      value.local = says_how_many(children[0]);
      if (!length_varies(children[0])) axes = {};
      if (const ValueId bounds = uneven_slice(children[0]); bounds.valid()) value.exact = values_[bounds].exact;
    }
    if (name == "dict")
      value.local &= std::all_of(children.begin(), children.end(), [&](ValueId c) { return values_[c].local || is_constant(c); });
  }
  // Whether there is anything, too, unless a source itself may have nothing.
  const bool identity = value.kind == ValueKind::Binary && (value.op == Operator::Is || value.op == Operator::IsNot);
  if (identity && values_[children[1]].kind == ValueKind::None && values_[children[0]].kind != ValueKind::Local) value.local = false;
  switch (value.kind) {
    case ValueKind::Integer:
    case ValueKind::Text:
    case ValueKind::Bool:
    case ValueKind::None: value.constant = true; break;
    case ValueKind::Tuple:
      value.constant = std::all_of(children.begin(), children.end(), [&](ValueId part) { return values_[part].constant; });
      break;
    default: break;
  }
  value.ends = 1;
  if (value.kind == ValueKind::Conditional) {
    value.ends = std::min<uint16_t>(kManyEnds, static_cast<uint16_t>(values_[children[1]].ends + values_[children[2]].ends));
    value.not_none = surely_not_none(children[1]) && surely_not_none(children[2]);
  }
  value.exact &= !axes.empty();
  value.axes = intern(axes);
}

ValueId ValueStore::unary(Operator op, ValueId v) {
  if (op == Operator::Not) {
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
  if (op == Operator::Plus) return v;
  return node(ValueKind::Unary, {{v}}, 0, 0, 0, op);
}

template <typename Operation>
ValueId ValueStore::distribute(ValueId choice, Operation operation) {
  const ValueId yes = operation(child(choice, 1)), no = operation(child(choice, 2));
  return conditional(child(choice, 0), yes, no);
}

ValueId ValueStore::fold_comparison(Operator op, ValueId left, ValueId right) {
  const Value &l = values_[left], &r = values_[right];
  int64_t x, y;
  const bool numbers = integer_of(left, x) && integer_of(right, y);
  const bool identity = op == Operator::Is || op == Operator::IsNot;
  switch (op) {
    case Operator::Equal:
    case Operator::NotEqual:
    case Operator::Is:
    case Operator::IsNot: {
      const bool yes = op == Operator::Equal || op == Operator::Is;
      if (numbers && !identity) return boolean((x == y) == yes);
      if (left == right && l.kind != ValueKind::Local) return boolean(yes);
      const bool none_left = l.kind == ValueKind::None, none_right = r.kind == ValueKind::None;
      if ((none_left && surely_not_none(right)) || (none_right && surely_not_none(left))) return boolean(!yes);
      if (is_constant(left) && is_constant(right) && l.kind != ValueKind::Tuple && r.kind != ValueKind::Tuple &&
          !(identity && !(none_left || none_right)))
        return boolean(!yes);  // equal constants are one node
      break;
    }
    case Operator::Less: if (numbers) return boolean(x < y); break;
    case Operator::LessEqual: if (numbers) return boolean(x <= y); break;
    case Operator::Greater: if (numbers) return boolean(x > y); break;
    case Operator::GreaterEqual: if (numbers) return boolean(x >= y); break;
    case Operator::In:
    case Operator::NotIn: {
      if (r.kind != ValueKind::Tuple) break;
      bool all_known = true;
      for (ValueId item : children(right)) {
        if (item == left) return boolean(op == Operator::In);
        all_known &= is_constant(item) && is_constant(left);
      }
      if (all_known) return boolean(op == Operator::NotIn);
      break;
    }
    default: break;
  }
  return {};
}

// An environment variable that holds a rank is text: `os.environ["RANK"] == "0"`.
ValueId ValueStore::as_number(ValueId text, ValueId beside) {
  if (values_[text].kind != ValueKind::Text || values_[beside].kind != ValueKind::Coordinate) return text;
  const std::string_view written = index_.names().text(Symbol{values_[text].a});
  int64_t number = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
  return error == std::errc() && end == written.data() + written.size() ? integer(number) : text;
}

ValueId ValueStore::binary(Operator op, ValueId left, ValueId right) {
  right = as_number(right, left);
  left = as_number(left, right);
  if (ValueId folded = fold_comparison(op, left, right); folded.valid()) return folded;
  int64_t x, y, result;
  if (integer_of(left, x) && integer_of(right, y) && arithmetic(op, x, y, result)) return integer(result);
  // A comparison of a choice with a constant is a choice of comparisons: `x is not None` after
  // `x = f() if rank == 0 else None` is exactly `rank == 0 and f() is not None`.
  for (const bool at_left : {true, false}) {
    const ValueId choice = at_left ? left : right, other = at_left ? right : left;
    if (!is_small_choice(choice) || !is_constant(other)) continue;
    return distribute(choice, [&](ValueId side) { return at_left ? binary(op, side, other) : binary(op, other, side); });
  }
  const bool symmetric = op == Operator::Equal || op == Operator::NotEqual || op == Operator::Add ||
                         op == Operator::Multiply || op == Operator::Is || op == Operator::IsNot;
  if (symmetric && is_constant(left) && !is_constant(right)) std::swap(left, right);
  return node(ValueKind::Binary, {{left, right}}, 0, 0, 0, op);
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
    if (diverges(yes)) yes = Given(*this, condition, true).simplify(yes);
    if (diverges(no)) no = Given(*this, condition, false).simplify(no);
    if (yes == no) return yes;
  }
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
  return node(ValueKind::Conditional, {{condition, yes, no}}, 0, 0, 0, Operator::None, c.valid() ? type_of_class(c) : 0);
}

ValueId ValueStore::conjunction(bool is_and, std::span<const ValueId> operands) {
  const ValueKind kind = is_and ? ValueKind::And : ValueKind::Or;
  const Truth absorbing = is_and ? Truth::No : Truth::Yes;
  std::vector<ValueId> kept;
  auto add = [&](ValueId v) {
    if (std::find(kept.begin(), kept.end(), v) == kept.end()) kept.push_back(v);
  };
  for (ValueId operand : operands) {
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
           std::any_of(parts.begin(), parts.end(), [&](ValueId part) { return std::find(all.begin(), all.end(), part) != all.end(); });
  });
  if (kept.empty()) return boolean(is_and);
  if (kept.size() == 1) return kept[0];
  return node(kind, kept);
}

ValueId ValueStore::attribute(ValueId base, Symbol name, uint32_t type) {
  return node(ValueKind::Attribute, {{base}}, name.index, 0, 0, Operator::None, type);
}

// Whether a loop over it surely never turns: `range(0, 0)`, `range(3, 2)`.
static bool is_empty_range(const ValueStore& values, const SymbolTable& names, ValueId v) {
  const Value& range = values[v];
  if (range.kind != ValueKind::Pure || names.text(Symbol{range.a}) != "range" || range.child_count > 2) return false;
  int64_t from = 0, to = 0;
  if (range.child_count == 2 && !values.integer_of(values.child(v, 0), from)) return false;
  return range.child_count && values.integer_of(values.child(v, range.child_count - 1), to) && from >= to;
}

ValueId ValueStore::pure(Symbol function, std::span<const ValueId> arguments) {
  if (arguments.size() == 1 && index_.names().text(function) == "<more>" && is_empty_range(*this, index_.names(), arguments[0])) return boolean(false);
  if (index_.names().text(function) != "isinstance" || arguments.size() != 2) return node(ValueKind::Pure, arguments, function.index);
  const ValueId object = arguments[0], type = arguments[1];
  const bool named = values_[type].kind == ValueKind::Class || values_[type].kind == ValueKind::External;
  if (values_[object].kind == ValueKind::None && named) return boolean(false);
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
  if (is_small_choice(base) && is_constant(index))
    return distribute(base, [&](ValueId side) { return subscript(side, index); });
  return node(ValueKind::Subscript, {{base, index}});
}

bool ValueStore::shape_diverges(ValueId v) const {
  const auto has_parts = [&](ValueId part) {
    const ValueKind kind = values_[part].kind;
    return kind == ValueKind::Tensor || kind == ValueKind::Conditional || kind == ValueKind::Tuple;
  };
  if (diverges(v) || !has_parts(v)) return diverges(v);
  std::vector<ValueId> work{v};
  std::unordered_set<uint32_t> seen;
  while (!work.empty()) {
    const ValueId part = work.back();
    work.pop_back();
    if (!seen.insert(part.index).second) continue;
    if (diverges(part)) return true;
    if (has_parts(part)) work.insert(work.end(), children(part).begin(), children(part).end());
  }
  return false;
}

std::vector<ValueId> ValueStore::ends_of(ValueId choice) const {
  std::vector<ValueId> ends, work{choice};
  std::unordered_set<uint32_t> seen;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v.index).second) continue;
    if (values_[v].kind != ValueKind::Conditional) {
      ends.push_back(v);
      continue;
    }
    work.push_back(child(v, 2));
    work.push_back(child(v, 1));
  }
  return ends;
}

ValueId ValueStore::find_part(ValueId whole, const std::function<bool(ValueId)>& wanted) const {
  std::vector<ValueId> work{whole};
  std::unordered_set<uint32_t> seen;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v.index).second) continue;
    if (wanted(v)) return v;
    work.insert(work.end(), children(v).begin(), children(v).end());
  }
  return {};
}

bool ValueStore::integer_of(ValueId v, int64_t& out) const {
  const Value& value = values_[v];
  if (value.kind == ValueKind::Bool) return out = value.a, true;
  if (value.kind != ValueKind::Integer) return false;
  out = static_cast<int64_t>(static_cast<uint64_t>(value.b) << 32 | value.a);
  return true;
}

// `i` of `for i in range(n)`.
bool ValueStore::counts(ValueId v) const {
  const Value& over = values_[child(v, 0)];
  return values_[v].kind == ValueKind::Element && over.kind == ValueKind::Pure && index_.names().text(Symbol{over.a}) == "range";
}

bool ValueStore::surely_not_none(ValueId v) const {
  switch (values_[v].kind) {
    case ValueKind::Element: return counts(v);
    case ValueKind::Integer:
    case ValueKind::Text:
    case ValueKind::Bool:
    case ValueKind::Coordinate:
    case ValueKind::Size:
    case ValueKind::Group:
    case ValueKind::Instance:
    case ValueKind::Class:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Module:
    case ValueKind::External:
    case ValueKind::Partial:
    case ValueKind::Binary:
    case ValueKind::Tuple:
    case ValueKind::Pure: return true;
    case ValueKind::Conditional: return values_[v].not_none;
    case ValueKind::Local: {
      const std::string_view source = index_.names().text(Symbol{values_[v].c});
      return source == "random" || source == "clock" || source == "memory";
    }
    case ValueKind::Global: {
      // A module's group is set up in the runs that matter: `_TP_GROUP is None` is the way out of those that don't.
      const std::string_view name = index_.names().text(Symbol{values_[v].b});
      for (std::string_view word : {"GROUP", "MESH", "_group", "_mesh"})
        if (name.find(word) != name.npos) return true;
      const ClassKey c = class_of(v);
      if (c.valid()) return index_.modules()[index_.classes()[c].module].text(index_.klass(c).name).find("Group") != name.npos;
      const Symbol external = external_type_of(v);
      return external.valid() && index_.names().text(external).find("Group") != name.npos;
    }
    default: return false;
  }
}

ValueStore::Truth ValueStore::truth(ValueId v) const {
  const Value& value = values_[v];
  switch (value.kind) {
    case ValueKind::Integer: return value.a || value.b ? Truth::Yes : Truth::No;
    case ValueKind::Bool: return value.a ? Truth::Yes : Truth::No;
    case ValueKind::None: return Truth::No;
    case ValueKind::Text: return index_.names().text(Symbol{value.a}).empty() ? Truth::No : Truth::Yes;
    case ValueKind::Tuple: return value.child_count ? Truth::Yes : Truth::No;
    case ValueKind::Group:
    case ValueKind::Class:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Module:
    case ValueKind::Size:
    case ValueKind::SizeIn: return Truth::Yes;
    default: return Truth::Unknown;
  }
}

ClassKey ValueStore::class_of(ValueId v) const {
  const Value& value = values_[v];
  if (value.kind == ValueKind::Instance) return ClassKey{value.a};
  if (value.type & 1) return ClassKey{value.type >> 1};
  return {};
}

Symbol ValueStore::external_type_of(ValueId v) const {
  const uint32_t type = values_[v].type;
  return type && !(type & 1) ? Symbol{(type >> 1) - 1} : Symbol{};
}

bool ValueStore::of_unknown_origin(ValueId v) const {
  switch (values_[v].kind) {
    case ValueKind::Opaque:
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::Global:
    case ValueKind::Attribute:
    case ValueKind::Subscript: return true;
    case ValueKind::Element: return !counts(v);
    default: return false;
  }
}

ValueId ValueStore::with_type(ValueId v, uint32_t type) {
  Value value = values_[v];
  if (value.type == type || type == 0) return v;
  switch (value.kind) {
    case ValueKind::Opaque:
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::Global:
    case ValueKind::Attribute:
    case ValueKind::Subscript:
    case ValueKind::Element: break;
    default: return v;
  }
  const std::vector<ValueId> own(children(v).begin(), children(v).end());
  value.type = type;
  return insert(value, own);
}

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
    case ValueKind::Integer: {
      int64_t i = 0;
      integer_of(v, i);
      return std::to_string(i);
    }
    case ValueKind::Text: return "'" + name(value.a) + "'";
    case ValueKind::Bool: return value.a ? "True" : "False";
    case ValueKind::None: return "None";
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index_.function(f).parameters;
      return value.b < parameters.size()
                 ? std::string(index_.modules()[index_.functions()[f].module].text(parameters[value.b].name))
                 : "parameter";
    }
    case ValueKind::Free: return name(value.b);
    case ValueKind::Coordinate: return "rank(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Size: return "size(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Group: return "group(" + ranklint::describe(axes_[AxesId{value.a}], index_.names()) + ")";
    case ValueKind::Believed: return "rank?(" + describe(child(v, 0), depth + 1) + ")";
    case ValueKind::Local: return "local(" + name(value.c) + ")";
    case ValueKind::Global: return name(value.b);
    case ValueKind::Attribute: return describe(child(v, 0), depth + 1) + "." + name(value.a);
    case ValueKind::Instance: return "object of " + std::string(index_.modules()[index_.classes()[ClassKey{value.a}].module].text(index_.klass(ClassKey{value.a}).name));
    case ValueKind::Class: return "class " + std::string(index_.modules()[index_.classes()[ClassKey{value.a}].module].text(index_.klass(ClassKey{value.a}).name));
    case ValueKind::Function: return "function " + std::string(index_.qualified_name(FunctionKey{value.a}));
    case ValueKind::Bound: return "method " + std::string(index_.qualified_name(FunctionKey{value.a}));
    case ValueKind::Module: return "module " + index_.modules()[ModuleKey{value.a}].name;
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
    case ValueKind::LoopPhi: return "loop(" + name(value.c) + ": " + list(", ") + ")";
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
