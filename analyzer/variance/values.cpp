#include "analyzer/variance/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

#include "analyzer/base/work_limit.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using ir::Operator;

namespace {

// The site of opaque terms that stand for what was cut; c is the CutId.
constexpr uint32_t kCutSite = UINT32_MAX - 1;

uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL;
}

// Whether a kept node is the one that would be made of these; what is derived from them follows.
bool is_same_node(const Value& kept, const Value& value, std::span<const ValueId> children) {
  return kept.kind == value.kind && kept.op == value.op && kept.a == value.a && kept.b == value.b &&
         kept.c == value.c && kept.type == value.type && kept.child_count == children.size() &&
         std::equal(children.begin(), children.end(), kept.first_child);
}

}  // namespace

ValueStore::ValueStore(const ProjectIndex& index)
    : index_(index), unknown_axis_{AxisKind::UnknownGroup, index.intern("?"), {}} {
  intern(AxisSet{});
}

ValueStore::ValueStore(const ValueStore& below, const ProjectIndex& index)
    : index_(index),
      unknown_axis_(below.unknown_axis_),
      values_(StableVector<ValueId, Value>::over(below.values_)),
      by_hash_(HashIndex<ValueId>::over(below.by_hash_)),
      axes_(StableVector<AxesId, AxisSet>::over(below.axes_)),
      axes_ids_(decltype(axes_ids_)::over(below.axes_ids_)),
      places_(StableVector<PlaceId, PlaceKey>::over(below.places_)),
      place_ids_(decltype(place_ids_)::over(below.place_ids_)),
      cut_terms_(StableVector<CutId, Value>::over(below.cut_terms_)),
      cut_by_hash_(HashIndex<CutId>::over(below.cut_by_hash_)),
      cuts_(below.cuts_),
      traits_(below.traits_),
      computations_(below.computations_),
      priors_(below.priors_) {}

PlaceId ValueStore::intern(const PlaceKey& place) {
  const PlaceId* known = place_ids_.find(place);
  return known ? *known : place_ids_.set(place, places_.push_back(place));
}

AxesId ValueStore::intern(const AxisSet& set) {
  const std::pair key{set.world, set.axes};
  const AxesId* known = axes_ids_.find(key);
  return known ? *known : axes_ids_.set(key, axes_.push_back(set));
}

ValueId ValueStore::leaf(ValueKind kind, uint32_t a, uint32_t b, uint32_t c, uint32_t type) {
  return node(kind, {}, a, b, c, Operator::None, type);
}

ValueId ValueStore::integer(int64_t value) {
  return leaf(ValueKind::Integer, static_cast<uint32_t>(value),
              static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32));
}

ValueId ValueStore::real(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return leaf(ValueKind::Real, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32));
}

ValueId ValueStore::local(std::string_view reason, uint32_t site, uint32_t path) {
  return leaf(ValueKind::Local, site, path, index_.intern(reason).index);
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
  charge_work();
  uint64_t hash = mix(static_cast<uint64_t>(value.kind), static_cast<uint64_t>(value.op));
  for (uint32_t part : {value.a, value.b, value.c, value.type}) hash = mix(hash, part);
  for (ValueId child : children) hash = mix(hash, child.index);
  const ValueId known =
      by_hash_.find(hash, [&](ValueId candidate) { return is_same_node(values_[candidate], value, children); });
  if (known.valid()) return known;
  derive(value, children);
  value.of_rank = is_of_rank(value, children);
  const bool wide = (value.kind == ValueKind::And || value.kind == ValueKind::Or) && children.size() > kMostOperands;
  if (value.depth > kDeepestTerm || wide) {
    return cut(hash, value, children);
  }
  const std::span<const ValueId> kept = lists_.keep(children);
  value.first_child = kept.data();
  value.child_count = static_cast<uint32_t>(kept.size());
  const ValueId id = values_.push_back(value);
  by_hash_.add(hash, id);
  return id;
}

ValueId ValueStore::cut(uint64_t hash, Value value, std::span<const ValueId> children) {
  ++cuts_;
  CutId id =
      cut_by_hash_.find(hash, [&](CutId candidate) { return is_same_node(cut_terms_[candidate], value, children); });
  if (!id.valid()) {
    const std::span<const ValueId> kept = lists_.keep(children);
    value.first_child = kept.data();
    value.child_count = static_cast<uint32_t>(kept.size());
    id = cut_terms_.push_back(value);
    cut_by_hash_.add(hash, id);
  }
  return leaf(ValueKind::Opaque, kCutSite, 0, id.index, value.type);
}

