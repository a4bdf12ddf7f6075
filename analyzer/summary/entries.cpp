#include "analyzer/summary/entries.h"

#include <algorithm>

#include "analyzer/variance/terms.h"

namespace ranklint {

bool Entries::known(ValueId dictionary) const {
  const std::string_view name = function_of(values_, index_, dictionary);
  if ((name != "dict" && derived_named(name) != Derived::Keywords) || values_[dictionary].child_count % 2) return false;
  const auto parts = values_.children(dictionary);
  for (size_t i = 0; i < parts.size(); i += 2)
    if (values_[parts[i]].kind != ValueKind::Text) return false;
  return true;
}

bool Entries::known_on_each_side(ValueId choice) const {
  return values_.is_small_choice(choice)
             ? known_on_each_side(values_.child(choice, 1)) && known_on_each_side(values_.child(choice, 2))
             : known(choice);
}

std::vector<ValueId> Entries::keys(ValueId dictionary) const {
  std::vector<ValueId> keys;
  const auto parts = values_.children(dictionary);
  for (size_t i = 0; i + 1 < parts.size(); i += 2)
    if (std::ranges::find(keys, parts[i]) == keys.end()) keys.push_back(parts[i]);
  return keys;
}

ValueId Entries::get(ValueId dictionary, ValueId key) const {
  if (values_.is_small_choice(dictionary)) {
    const ValueId yes = get(values_.child(dictionary, 1), key), no = get(values_.child(dictionary, 2), key);
    return yes.valid() && no.valid() ? values_.conditional(values_.child(dictionary, 0), yes, no) : ValueId{};
  }
  const auto parts = values_.children(dictionary);
  ValueId found;
  for (size_t i = 0; i + 1 < parts.size(); i += 2)
    if (parts[i] == key) found = parts[i + 1];  // of `{"a": 1, "a": 2}` the last
  return found;
}

ValueId Entries::with(ValueId dictionary, ValueId key, ValueId value) {
  if (values_.is_small_choice(dictionary)) {
    const ValueId yes = with(values_.child(dictionary, 1), key, value),
                  no = with(values_.child(dictionary, 2), key, value);
    return values_.conditional(values_.child(dictionary, 0), yes, no);
  }
  std::vector<ValueId> parts(values_.children(dictionary).begin(), values_.children(dictionary).end());
  for (size_t i = 0; i + 1 < parts.size(); i += 2)
    if (parts[i] == key) {
      parts[i + 1] = value;
      return values_.node(ValueKind::Pure, parts, values_[dictionary].a);
    }
  parts.push_back(key);
  parts.push_back(value);
  return values_.node(ValueKind::Pure, parts, values_[dictionary].a);
}

ValueId Entries::make(const std::vector<std::pair<Symbol, ValueId>>& entries) {
  std::vector<ValueId> parts;
  for (const auto& [key, value] : entries) {
    parts.push_back(values_.text(key));
    parts.push_back(value);
  }
  return values_.node(ValueKind::Pure, parts, index_.spell("dict").index);
}

}  // namespace ranklint
