// What a callee is chosen from: the sides of a conditional, the entries of a table, the members of a list.
#include <algorithm>

#include "analyzer/summary/entries.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// A table of functions: each is called where the index is its place, or its key.
std::vector<Query::Choice> Query::choices_of_table(ValueId table, ValueId index) const {
  const bool is_dictionary = Entries(values_, index_).has_constant_keys(table);
  if (!is_dictionary && values_[table].kind != ValueKind::Tuple) return {};
  const std::vector<ValueId> parts(values_.children(table).begin(), values_.children(table).end());
  const size_t stride = is_dictionary ? 2 : 1;
  if (parts.size() > kMostTargets * stride) return {};
  std::vector<Choice> found;
  for (size_t i = 0; i < parts.size(); i += stride) {
    const ValueId entry = parts[i + stride - 1],
                  place = is_dictionary ? parts[i] : values_.integer(static_cast<int64_t>(i));
    const ValueId is_asked = values_.binary(ir::Operator::Equal, index, place);
    if (values_.truth(is_asked) == ValueStore::Truth::No) continue;
    found.push_back({entry, values_.diverges(index) ? is_asked : ValueId{}});
  }
  return found;
}

// `for hook in hooks: hook()`, `for name, hook in table.items(): hook()`, and a method of it: each of those that are
// known to be in there.
std::vector<Query::Choice> Query::choices_among_members(ValueId element) const {
  int64_t place = 0;
  const bool is_method = values_[element].kind == ValueKind::Attribute;
  ValueId of = is_method ? values_.child(element, 0) : element;
  if (values_[of].kind == ValueKind::Subscript && values_.integer_of(values_.child(of, 1), place) && place == 1 &&
      values_[values_.child(of, 0)].kind == ValueKind::Element &&
      is_view_of_entries(values_.child(values_.child(of, 0), 0)))
    of = values_.child(of, 0);
  if (values_[of].kind != ValueKind::Element || values_.class_of(of).valid()) return {};
  std::vector<Choice> members = members_of(values_.child(of, 0));
  if (members.size() > kMostTargets) return {};
  for (Choice& member : members)
    if (is_method) member.callee = get_attribute(member.callee, Symbol{values_[element].a});
  return members;
}

// Of a conditional, whoever decides it.
std::vector<Query::Choice> Query::sides_of(ValueId choice) const {
  const ValueId condition = values_.child(choice, 0);
  return {{values_.child(choice, 1), condition}, {values_.child(choice, 2), values_.negate(condition)}};
}

std::vector<Query::Choice> Query::guarded_choices_of(ValueId callee) const {
  if (values_.is_small_choice(callee)) return sides_of(callee);
  std::vector<Choice> found = choices_of(callee);
  std::erase_if(found, [](const Choice& choice) { return !choice.guard.valid(); });
  return found;
}

std::vector<Query::Choice> Query::choices_of(ValueId callee) const {
  if (const std::vector<Choice> members = choices_among_members(callee); !members.empty()) return members;
  if (values_[callee].kind == ValueKind::Subscript) {
    const ValueId table = values_.child(callee, 0), index = values_.child(callee, 1);
    const std::vector<Choice> written = choices_of_table(table, index);
    return written.empty() ? choices_of_kept(table, index) : written;
  }
  if (values_[callee].kind != ValueKind::Conditional) return {};
  if (values_.diverges(values_.child(callee, 0)) && values_.is_small_choice(callee)) return sides_of(callee);
  std::vector<Choice> found;
  for (const ValueId end : values_.leaves_of(callee)) found.push_back({end, {}});
  return found;
}

}  // namespace ranklint
