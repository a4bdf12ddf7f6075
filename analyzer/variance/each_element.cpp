#include "analyzer/variance/each_element.h"

#include <algorithm>
#include <map>

#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/variance/derived.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostWrittenOut = 8;
constexpr int64_t kMostNumbersGivenFor = 64;

bool is_of_each(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  return derived_of(values, index, v) == Derived::OfEach && values[v].child_count == 4;
}

std::optional<std::vector<ValueId>> elements_of(ValueStore& values, const ProjectIndex& index, ValueId gone_over) {
  const Value& v = values[gone_over];
  std::vector<ValueId> found;
  if (v.kind == ValueKind::Tuple) {
    found.assign(values.children(gone_over).begin(), values.children(gone_over).end());
  } else if (const auto numbers = written_numbers(values, index, gone_over)) {
    if (numbers->size() > kMostNumbersGivenFor) return std::nullopt;
    for (int64_t i = 0; i < numbers->size(); ++i) found.push_back(values.integer((*numbers)[i]));
    return found;
  } else if (is_call_of(values, index, gone_over, Builtin::Enumerate) && v.child_count == 1) {
    const auto counted = elements_of(values, index, values.child(gone_over, 0));
    if (!counted) return std::nullopt;
    for (const ValueId one : *counted)
      found.push_back(values.node(ValueKind::Tuple, {{values.integer(static_cast<int64_t>(found.size())), one}}));
  } else {
    return std::nullopt;
  }
  if (found.size() > kMostWrittenOut) return std::nullopt;
  return found;
}

// A term with other parts in the place of some.
class Replacing {
 public:
  explicit Replacing(ValueStore& values) : values_(values) {}

  // What stands for an element may have parts: `for i, group in enumerate(groups)`.
  void put(ValueId part, ValueId by) {
    made_[part] = by;
    const Value &of_part = values_[part], &given = values_[by];
    if (of_part.kind != ValueKind::Tuple || given.kind != ValueKind::Tuple || of_part.child_count != given.child_count)
      return;
    for (uint32_t i = 0; i < of_part.child_count; ++i) put(values_.child(part, i), values_.child(by, i));
  }

  ValueId in(ValueId whole) {
    require_stack_room();
    if (const auto found = made_.find(whole); found != made_.end()) return found->second;
    charge_work();
    std::vector<ValueId> parts(values_.children(whole).begin(), values_.children(whole).end());
    bool changed = false;
    for (ValueId& part : parts) {
      const ValueId by = in(part);
      changed |= by != part;
      part = by;
    }
    return made_[whole] = changed ? with_parts(values_, whole, parts) : whole;
  }

 private:
  ValueStore& values_;
  std::map<ValueId, ValueId> made_;
};

GivenForElement given_for(ValueStore& values, ValueId of_each, ValueId element) {
  Replacing replacing(values);
  replacing.put(values.child(of_each, 1), element);
  const ValueId guard = values.child(of_each, 3);
  const bool always = values[guard].kind == ValueKind::None;
  return {always ? ValueId{} : replacing.in(guard), replacing.in(values.child(of_each, 2))};
}

// Of a list that is written out each is one that is always there.
std::optional<std::vector<GivenForElement>> all_of(ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (values[v].kind != ValueKind::Tuple) return given_for_each(values, index, v);
  if (values[v].child_count > kMostWrittenOut) return std::nullopt;
  std::vector<GivenForElement> found;
  for (const ValueId part : values.children(v)) found.push_back({{}, part});
  return found;
}

}  // namespace

static bool is_range(const ValueStore& values, const ProjectIndex& index, ValueId gone_over) {
  return is_call_of(values, index, gone_over, Builtin::Range);
}

bool is_range_of_ranks(const ValueStore& values, const ProjectIndex& index, ValueId gone_over) {
  const auto is_size = [&](ValueId part) {
    return values[part].kind == ValueKind::Size || values[part].kind == ValueKind::SizeIn;
  };
  return is_range(values, index, gone_over) && values.find_part(gone_over, is_size).valid() &&
         !values
              .find_part(gone_over,
                         [&](ValueId part) {
                           const Value& v = values[part];
                           return v.child_count == 0 && !v.constant && !is_size(part);
                         })
              .valid();
}

bool is_written_out(ValueStore& values, const ProjectIndex& index, ValueId gone_over) {
  return elements_of(values, index, gone_over).has_value();
}

