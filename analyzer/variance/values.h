// Values as the analysis knows them: hash-consed terms that keep, where they can, the exact form over rank
// coordinates, and always the axes along which they may differ between ranks.
//
// A term is written in the language of one function: its parameters, its closure variables and the places where
// it learned something it can't describe ("opaque", one per instruction). Opaque terms count as uniform: what
// is not known is not reported. Divergence enters by three doors only: coordinates (get_rank and its kin),
// names that are believed to be coordinates, and local data (clock, file system, unseeded random, exceptions).
//
// Folding never invents knowledge: `make` simplifies what holds in every world; what holds on one rank of one
// small world is the residual's matter (residual.h).
//
// Terms are never taken back and never move: a reference to a value and a span of its children stay good while
// others are made. They share their parts, so a walk over a term remembers what it has seen; and they are not deep: a
// term that would nest beyond kDeepestTerm, or hold more alternatives than kMostOperands, is cut to an opaque one, so
// that a walk may recurse.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/base/hash_index.h"
#include "analyzer/base/overlaid_map.h"
#include "analyzer/base/stable.h"
#include "analyzer/mesh/axes.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/name_priors.h"
#include "analyzer/variance/computed.h"
#include "analyzer/variance/derived.h"

namespace ranklint {

using ValueId = Id<struct ValueTag>;
using AxesId = Id<struct AxesTag>;
using CutId = Id<struct CutTag>;

enum class ValueKind : uint8_t {
  Opaque,  // site a, call path b: something uniform, but unknown; children: what it may turn out to be a batch's by, if
           // any
  Integer,  // a, b: low and high half
  Real,     // a, b: low and high half of the double's bits; never a NaN
  Text,     // string literal, symbol a
  Bool,     // a
  None,
  Parameter,   // function a, index b
  Free,        // function a, name b: a closure variable
  Coordinate,  // axes a: this rank's number within its group over them
  Size,        // axes a: how many ranks such a group has
  RankIn,      // this rank's number in child, a group that is not known yet
  SizeIn,      // the number of ranks in child, likewise
  Group,       // axes a: a process group, mesh or coordinator over them; child: the list of member ranks, if known
  Believed,    // child: a value of unknown origin whose name says that it is a coordinate; axes a, b: BeliefKind
  Local,       // site a, path b: what this rank alone sees; symbol c says what ("clock", "file system")
  Global,      // module a, name b: a variable that nothing is known about
  Attribute,   // child . name a
  Instance,    // class a; children: the constructor's arguments, by parameter of __init__ without self
  Class,       // class a
  Function,    // function a; children: values of its closure variables, in the order of its free names
  Bound,       // function a with receiver child 0, then captured values
  Module,      // module a
  External,    // qualified name a
  Partial,     // children: callee and leading arguments; a: see Query::partial_value
  Unary,       // op
  Binary,      // op
  And,
  Or,
  Conditional,  // children: condition, then, else
  Tuple,        // also lists, sets
  Subscript,    // base, index
  Element,      // one element of child, at site a, path b
  LoopPhi,      // site a, place c, path b; children: the value on entry, and one that the loop brings if it diverges; a
                // third: other paths back may bring others
  Pure,         // function named a of the children: len, int, range, ...
  Caught,       // site a, path b: an exception that is on its way here; never None
  Super,        // class a; child: the object; attributes are looked up after the class
  Guarded,      // children: a function, the condition under which its body runs
  Tensor,       // site a, path b: a tensor made here; children: its dtype or None, then its sizes
};

// Whether a value of the kind came to be at one place, `a`.
constexpr bool has_site(ValueKind kind) {
  return kind == ValueKind::Opaque || kind == ValueKind::Local || kind == ValueKind::Element ||
         kind == ValueKind::LoopPhi || kind == ValueKind::Caught || kind == ValueKind::Tensor;
}

struct Value {
  ValueKind kind = ValueKind::Opaque;
  ir::Operator op = ir::Operator::None;
  bool closed : 1 = true;  // mentions no parameter, closure variable or site: means the same in every function
  bool exact : 1 = false;  // varies, and only through arithmetic and comparisons over coordinates
  bool local : 1 = false;  // mentions local data
  bool of_batch : 1 =
      false;  // made from the batch that this rank loaded: its content differs, its kind and shape do not
  bool believed : 1 = false;  // rests on a name
  bool not_none : 1 = false;  // a Conditional neither side of which is None
  bool constant : 1 = false;  // a literal, or a tuple of constants
  bool of_rank : 1 = false;   // may be another term where one rank of a world is meant (Scenario::residual)
  uint8_t ends = 1;  // of the tree of choices that a Conditional is the root of; kManyLeaves: that many or more
  uint32_t a = 0, b = 0, c = 0;
  uint32_t type = 0;   // see ValueStore::type_of
  AxesId axes;         // along which coordinates in it vary
  uint16_t depth = 0;  // of the longest way down to a leaf
  uint32_t child_count = 0;
  const ValueId* first_child = nullptr;
};
static_assert(sizeof(Value) == 40);  // there is one for each term, and a large project has millions

// What a function gives a value to: a local variable, by its name alone, or an attribute, by the term of its object and
// its name. Two are the same place exactly when both parts are equal: `self.n` and `other.n` are two places.
struct PlaceKey {
  ValueId object;  // invalid: a local variable
  Symbol name;

