// Dictionaries whose entries are known: `{"group": tp}`, `dict(group=tp)`, what a caller gives for `**kwargs`.
//
// As a term such a dictionary is the names and values of its entries in turn. It stands for the dictionary where it was
// made; the interpreter replaces it by a new one with each entry that changes, and drops it where other code may change
// it.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "analyzer/variance/values.h"

namespace ranklint {

class Entries {
 public:
  Entries(ValueStore& values, const ProjectIndex& index) : values_(values), index_(index) {}

  // Whether it is a dictionary, and every key of it is a text that is known.
  bool known(ValueId dictionary) const;
  // Whether it is a dictionary, and every key of it is a constant: a text, a number.
  bool has_constant_keys(ValueId dictionary) const;
  // The same as `known` of each side of a choice. What is got of a choice and put into it is so on each side.
  bool known_on_each_side(ValueId choice) const;
  std::vector<ValueId> keys(ValueId dictionary) const;  // each once
  // The value under a key; invalid when there is none.
  ValueId get(ValueId dictionary, ValueId key) const;
  ValueId with(ValueId dictionary, ValueId key, ValueId value);
  ValueId make(std::span<const std::pair<Symbol, ValueId>> entries);

  // `{**before, "loss": loss}`, which is what `before["loss"] = loss` leaves: some entries are known, and the others
  // are those of `before`, of which nothing may be known. The key of `before` is a marker:
  ValueId spread_key() const;
  // Whether a dictionary is such, on some side of a choice.
  bool has_entries_over(ValueId dictionary) const;
  // Whether all that differs between ranks or is made of a batch stands under a key that is known.
  bool differ_by_key(ValueId dictionary) const;
  std::vector<ValueId> keys_over(ValueId dictionary) const;  // each once
  // The value under a key in any dictionary: valid.
  ValueId look_up(ValueId dictionary, ValueId key);
  ValueId put_over(ValueId dictionary, ValueId key, ValueId value);

 private:
  bool has_text_keys(ValueId dictionary, size_t first) const;  // from the first of its parts
  ValueId display(std::span<const ValueId> parts) const;
  bool is_over(ValueId dictionary) const;
  // PathCondition share what they choose between: each dictionary is looked at once.
  void add_keys_over(ValueId dictionary, std::set<ValueId>& seen, std::vector<ValueId>& found) const;
  ValueId look_up(ValueId dictionary, ValueId key, std::map<ValueId, ValueId>& found);

  ValueStore& values_;
  const ProjectIndex& index_;
};

}  // namespace ranklint
