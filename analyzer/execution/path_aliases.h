// Unknown values of two calls that are taken for one: what two ranks find in a function that each called with the same
// arguments, at places of their own.
#pragma once

#include <map>

#include "analyzer/variance/values.h"

namespace ranklint {

class PathAliases {
 public:
  // From now on what is unknown on the path of call sites `path` is what is unknown on `meant`.
  void add(uint32_t path, uint32_t meant) { meant_.emplace(path, meant); }
  ValueId rewrite(ValueStore& values, ValueId term);

 private:
  ValueId rewrite_parts(ValueStore& values, ValueId term);

  std::map<uint32_t, uint32_t> meant_;
  std::map<ValueId, ValueId> known_;
};

}  // namespace ranklint