  bool is_attribute() const { return object.valid(); }
  friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
  // Local variables come first: an invalid id is the largest number, and one more is zero.
  friend std::strong_ordering operator<=>(const PlaceKey& x, const PlaceKey& y) {
    if (x.object != y.object) return x.object.index + 1 <=> y.object.index + 1;
    return x.name <=> y.name;
  }
};
using PlaceId = Id<struct PlaceTag>;

enum class BeliefKind : uint32_t { Coordinate, IsFirst };

class ValueStore {
 public:
  static constexpr uint16_t kDeepestTerm = 160;
  static constexpr std::string_view kBatch = "its batch";
  static constexpr size_t kMostOperands = 128;  // of a conjunction or disjunction
  static constexpr uint8_t kManyLeaves = 64;

  explicit ValueStore(const ProjectIndex& index);
  // Laid over another, as a StableVector may be (analyzer/base/stable.h): terms of both mean the same in it. `index` is
  // the view of the project whose names its own terms are spelt with.
  ValueStore(const ValueStore& below, const ProjectIndex& index);

  const Value& operator[](ValueId v) const { return values_[v]; }
  std::span<const ValueId> children(ValueId v) const { return {values_[v].first_child, values_[v].child_count}; }
  ValueId child(ValueId v, uint32_t i) const { return children(v)[i]; }

  // Leaves.
  ValueId none() { return leaf(ValueKind::None); }
  ValueId boolean(bool value) { return leaf(ValueKind::Bool, value); }
  ValueId integer(int64_t value);
  ValueId real(double value);  // no NaN
  ValueId text(Symbol s) { return leaf(ValueKind::Text, s.index); }
  ValueId leaf(ValueKind kind, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, uint32_t type = 0);
  ValueId coordinate(const AxisSet& axes) { return leaf(ValueKind::Coordinate, intern(axes).index); }
  ValueId group(const AxisSet& axes) { return leaf(ValueKind::Group, intern(axes).index); }
  ValueId local(std::string_view reason, uint32_t site, uint32_t path = 0);
  ValueId batch(uint32_t site) { return local(kBatch, site); }
  // What is known of a library's function or class, by its name.
  enum class Trait : uint32_t {
    SplitsIntoParts = 1,     // all parts of something, of which the first have one more where there is a rest
    HasNoLiteral = 2,        // no literal is an object of the class
    CountsElements = 4,      // how many elements its argument has
    KeepsElements = 8,       // the elements of its only argument, in any order
    KeepsLength = 16,        // as many elements as each of its arguments has
    TellsForm = 32,          // what an object is and how large, not what it holds
    TellsSize = 64,          // how many elements a tensor has
    AsksKind = 128,          // of what kind its argument is
    ComputesOfValues = 256,  // of what its argument holds
    LooksForNoNumber = 512,  // infinity, or what is no number
    RoundsNumber = 4096,     // to a whole one
    GivesMagnitude = 8192,   // of a number
    GivesTruth = 16384,      // whether its argument is not zero
    HoldsForAny = 32768,     // whether any of the elements of its argument is true
    HoldsForAll = 65536,     // whether all of them are
    GivesFirst = 131072,     // of what it goes over
    GivesQuotient = 262144,  // of its two arguments, and what is left over
    RoundsUp = 524288,       // to the next whole number that is not smaller
    TellsShape = 1048576,    // the sizes of a tensor
  };
  // What names of groups suggest; without, they suggest nothing. Must outlive it.
  void set_priors(const NamePriors& priors) { priors_ = &priors; }
  void set_trait(Symbol name, Trait trait) { traits_[name.index] |= static_cast<uint32_t>(trait); }
  bool has_trait(Symbol name, Trait trait) const {
    const auto found = traits_.find(name.index);
    return found != traits_.end() && (found->second & static_cast<uint32_t>(trait));
  }
  // What a function computes of what it is given, and of nothing else.
  void set_computation(Symbol function, Computation what) { computations_[function.index] = what; }
  Computation computation(Symbol function) const {
    const auto found = computations_.find(function.index);
    return found == computations_.end() ? Computation{} : found->second;
  }
  // Whether the term is what such a function gives.
  bool is_result_of(ValueId v, Trait trait) const {
    return values_[v].kind == ValueKind::Pure && has_trait(Symbol{values_[v].a}, trait);
  }

