#include "analyzer/summary/entries.h"

#include <algorithm>
#include <array>

#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

static bool is_display(std::string_view function) { return is_builtin(function, Builtin::Dict); }

bool Entries::has_text_keys(ValueId dictionary, size_t first) const {
  const auto parts = values_.children(dictionary);
  if (parts.size() % 2) return false;
  for (size_t i = first; i < parts.size(); i += 2)
    if (values_[parts[i]].kind != ValueKind::Text) return false;
  return true;
}

ValueId Entries::display(std::span<const ValueId> parts) const {
  return values_.node(ValueKind::Pure, parts, index_.intern(name_of(Builtin::Dict)).index);
}

bool Entries::known(ValueId dictionary) const {
  const std::string_view name = function_of(values_, index_, dictionary);
  return (is_display(name) || derived_named(name) == Derived::Keywords) && has_text_keys(dictionary, 0);
}

bool Entries::has_constant_keys(ValueId dictionary) const {
  if (known(dictionary)) return true;
  const auto parts = values_.children(dictionary);
  if (!is_display(function_of(values_, index_, dictionary)) || parts.size() % 2) return false;
  for (size_t i = 0; i < parts.size(); i += 2)
    if (!values_.is_constant(parts[i])) return false;
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

ValueId Entries::make(std::span<const std::pair<Symbol, ValueId>> entries) {
  std::vector<ValueId> parts;
  for (const auto& [key, value] : entries) {
    parts.push_back(values_.text(key));
    parts.push_back(value);
  }
  return display(parts);
}

ValueId Entries::spread_key() const { return values_.leaf(ValueKind::External, index_.intern("**").index); }

bool Entries::is_over(ValueId dictionary) const {
  const auto parts = values_.children(dictionary);
  return is_display(function_of(values_, index_, dictionary)) && !parts.empty() && parts[0] == spread_key() &&
         has_text_keys(dictionary, 2);
}

bool Entries::has_entries_over(ValueId dictionary) const {
  return is_over(dictionary) ||
         (values_.is_small_choice(dictionary) &&
          (has_entries_over(values_.child(dictionary, 1)) || has_entries_over(values_.child(dictionary, 2))));
}

bool Entries::differ_by_key(ValueId dictionary) const {
  return !leads_to(dictionary, [&](ValueId part, std::vector<ValueId>& next) {
    if (values_.is_small_choice(part)) {
      if (values_.diverges(values_.child(part, 0))) return true;
      add_parts(next, values_.children(part).subspan(1));
      return false;
    }
    if (!is_over(part)) return !known(part) && (values_.diverges(part) || values_[part].of_batch);
    next.push_back(values_.child(part, 1));
    return false;
  });
}

std::vector<ValueId> Entries::keys_over(ValueId dictionary) const {
  std::vector<ValueId> found;
  std::set<ValueId> seen;
  add_keys_over(dictionary, seen, found);
  return found;
}

void Entries::add_keys_over(ValueId dictionary, std::set<ValueId>& seen, std::vector<ValueId>& found) const {
  if (!seen.insert(dictionary).second) return;
  if (values_.is_small_choice(dictionary)) {
    for (const uint32_t side : {1U, 2U}) add_keys_over(values_.child(dictionary, side), seen, found);
  } else if (is_over(dictionary)) {
    add_keys_over(values_.child(dictionary, 1), seen, found);
    const auto parts = values_.children(dictionary);
    for (size_t i = 2; i < parts.size(); i += 2)
      if (std::ranges::find(found, parts[i]) == found.end()) found.push_back(parts[i]);
  }
}

ValueId Entries::look_up(ValueId dictionary, ValueId key) {
  std::map<ValueId, ValueId> found;
  return look_up(dictionary, key, found);
}

ValueId Entries::look_up(ValueId dictionary, ValueId key, std::map<ValueId, ValueId>& found) {
  if (const auto before = found.find(dictionary); before != found.end()) return before->second;
  ValueId entry;
  if (values_.is_small_choice(dictionary)) {
    const ValueId condition = values_.child(dictionary, 0);
    const ValueId yes = look_up(values_.child(dictionary, 1), key, found),
                  no = look_up(values_.child(dictionary, 2), key, found);
    entry = values_.conditional(condition, yes, no);
  } else if (is_over(dictionary)) {
    const auto parts = values_.children(dictionary);
    for (size_t i = 2; i < parts.size() && !entry.valid(); i += 2)
      if (parts[i] == key) entry = parts[i + 1];
    if (!entry.valid()) entry = look_up(parts[1], key, found);
  } else {
    if (known(dictionary)) entry = get(dictionary, key);
    if (!entry.valid()) entry = values_.subscript(dictionary, key);
  }
  found.emplace(dictionary, entry);
  return entry;
}

ValueId Entries::put_over(ValueId dictionary, ValueId key, ValueId value) {
  if (is_over(dictionary) || known(dictionary)) return with(dictionary, key, value);
  return display(std::array{spread_key(), dictionary, key, value});
}

}  // namespace ranklint
