// Dictionaries whose entries are known: `{"group": tp}`, `dict(group=tp)`, what a caller gives for `**kwargs`.
//
// As a term such a dictionary is the names and values of its entries in turn. It stands for the dictionary where it was
// made; whoever follows it through a function puts a new one in its place with each entry that changes, and gives it up
// where others may change it.
#pragma once

#include "analyzer/variance/values.h"

namespace ranklint {

class Entries {
 public:
  Entries(ValueStore& values, const ProjectIndex& index) : values_(values), index_(index) {}

  // Whether it is a dictionary, and every key of it is a text that is known.
  bool known(ValueId dictionary) const;
  // The same of each side of a choice. What is got of a choice and put into it is so on each side.
  bool known_on_each_side(ValueId choice) const;
  std::vector<ValueId> keys(ValueId dictionary) const;  // each once
  // The value under a key; invalid when there is none.
  ValueId get(ValueId dictionary, ValueId key) const;
  ValueId with(ValueId dictionary, ValueId key, ValueId value);
  ValueId make(const std::vector<std::pair<Symbol, ValueId>>& entries);

 private:
  ValueStore& values_;
  const ProjectIndex& index_;
};

}  // namespace ranklint
