#include "analyzer/questions/seen_value.h"

#include <algorithm>
#include <map>

#include "analyzer/questions/module_moves.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

SeenValue::Ranks ranks_of(const AxisSet& axes) {
  using enum SeenValue::Ranks;
  if (axes.empty()) return None;
  if (axes.is_world()) return World;
  return !axes.world && axes.axes.size() == 1 && axes.has(AxisKind::Local) ? Node : Others;
}

class Seeing {
 public:
  explicit Seeing(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  SeenValue see(ValueId v) {
    v = values_.without_digits(v);
    SeenValue seen;
    const Value& value = values_[v];
    switch (value.kind) {
      case ValueKind::None: seen.kind = SeenValue::Kind::None; break;
      case ValueKind::Bool: seen.kind = SeenValue::Kind::Bool; break;
      case ValueKind::Integer: seen.kind = SeenValue::Kind::Integer; break;
      case ValueKind::Real:
        seen.kind = SeenValue::Kind::Text;
        seen.text = values_.describe(v);
        break;
      case ValueKind::Text:
        seen.kind = SeenValue::Kind::Text;
        seen.text = index_.names().text(Symbol{value.a});
        break;
      case ValueKind::Tuple:
        seen.kind = SeenValue::Kind::Sequence;
        seen.integer = value.child_count;
        break;
      case ValueKind::External:
      case ValueKind::Function:
      case ValueKind::Bound:
      case ValueKind::Class:
        seen.kind = SeenValue::Kind::Name;
        seen.text = in_.callee_path(v);
        break;
      default: break;
    }
    values_.integer_of(v, seen.integer);
    if (value.kind == ValueKind::Tuple) seen.integer = value.child_count;
    seen.spelled = value.kind == ValueKind::Tuple ? spell_tuple(v) : in_.source_text(v);
    const AxisSet& axes = values_.variance(v);
    if (!axes.empty()) seen.axes = describe(axes, index_.names());
    seen.along = ranks_of(axes);
    seen.believed = value.believed;
    if (value.local) see_alone(v, seen);
    if (const ValueId own = number_within(v); own.valid()) seen.counts = ranks_of(values_.axes(AxesId{values_[own].a}));
    see_making(v, seen);
    seen.counts_devices = in_.roles().play(function_of(values_, index_, v), Role::CountsDevices);
    seen.rank = rank_asked_for(v);
    return seen;
  }

  // What a branch asks. Ranks that answer alike in every job do not part.
  SeenValue see_asked(ValueId condition) {
    SeenValue seen = see(condition);
    const AxisSet& axes = values_.variance(in_job(condition));
    if (axes.empty()) {
      seen.axes.clear();
      seen.along = SeenValue::Ranks::None;
    }
    return seen;
  }

 private:
  // How the number is made, whatever it is called.
  void see_making(ValueId v, SeenValue& seen) {
    using enum ir::Operator;
    const auto has = [&](auto&& is_such) { return values_.find_part(v, is_such).valid(); };
    const auto computes = [&](ValueId part, auto... operators) {
      return values_[part].kind == ValueKind::Binary && ((values_[part].op == operators) || ...);
    };
    const Value& value = values_[v];
    seen.term = v.index;
    seen.is_own_rank = value.kind == ValueKind::Coordinate && values_.axes(AxesId{value.a}).is_world();
    seen.is_offset =
        computes(v, Add, Subtract) && is_rank(values_.child(v, 0)) && !values_.diverges(values_.child(v, 1));
    seen.is_reduced = has([&](ValueId part) { return computes(part, Modulo, Subtract, BitAnd); });
    seen.combines =
        has([&](ValueId part) { return computes(part, Multiply, Add) || values_[part].kind == ValueKind::Subscript; });
    seen.is_choice = has([&](ValueId part) {
      const ValueKind kind = values_[part].kind;
      return kind == ValueKind::Conditional || ((kind == ValueKind::Opaque || kind == ValueKind::LoopPhi) &&
                                                in_.named_by(part) == Query::NamedBy::Nothing);
    });
    if (value.kind == ValueKind::Tuple) seen.product = product_of(v);
    if (value.kind == ValueKind::Subscript)
      if (const Value& key = values_[values_.child(v, 1)]; key.kind == ValueKind::Text)
        seen.key = index_.names().text(Symbol{key.a});
  }

  // (2, 4) as 8. None: an entry is no positive number, or there is none.
  std::optional<int64_t> product_of(ValueId sequence) {
    int64_t product = 1;
    for (const ValueId part : values_.children(sequence)) {
      int64_t n = 0;
      if (values_[part].kind == ValueKind::Tuple)
        n = product_of(part).value_or(0);
      else if (!values_.integer_of(part, n))
        return std::nullopt;
      if (n <= 0 || __builtin_mul_overflow(product, n, &product)) return std::nullopt;
    }
    return values_[sequence].child_count ? std::optional(product) : std::nullopt;
  }

  // N of `rank == N`.
  std::optional<int64_t> rank_asked_for(ValueId v) {
    if (values_[v].kind != ValueKind::Binary || values_[v].op != ir::Operator::Equal) return std::nullopt;
    const ValueId left = values_.child(v, 0), right = values_.child(v, 1);
    const bool coordinate_is_right = values_[right].kind == ValueKind::Coordinate;
    const Value& asked = values_[coordinate_is_right ? right : left];
    if (asked.kind != ValueKind::Coordinate || !values_.axes(AxesId{asked.a}).is_world()) return std::nullopt;
    int64_t number = 0;
    return values_.integer_of(coordinate_is_right ? left : right, number) ? std::optional(number) : std::nullopt;
  }

  // A condition as it is in a job: `rank != -1` asks whether there is one, and each of its ranks has a number.
  ValueId in_job(ValueId condition) {
    std::map<ValueId, ValueId> known;
    return in_job(condition, known);
  }

  ValueId in_job(ValueId condition, std::map<ValueId, ValueId>& known) {
    const Value& v = values_[condition];
    const bool negates = v.kind == ValueKind::Unary && v.op == ir::Operator::Not;
    if (!negates && v.kind != ValueKind::And && v.kind != ValueKind::Or) return comparison_in_job(condition);
    if (const auto before = known.find(condition); before != known.end()) return before->second;
    std::vector<ValueId> parts;
    for (const ValueId part : values_.children(condition)) parts.push_back(in_job(part, known));
    return known[condition] = negates ? values_.negate(parts[0]) : values_.conjunction(v.kind == ValueKind::And, parts);
  }

  ValueId comparison_in_job(ValueId condition) {
    const Value& v = values_[condition];
    int64_t number = 0;
    const bool compares = v.kind == ValueKind::Binary && (is_order(v.op) || is_equality(v.op));
    if (!compares || !is_rank(values_.child(condition, 0)) || !values_.integer_of(values_.child(condition, 1), number))
      return condition;
    return number < 0 ? values_.binary(v.op, values_.integer(0), values_.child(condition, 1)) : condition;
  }

  bool is_rank(ValueId v) const {
    const Value& value = values_[v];
    return value.kind == ValueKind::Coordinate || value.kind == ValueKind::RankIn ||
           (value.kind == ValueKind::Believed && value.b == static_cast<uint32_t>(BeliefKind::Coordinate));
  }

  // The rank's number of which the term is made alone: `rank`, `f"cuda:{rank}"`, `"cuda:" + str(rank)`, `[rank]`.
  ValueId number_within(ValueId v) {
    for (ValueId at = v; values_.diverges(at);) {
      if (values_[at].kind == ValueKind::Coordinate) return at;
      ValueId inner;
      for (const ValueId child : values_.children(at)) {
        if (!values_.diverges(child)) continue;
        if (inner.valid()) return {};
        inner = child;
      }
      if (!inner.valid() || !only_wraps(at, inner)) return {};
      at = inner;
    }
    return {};
  }

  // The host is one device, whatever number follows: "cpu:1".
  bool names_host(ValueId text) const {
    return values_[text].kind == ValueKind::Text &&
           device_of_text(in_.roles(), index_.names().text(Symbol{values_[text].a})) == Where::Host;
  }

  // Whether the term does not compute with the number in it.
  bool only_wraps(ValueId v, ValueId number) {
    const Value& value = values_[v];
    if (std::ranges::any_of(values_.children(v), [&](ValueId c) { return names_host(c); })) return false;
    if (value.kind == ValueKind::Tuple) return true;
    if (value.kind == ValueKind::Pure)
      return value.child_count == 1 || derived_of(values_, index_, v) == Derived::FilledText;
    return value.kind == ValueKind::Binary && std::ranges::all_of(values_.children(v), [&](ValueId c) {
             return c == number || values_[c].kind == ValueKind::Text;
           });
  }

  // "(2, 4)"; empty when a part has no short form.
  std::string spell_tuple(ValueId v) {
    std::string text;
    for (ValueId part : values_.children(v)) {
      const std::string word = in_.source_text(part);
      if (word.empty()) return {};
      text += (text.empty() ? "" : ", ") + word;
    }
    return "(" + text + ")";
  }

  void see_alone(ValueId v, SeenValue& seen) {
    const SeenAlone alone = seen_alone(values_, index_, v);
    seen.local_source = alone.source;
    seen.local = alone.word.empty() ? "what this rank alone sees" : alone.word;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
};

}  // namespace

SeenValue see(const Query& in, ValueId v) { return Seeing(in).see(v); }
SeenValue see_asked(const Query& in, ValueId condition) { return Seeing(in).see_asked(condition); }

}  // namespace ranklint