bool ValueStore::is_list(ValueId v) const {
  while (true) {
    const Value& value = values_[v];
    if (value.kind == ValueKind::Tuple) return true;
    const bool of_first =
        value.kind == ValueKind::LoopPhi || (value.kind == ValueKind::Binary && value.op == Operator::Add);
    if (!of_first && value.kind != ValueKind::Conditional) return false;
    v = child(v, of_first ? 0 : 1);
  }
}
ValueId ValueStore::attribute(ValueId base, Symbol name, uint32_t type) {
  return node(ValueKind::Attribute, {{base}}, name.index, 0, 0, Operator::None, type);
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

std::vector<ValueId> ValueStore::leaves_of(ValueId choice) const {
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

namespace {

// Terms that have been seen: a few mostly, which lie in a row.
class SeenValues {
 public:
  // Whether it is a new one.
  bool insert(ValueId v) {
    if (!many_.empty()) return many_.insert(v.index).second;
    const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(few_.begin(), end, v.index) != end) return false;
    if (count_ == few_.size())
      many_.insert(few_.begin(), few_.end());
    else
      few_[count_++] = v.index;
    return many_.empty() || many_.insert(v.index).second;
  }

 private:
  std::array<uint32_t, 24> few_;
  size_t count_ = 0;
  std::unordered_set<uint32_t> many_;
};

}  // namespace

ValueId ValueStore::find_part(ValueId whole, const std::function<bool(ValueId)>& wanted) const {
  if (children(whole).empty()) return wanted(whole) ? whole : ValueId{};
  std::vector<ValueId> work{whole};
  SeenValues seen;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v)) continue;
    charge_work();
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

bool ValueStore::number_of(ValueId v, double& out) const {
  const Value& value = values_[v];
  if (value.kind == ValueKind::Real)
    return out = std::bit_cast<double>(static_cast<uint64_t>(value.b) << 32 | value.a), true;
  int64_t integer = 0;
  return integer_of(v, integer) && (out = static_cast<double>(integer), true);
}

// `i` of `for i in range(n)`.
bool ValueStore::counts(ValueId v) const {
  return values_[v].kind == ValueKind::Element && is_call_of(*this, index_, child(v, 0), Builtin::Range);
}

bool ValueStore::surely_not_none(ValueId v) const {
  switch (values_[v].kind) {
    case ValueKind::Element: return counts(v);
    case ValueKind::Integer:
    case ValueKind::Real:
    case ValueKind::Text:
    case ValueKind::Bool:
    case ValueKind::Caught:
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
    // What a comprehension collects in goes by a name of its own.
    case ValueKind::LoopPhi: return SymbolTable::is_unnamed(index_.names().text(place(PlaceId{values_[v].c}).name));
    case ValueKind::Local: {
      const LocalSource source = source_of(values_[v], index_.names());
      return source == LocalSource::Random || source == LocalSource::Clock || source == LocalSource::Memory;
    }
    case ValueKind::Global: {
      // A module's group is set up in the runs that matter: `_TP_GROUP is None` is the way out of those that don't.
      const std::string_view name = index_.names().text(Symbol{values_[v].b});
      if (suggests(name, NameMeaning::KeptGroup)) return true;
      const ClassKey c = class_of(v);
      if (c.valid())
        return suggests(index_.modules()[index_.classes()[c].module].text(index_.klass(c).name),
                        NameMeaning::GroupOrMesh);
      const Symbol external = external_type_of(v);
      return external.valid() && suggests(index_.names().text(external), NameMeaning::GroupOrMesh);
    }
    default: return false;
  }
}

ValueStore::Truth ValueStore::truth(ValueId v) const {
  const Value& value = values_[v];
  switch (value.kind) {
    case ValueKind::Integer: return value.a || value.b ? Truth::Yes : Truth::No;
    case ValueKind::Real: {
      double number = 0;
      return number_of(v, number) && number == 0 ? Truth::No : Truth::Yes;
    }
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
    case ValueKind::Pure: {
      const Derived derived = derived_of(*this, index_, v);
      // One with a type is an object of a library's class: `Path(a, b)`.
      const bool is_true =
          (derived == Derived::FilledText && is_never_empty(v)) || derived == Derived::Digits || value.type != 0;
      return is_true ? Truth::Yes : Truth::Unknown;
    }
    default: return Truth::Unknown;
  }
}

ClassKey ValueStore::class_of(ValueId v) const {
  const Value& value = values_[v];
  return value.kind == ValueKind::Instance ? ClassKey{value.a} : class_of_type(value.type);
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
    case ValueKind::Local:
    case ValueKind::Element: break;
    default: return v;
  }
  const std::vector<ValueId> own(children(v).begin(), children(v).end());
  value.type = type;
  return insert(value, own);
}

}  // namespace ranklint