  // Of a function that computes a whole number of one: `abs`, `int`, `bool`.
  bool is_function_of_number(Symbol function) const;
  int64_t of_whole_number(Symbol function, int64_t number) const;

  // Inner nodes, folded.
  ValueId node(ValueKind kind, std::span<const ValueId> children, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0,
               ir::Operator op = ir::Operator::None, uint32_t type = 0);
  ValueId unary(ir::Operator op, ValueId v);
  ValueId binary(ir::Operator op, ValueId left, ValueId right);
  // Whether it is a list made in sight: a display, and what was appended to one.
  bool is_list(ValueId v) const;
  ValueId conditional(ValueId condition, ValueId yes, ValueId no);
  ValueId conjunction(bool is_and, std::span<const ValueId> operands);
  // What is true where the value is: x of `bool(x)`, `len(x) != 0` of `len(x)`.
  ValueId asked_by(ValueId v);
  ValueId negate(ValueId v) { return unary(ir::Operator::Not, v); }
  // A call whose result follows from its arguments alone.
  ValueId pure(Symbol function, std::span<const ValueId> arguments);
  ValueId attribute(ValueId base, Symbol name, uint32_t type = 0);
  ValueId subscript(ValueId base, ValueId index);

  // What a branch on the value does, where that is known in every world.
  enum class Truth : uint8_t { No, Yes, Unknown };
  Truth truth(ValueId v) const;
  bool is_constant(ValueId v) const { return values_[v].constant; }
  // The integer, if it is one (booleans count).
  bool integer_of(ValueId v, int64_t& out) const;
  // The number, if it is one: an integer, a boolean or a real.
  bool number_of(ValueId v, double& out) const;
  bool counts(ValueId v) const;
  bool surely_not_none(ValueId v) const;

  PlaceId intern(const PlaceKey& place);
  const PlaceKey& place(PlaceId id) const { return places_[id]; }

  AxesId intern(const AxisSet& set);
  // Of an invalid id: none.
  const AxisSet& axes(AxesId id) const {
    static const AxisSet kNone;
    return id.valid() ? axes_[id] : kNone;
  }
  const AxisSet& variance(ValueId v) const { return axes_[values_[v].axes]; }
  // A choice that operations are pushed into: f(a if c else b) becomes f(a) if c else f(b). One with many ends is left
  // whole, on every occasion: pushed into its upper part only, each further pass over the term would unfold more of it.
  bool is_small_choice(ValueId v) const {
    return values_[v].kind == ValueKind::Conditional && values_[v].ends < kManyLeaves;
  }
  // What a tree of choices may turn out to be, each end once, from left to right.
  std::vector<ValueId> leaves_of(ValueId choice) const;
  // A part of a term, itself included, for which `wanted` holds, of several the last; invalid: none. Looks at each
  // once.
  ValueId find_part(ValueId whole, const std::function<bool(ValueId)>& wanted) const;
  // Whether ranks may disagree on it.
  bool diverges(ValueId v) const { return values_[v].local || !variance(v).empty(); }