std::optional<std::vector<GivenForElement>> given_for_each(ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (!is_of_each(values, index, v)) return std::nullopt;
  const auto elements = elements_of(values, index, values.child(v, 0));
  if (!elements) return std::nullopt;
  std::vector<GivenForElement> found;
  for (const ValueId element : *elements) {
    const GivenForElement given = given_for(values, v, element);
    const auto truth = given.guard.valid() ? values.truth(given.guard) : ValueStore::Truth::Yes;
    if (truth == ValueStore::Truth::No) continue;
    found.push_back({truth == ValueStore::Truth::Yes ? ValueId{} : given.guard, given.value});
  }
  return found;
}

ValueId empty_as(ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (!is_of_each(values, index, v)) return {};
  const ValueId gone_over = values.child(v, 0);
  const bool has_one_for_each = values[values.child(v, 3)].kind == ValueKind::None;
  return has_one_for_each || !is_written_out(values, index, gone_over) ? gone_over : ValueId{};
}

// A place counts from the end where it is less.
static bool is_no_less_than_0(const ValueStore& values, ValueId place) {
  int64_t number = 0;
  const ValueKind kind = values[place].kind;
  return values.integer_of(place, number) ? number >= 0 : kind == ValueKind::Coordinate || kind == ValueKind::RankIn;
}

// `[r >= 0 for r in range(4)][-1]`, all of which is written out.
static ValueId given_at_number(ValueStore& values, const ProjectIndex& index, ValueId v, ValueId place) {
  int64_t at = 0;
  const auto all = values.integer_of(place, at) ? given_for_each(values, index, v) : std::nullopt;
  if (!all || std::ranges::any_of(*all, [](const GivenForElement& one) { return one.guard.valid(); })) return {};
  const auto size = static_cast<int64_t>(all->size());
  if (at < 0) at += size;
  return at >= 0 && at < size ? (*all)[static_cast<size_t>(at)].value : ValueId{};
}

ValueId given_at(ValueStore& values, const ProjectIndex& index, ValueId v, ValueId place) {
  if (!is_of_each(values, index, v)) return {};
  const ValueId gone_over = values.child(v, 0);
  // A list that is not written out may have been changed since.
  if (!is_written_out(values, index, gone_over))
    return is_range(values, index, gone_over) ? ValueId{} : values.child(v, 1);
  const bool has_one_for_each = values[values.child(v, 3)].kind == ValueKind::None;
  const bool is_number = end_of_range(values, index, gone_over).valid() && is_no_less_than_0(values, place);
  if (has_one_for_each && is_number) return given_for(values, v, place).value;
  return given_at_number(values, index, v, place);
}

ValueId asked_of_each(ValueStore& values, const ProjectIndex& index, ValueStore::Trait question,
                      std::span<const ValueId> arguments) {
  using Trait = ValueStore::Trait;
  if (arguments.empty() || arguments.size() > 2 || (arguments.size() == 2 && question != Trait::GivesFirst)) return {};
  if (is_of_each(values, index, arguments[0]) && !is_written_out(values, index, values.child(arguments[0], 0)))
    return is_range(values, index, values.child(arguments[0], 0)) ? ValueId{} : values.child(arguments[0], 1);
  const auto all = all_of(values, index, arguments[0]);
  if (!all) return {};
  ValueId made;
  if (question == Trait::GivesFirst) {
    if (!is_of_each(values, index, arguments[0])) return {};
    made = arguments.size() == 2 ? arguments[1] : values.none();
    for (size_t i = all->size(); i > 0; --i) {
      const GivenForElement& one = (*all)[i - 1];
      made = one.guard.valid() ? values.conditional(one.guard, one.value, made) : one.value;
    }
  } else {
    const bool any = question == Trait::HoldsForAny;
    std::vector<ValueId> held;
    for (const GivenForElement& one : *all) {
      if (!one.guard.valid())
        held.push_back(one.value);
      else
        held.push_back(any ? values.conjunction(true, std::vector<ValueId>{one.guard, one.value})
                           : values.conjunction(false, std::vector<ValueId>{values.negate(one.guard), one.value}));
    }
    made = held.empty() ? values.boolean(!any) : values.conjunction(!any, held);
  }
  const bool of_range =
      is_of_each(values, index, arguments[0]) && is_range(values, index, values.child(arguments[0], 0));
  if (of_range && values.is_constant(made)) return made;
  const bool is_long = all->size() > kMostWrittenOut;
  return !is_long && (values.diverges(arguments[0]) || values.diverges(made)) ? made : ValueId{};
}

}  // namespace ranklint