  // Whether ranks may disagree on it or on the size of a tensor in it.
  bool shape_diverges(ValueId v) const;

  // Whether it is a rank's share of something, dealt out so that some have one more where there is a rest.
  bool is_uneven_share(ValueId iterable) const;

  // The class of an object: 0 unknown, odd (class << 1 | 1), even (external name + 1) << 1.
  static uint32_t type_of_class(ClassKey c) { return c.index << 1 | 1; }
  static ClassKey class_of_type(uint32_t type) { return type & 1 ? ClassKey{type >> 1} : ClassKey{}; }
  static uint32_t type_of_external(Symbol name) { return (name.index + 1) << 1; }
  ClassKey class_of(ValueId v) const;
  Symbol external_type_of(ValueId v) const;
  // Whether nothing is known of it but where it comes from.
  bool of_unknown_origin(ValueId v) const;
  ValueId with_type(ValueId v, uint32_t type);

  size_t size() const { return values_.size(); }
  // How many terms were cut.
  size_t cut() const { return cuts_; }
  std::string describe(ValueId v, int depth = 0) const;
  // The number where the term is its digits, otherwise the term itself.
  ValueId without_digits(ValueId v) const;

 private:
  ValueId insert(Value value, std::span<const ValueId> children);
  // The opaque term in place of one that is too deep or too wide; equal terms have the same.
  ValueId cut(uint64_t hash, Value value, std::span<const ValueId> children);
  bool says_how_many(ValueId iterable) const;
  bool suggests(std::string_view name, NameMeaning meaning) const { return priors_ && priors_->suggest(name, meaning); }
  bool is_never_empty(ValueId filled) const;
  ValueId written_out(Derived derived, std::span<const ValueId> parts);
  ValueId fold_text_comparison(ir::Operator op, ValueId left, ValueId right);
  ValueId as_number(ValueId text, ValueId beside);
  ValueId as_numbers(ValueId texts, ValueId beside);
  ValueId rank_by_node(ValueId offset, ValueId within);
  bool length_varies(ValueId iterable) const;
  ValueId uneven_slice(ValueId iterable) const;
  std::optional<bool> has_exact_length(ValueId iterable) const;
  ValueId rounds_of_choice(Symbol more, ValueId iterable);
  ValueId asked_of_elements(Symbol function, std::span<const ValueId> arguments);
  ValueId divided(ValueId base, int64_t place);
  ValueId counted_in(ValueId iterable) const;
  ValueId places_of_share(ValueId share);
  ValueId length_by_places(ValueId length);
  ValueId limit_by_places(ValueId limit, ValueId counter);
  ValueId bounded_by_places(Symbol function, std::span<const ValueId> bounds);
  void derive(Value& value, std::span<const ValueId> children);
  bool is_of_rank(const Value& value, std::span<const ValueId> children) const;
  bool is_of_open_range(const Value& value, std::span<const ValueId> children) const;
  void settle_batch(Value& value, std::span<const ValueId> children) const;
  ValueId fold_comparison(ir::Operator op, ValueId left, ValueId right);
  // What an operation on a choice is: the choice between the operation on its sides.
  template <typename Operation>
  ValueId distribute(ValueId choice, Operation operation);

  const ProjectIndex& index_;
  Axis unknown_axis_;  // along which the rank in an unknown group varies
  StableVector<ValueId, Value> values_;
  ListArena<ValueId> lists_;
  HashIndex<ValueId> by_hash_;
  StableVector<AxesId, AxisSet> axes_;
  OverlaidMap<std::map<std::pair<bool, std::vector<Axis>>, AxesId>> axes_ids_;
  StableVector<PlaceId, PlaceKey> places_;
  OverlaidMap<std::map<PlaceKey, PlaceId>> place_ids_;
  StableVector<CutId, Value> cut_terms_;
  HashIndex<CutId> cut_by_hash_;
  size_t cuts_ = 0;
  std::unordered_map<uint32_t, uint32_t> traits_;           // by name
  std::unordered_map<uint32_t, Computation> computations_;  // likewise
  const NamePriors* priors_ = nullptr;
};

}  // namespace ranklint
